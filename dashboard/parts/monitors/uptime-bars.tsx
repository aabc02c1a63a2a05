import { sayShare } from '../figures.ts'
import { LOCALE } from '../locale.ts'

const DAY_MS = 86_400_000
const WIDTH = 5
const HEIGHT = 22

/** One bar per day, oldest first; a day with trouble is also shorter, so that it shows without color. */
export function UptimeBars({ days }: { days: readonly (number | null)[] }) {
  const today = Date.now()
  const worst = days.reduce<number | null>(
    (least, share) => (share === null ? least : Math.min(least ?? 1, share)),
    null,
  )
  return (
    <svg
      width={days.length * WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`Uptime of the last ${days.length} days${worst === null ? ': no time was judged' : `, lowest ${sayShare(worst)}`}`}
      className="shrink-0"
    >
      {days.map((share, index) => {
        const height = share === null ? 3 : share >= 0.999 ? HEIGHT : Math.max(5, HEIGHT * share * 0.7)
        const day = new Date(today - (days.length - 1 - index) * DAY_MS)
        return (
          <rect
            key={day.getTime()}
            x={index * WIDTH}
            y={HEIGHT - height}
            width={WIDTH - 1.5}
            height={height}
            rx="1"
            className={barColour(share)}
          >
            <title>{`${day.toLocaleDateString(LOCALE)}: ${share === null ? 'no time was judged' : sayShare(share)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

function barColour(share: number | null): string {
  if (share === null) return 'fill-line'
  if (share === 1) return 'fill-up'
  return share >= 0.98 ? 'fill-degraded' : 'fill-down'
}
