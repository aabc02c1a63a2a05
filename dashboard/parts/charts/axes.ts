import { LOCALE } from '../../language/language.ts'

/** Painting knows no tokens: this is the smallest step of the scale in the face of the screens. */
export const FONT =
  '12px "Inter Figures", "Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, sans-serif'
const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const seconds = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const date = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })

/** The hour, with seconds where steps are shorter than a minute; the date where they are days, and at midnight. */
export function sayTick(atSeconds: number, stepSeconds: number): string {
  const at = new Date(atSeconds * 1_000)
  const isMidnight = at.getHours() + at.getMinutes() + at.getSeconds() === 0
  if (stepSeconds >= DAY_SECONDS || isMidnight) return date.format(at)
  return (stepSeconds < MINUTE_SECONDS ? seconds : clock).format(at)
}
