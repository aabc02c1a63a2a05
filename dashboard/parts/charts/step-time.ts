import { LOCALE } from '../../language/language.ts'

const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' })
const minute = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const DAY_SECONDS = 86_400

/** When a step of a chart begins, no more exact than the step is long. */
export function sayStepTime(begin: Date, stepSeconds: number): string {
  return (stepSeconds >= DAY_SECONDS ? day : minute).format(begin)
}
