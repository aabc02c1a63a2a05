import { LOCALE } from '../../language/language.ts'

/** Painting knows no tokens: this is the smallest step of the scale in the face of the screens. */
export const FONT = '12px "Inter Variable", "Inter Fallback", ui-sans-serif, system-ui, sans-serif'
const DAY_SECONDS = 86_400

const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' })
const date = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })

/** The hour, or the date where steps are days long; midnight shows the day that begins. */
export function sayTick(atSeconds: number, stepSeconds: number): string {
  const at = new Date(atSeconds * 1_000)
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0
  return stepSeconds >= DAY_SECONDS || isMidnight ? date.format(at) : clock.format(at)
}
