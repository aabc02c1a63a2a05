import { type PointerEvent, useState } from 'react'
import { LOCALE } from '../../language/language.ts'
import { type BarTone, barPaths, dayAt, HEIGHT, sayDay, sayDays, WIDTH } from './uptime-days.ts'

const DAY_MS = 86_400_000

export const BAR_FILL: Record<BarTone, string> = {
  unknown: 'fill-line',
  up: 'fill-up',
  degraded: 'fill-degraded',
  down: 'fill-down',
  maintenance: 'fill-maintenance',
}

const dateOf = new Intl.DateTimeFormat(LOCALE)

/**
 * One bar per day, oldest first; a day with trouble is also shorter, so that it shows without color. Maintenance stands
 * below it, as high as its part of the day, and is thinner. All bars of a color are one path, and a day says its figures
 * once the pointer is over it: a list has fifteen hundred days.
 */
export function UptimeBars({
  days,
  maintenance,
}: {
  days: readonly (number | null)[]
  /** Seconds of each day. */
  maintenance: readonly number[]
}) {
  const [pointed, setPointed] = useState<number | null>(null)
  function point({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) {
    setPointed(dayAt(clientX - currentTarget.getBoundingClientRect().left, days.length))
  }
  return (
    <svg
      width={days.length * WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={sayDays(days, maintenance)}
      className="shrink-0"
      onPointerMove={point}
      onPointerLeave={() => setPointed(null)}
    >
      {barPaths(days, maintenance).map(({ tone, path }) => (
        <path key={tone} d={path} className={BAR_FILL[tone]} />
      ))}
      {/* Above all bars, and between them, too. */}
      {pointed !== null && (
        <rect width="100%" height="100%" fill="transparent">
          <title>{sayPointed(days, maintenance, pointed)}</title>
        </rect>
      )}
    </svg>
  )
}

function sayPointed(days: readonly (number | null)[], maintenance: readonly number[], index: number): string {
  const day = new Date(Date.now() - (days.length - 1 - index) * DAY_MS)
  return `${dateOf.format(day)}: ${sayDay(days[index] ?? null, maintenance[index] ?? 0)}`
}
