import { LOCALE } from '../../language/language.ts'

const dayTime = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** `Mon, 4 Jan, 09:00 – Mon, 11 Jan, 09:00`, in the reader's zone and language; one day is said once. */
export function saySpan(startsAt: string, endsAt: string): string {
  return dayTime.formatRange(new Date(startsAt), new Date(endsAt))
}

/** `Mon, 11 Jan, 09:00`. */
export function sayDayTime(at: string): string {
  return dayTime.format(new Date(at))
}
