import { Fragment } from 'react'
import { LOCALE } from '../locale.ts'
import { barHeight, HEIGHT, plannedHeight, sayDay, sayDays } from './uptime-days.ts'

const DAY_MS = 86_400_000
const WIDTH = 5
const GAP = 1

/**
 * One bar per day, oldest first; a day with trouble is also shorter, so that it shows without color. Maintenance stands
 * below it, as high as its part of the day.
 */
export function UptimeBars({
  days,
  maintenance,
}: {
  days: readonly (number | null)[]
  /** Seconds of each day. */
  maintenance: readonly number[]
}) {
  const today = Date.now()
  return (
    <svg
      width={days.length * WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={sayDays(days, maintenance)}
      className="shrink-0"
    >
      {days.map((share, index) => {
        const day = new Date(today - (days.length - 1 - index) * DAY_MS)
        const seconds = maintenance[index] ?? 0
        const planned = plannedHeight(seconds, share)
        const height = barHeight(share, planned)
        const said = `${day.toLocaleDateString(LOCALE)}: ${sayDay(share, seconds)}`
        const common = { x: index * WIDTH, width: WIDTH - 1.5, rx: 1 }
        return (
          <Fragment key={day.getTime()}>
            {height > 0 && (
              <rect {...common} y={HEIGHT - planned - height} height={height} className={barColour(share)}>
                <title>{said}</title>
              </rect>
            )}
            {planned > 0 && (
              <rect
                {...common}
                y={HEIGHT - planned + GAP}
                height={planned - GAP}
                className="fill-maintenance"
              >
                <title>{said}</title>
              </rect>
            )}
          </Fragment>
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
