import { Fragment } from 'react'
import { LOCALE } from '../locale.ts'
import { barHeight, HEIGHT, plannedHeight, sayDay, sayDays } from './uptime-days.ts'

const DAY_MS = 86_400_000
const WIDTH = 5
const BAR_WIDTH = 3.5
const PLANNED_WIDTH = 2
const GAP = 1

/**
 * One bar per day, oldest first; a day with trouble is also shorter, so that it shows without color. Maintenance stands
 * below it, as high as its part of the day, and is thinner.
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
        return (
          <Fragment key={day.getTime()}>
            {height > 0 && (
              <rect
                x={index * WIDTH}
                y={HEIGHT - planned - height}
                width={BAR_WIDTH}
                height={height}
                rx="1"
                className={barColour(share)}
              >
                <title>{said}</title>
              </rect>
            )}
            {planned > 0 && (
              <rect
                x={index * WIDTH + (BAR_WIDTH - PLANNED_WIDTH) / 2}
                y={HEIGHT - planned + GAP}
                width={PLANNED_WIDTH}
                rx="1"
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
