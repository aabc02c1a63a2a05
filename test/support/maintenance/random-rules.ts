import type { RecurringWindow } from '../../../src/core/maintenance/window.ts'

type Random = () => number
export type RandomWindow = Pick<
  RecurringWindow,
  'kind' | 'local_start' | 'time_zone' | 'duration_minutes' | 'rule' | 'exceptions'
>

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** A window in the years from `year` on whose rule is any that a window takes. Its times are mostly those of clock changes. */
export function randomWindow(random: Random, year: number): Omit<RandomWindow, 'time_zone'> {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const some = <T>(max: number, one: () => T): T[] => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * max) }, one)),
  ]
  const upTo = (max: number) => 1 + Math.floor(random() * max)
  const sign = () => (random() < 0.4 ? '-' : '')
  const date = (from: number, days: number) =>
    new Date(Date.UTC(from, 0, 1) + Math.floor(random() * days) * 86_400_000).toISOString().slice(0, 10)

  const freq = pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])
  const parts = [`FREQ=${freq}`]
  if (random() < 0.4) parts.push(`INTERVAL=${upTo(freq === 'YEARLY' ? 2 : 5)}`)
  const hasMonths = random() < (freq === 'YEARLY' ? 0.6 : 0.2)
  if (hasMonths) parts.push(`BYMONTH=${some(4, () => upTo(12))}`)
  const hasMonthDays = freq !== 'WEEKLY' && random() < 0.35
  if (hasMonthDays) parts.push(`BYMONTHDAY=${some(4, () => `${sign()}${upTo(31)}`)}`)
  const hasDays = random() < 0.5
  const takesOrdinals = freq === 'MONTHLY' || (freq === 'YEARLY' && (hasMonths || !hasMonthDays))
  const withOrdinals = takesOrdinals ? pick([0, 0.5, 1, 1]) : 0
  const maxOrdinal = freq === 'YEARLY' && !hasMonths ? 53 : 5
  const day = () => `${random() < withOrdinals ? `${sign()}${upTo(maxOrdinal)}` : ''}${pick(WEEKDAYS)}`
  if (hasDays) parts.push(`BYDAY=${some(5, day)}`)
  const countsInYear = withOrdinals > 0 && freq === 'YEARLY' && !hasMonths
  if ((hasDays || hasMonthDays) && !countsInYear && random() < 0.25)
    parts.push(`BYSETPOS=${some(2, () => `${sign()}${upTo(4)}`)}`)
  const end = random()
  if (end < 0.15) parts.push(`COUNT=${upTo(60)}`)
  else if (end < 0.3)
    parts.push(`UNTIL=${date(year + 1, 365).replaceAll('-', '')}${pick(['', 'T023000', 'T010000Z'])}`)

  const time =
    random() < 0.8
      ? pick(['00:00', '00:30', '01:30', '01:45', '02:00', '02:15', '02:30', '02:59', '03:00', '23:30'])
      : `${String(upTo(23)).padStart(2, '0')}:${String(upTo(59)).padStart(2, '0')}`
  return {
    kind: 'recurring',
    local_start: `${date(year - 1, 500)}T${time}`,
    duration_minutes: upTo(120),
    rule: parts.join(';'),
    exceptions: random() < 0.3 ? some(20, () => date(year, 365)) : [],
  }
}
