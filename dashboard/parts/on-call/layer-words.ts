import { WEEKDAYS, type Weekday } from '../../../src/core/maintenance/recurrence.ts'
import type { Layer, LayerHours } from '../../../src/core/on-call/schedule.ts'
import { LOCALE, t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { DAY_NAMES, SHORT_DAY_NAMES } from '../../language/weekdays.ts'

const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })

/** `Every week, on Monday at 09:00, from 4 Jan 2027`. */
export function sayRotation({ unit, every, hand_over_at, hand_over_day, starts_on }: Layer): string {
  const values = {
    every,
    time: hand_over_at,
    day: DAY_NAMES[WEEKDAYS.indexOf(hand_over_day)] ?? hand_over_day,
    date: date.format(new Date(`${starts_on}T00:00Z`)),
  }
  return unit === 'day'
    ? t(
        '{every, plural, one {Every day at {time}, from {date}} other {Every # days at {time}, from {date}}}',
        values,
      )
    : t(
        '{every, plural, one {Every week, on {day} at {time}, from {date}} other {Every # weeks, on {day} at {time}, from {date}}}',
        values,
      )
}

/** `Mon – Fri, 09:00 – 17:00`. */
export function sayHours({ days, from, until }: LayerHours): string {
  const values = { days: sayDays(days), from, until }
  return until > from
    ? t('{days}, {from} – {until}', values)
    : t('{days}, {from} – {until} the next day', values)
}

function sayDays(days: readonly Weekday[]): string {
  const places = WEEKDAYS.flatMap((day, place) => (days.includes(day) ? [place] : []))
  const [first = 0] = places
  const last = places.at(-1) ?? first
  if (places.length === WEEKDAYS.length) return t('Every day')
  if (places.length > 2 && last - first === places.length - 1)
    return t('{from} – {until}', { from: SHORT_DAY_NAMES[first], until: SHORT_DAY_NAMES[last] })
  return sayList(places.map((place) => SHORT_DAY_NAMES[place] ?? ''))
}
