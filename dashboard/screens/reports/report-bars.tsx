import { type PointerEvent, useState } from 'react'
import type { TeamReport } from '../../../src/core/reports/report.ts'
import { t } from '../../language/language.ts'
import { sayShare } from '../../parts/figures.ts'
import { sayRange } from './report-words.ts'

const HEIGHT = 18
const WIDTH = 186
/** A month fills the width. */
const MIN_BARS = 31
const FILLED = 0.72
const NOTHING_HEIGHT = 3
const MIN_HEIGHT = 4

const FILLS = ['fill-line', 'fill-up', 'fill-degraded', 'fill-down'] as const

/**
 * A bar for each day, or for some days where the range is long; trouble is also shorter, for prints without color. All bars of
 * a color are one path: a report has fifteen thousand.
 */
export function ReportBars({
  bars,
  shares,
}: {
  bars: TeamReport['bars']
  shares: readonly (number | null)[]
}) {
  const [pointed, setPointed] = useState<number | null>(null)
  const count = Math.max(MIN_BARS, bars.length)
  function point({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.floor(((clientX - left) / width) * count))
  }
  const bar = pointed === null ? undefined : bars[pointed]
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={sayLowest(shares)}
      className="h-4.5 w-full"
      preserveAspectRatio="none"
      onPointerMove={point}
      onPointerLeave={() => setPointed(null)}
    >
      {FILLS.map((fill) => (
        <path key={fill} d={pathOf(shares, count, fill)} className={fill} />
      ))}
      {bar && (
        <rect width="100%" height="100%" fill="transparent">
          <title>{`${sayRange(bar)}: ${sayJudged(shares[pointed ?? 0] ?? null)}`}</title>
        </rect>
      )}
    </svg>
  )
}

function pathOf(shares: readonly (number | null)[], count: number, fill: (typeof FILLS)[number]): string {
  const step = WIDTH / count
  const width = (step * FILLED).toFixed(2)
  return shares
    .map((share, index) => {
      if (fillOf(share) !== fill) return ''
      const height = heightOf(share).toFixed(1)
      return `M${(index * step).toFixed(2)} ${HEIGHT}v-${height}h${width}v${height}z`
    })
    .join('')
}

function fillOf(share: number | null): (typeof FILLS)[number] {
  if (share === null) return 'fill-line'
  if (share === 1) return 'fill-up'
  return share >= 0.98 ? 'fill-degraded' : 'fill-down'
}

function heightOf(share: number | null): number {
  if (share === null) return NOTHING_HEIGHT
  return share >= 0.999 ? HEIGHT : Math.max(MIN_HEIGHT, HEIGHT * share * 0.7)
}

function sayLowest(shares: readonly (number | null)[]): string {
  const judged = shares.filter((share) => share !== null)
  return judged.length === 0
    ? t('Uptime by day: no data')
    : t('Uptime by day: lowest {share}', { share: sayShare(Math.min(...judged)) })
}

function sayJudged(share: number | null): string {
  return share === null ? t('no data') : sayShare(share)
}
