const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const SHORT = { day: 'd', hour: 'h', minute: 'min', second: 's' } as const

type Part = { unit: (typeof UNITS)[number][0]; count: number }

/**
 * Splits whole seconds into at most `max` consecutive units, starting at the largest nonzero one and skipping zeros.
 */
export function unitsOf(seconds: number, max: number = UNITS.length): Part[] {
  let rest = seconds
  const parts = UNITS.map(([unit, length]): Part => {
    const count = Math.floor(rest / length)
    rest %= length
    return { unit, count }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return first < 0 ? [] : parts.slice(first, first + max).filter(({ count }) => count > 0)
}

/** The duration in its two largest units: `3 d 4 h`, `12 min 5 s`. */
export function formatDuration(seconds: number): string {
  const parts = unitsOf(Math.round(seconds), 2)
  return parts.map(({ unit, count }) => `${count} ${SHORT[unit]}`).join(' ') || '0 s'
}

/** Writes a duration in its two largest units: `4 minutes 10 seconds`, `1 day`. */
export function durationInWords(seconds: number): string {
  const parts = unitsOf(Math.floor(seconds), 2)
  return (
    parts.map(({ unit, count }) => `${count} ${unit}${count === 1 ? '' : 's'}`).join(' ') ||
    'less than a second'
  )
}
