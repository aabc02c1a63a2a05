import type { TeamReport } from '../../../src/core/reports/report.ts'
import { sayShare } from '../../parts/figures.ts'
import { sayRange } from './report-words.ts'

const HEIGHT = 18
const WIDTH = 186
const NOTHING_HEIGHT = 3
const MIN_HEIGHT = 4

/** A bar for each day, or for some days where the range is long; trouble is also shorter, for prints without colour. */
export function ReportBars({
  bars,
  shares,
}: {
  bars: TeamReport['bars']
  shares: readonly (number | null)[]
}) {
  const width = WIDTH / Math.max(31, bars.length)
  const judged = shares.filter((share) => share !== null)
  const said = judged.length === 0 ? 'no time was judged' : `lowest ${sayShare(Math.min(...judged))}`
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Uptime by day: ${said}`}
      className="h-4.5 w-full"
      preserveAspectRatio="none"
    >
      {bars.map((bar, index) => {
        const share = shares[index] ?? null
        const height =
          share === null
            ? NOTHING_HEIGHT
            : share >= 0.999
              ? HEIGHT
              : Math.max(MIN_HEIGHT, HEIGHT * share * 0.7)
        return (
          <rect
            key={bar.from}
            x={index * width}
            y={HEIGHT - height}
            width={width * 0.72}
            height={height}
            className={
              share === null
                ? 'fill-line'
                : share === 1
                  ? 'fill-up'
                  : share >= 0.98
                    ? 'fill-degraded'
                    : 'fill-down'
            }
          >
            <title>{`${sayRange(bar)}: ${share === null ? 'no time was judged' : sayShare(share)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}
