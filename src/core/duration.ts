import { phrase } from './language/phrase.ts'
import { ENGLISH } from './language/translate.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const SHORT = { day: 'd', hour: 'h', minute: 'min', second: 's' } as const

const COUNTED = {
  day: phrase('{count, plural, one {# day} other {# days}}'),
  hour: phrase('{count, plural, one {# hour} other {# hours}}'),
  minute: phrase('{count, plural, one {# minute} other {# minutes}}'),
  second: phrase('{count, plural, one {# second} other {# seconds}}'),
} as const

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
export function durationInWords(seconds: number, t = ENGLISH.t): string {
  return unitsInWords(unitsOf(Math.floor(seconds), 2), t) || t('less than a second')
}

/** Whole units, all of them: `1 hour 30 minutes`. */
export function lengthInWords(seconds: number, t = ENGLISH.t): string {
  return unitsInWords(unitsOf(Math.round(seconds)), t)
}

function unitsInWords(parts: readonly Part[], t: typeof ENGLISH.t): string {
  return parts.map(({ unit, count }) => t(COUNTED[unit], { count })).join(' ')
}
