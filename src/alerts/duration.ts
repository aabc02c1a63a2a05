import { unitsOf } from '../core/duration.ts'

/** Writes a duration in its two largest units: `4 minutes 10 seconds`, `1 day`. */
export function durationInWords(seconds: number): string {
  const parts = unitsOf(Math.floor(seconds), 2)
  return (
    parts.map(({ unit, count }) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ') ||
    'less than a second'
  )
}
