import { plausibleDate } from './registration.ts'

/** English, and those of Spanish that differ: NIC México writes `15-abr-2027`. */
const MONTHS = [
  'jan|ene',
  'feb',
  'mar',
  'apr|abr',
  'may',
  'jun',
  'jul',
  'aug|ago',
  'sep',
  'oct',
  'nov',
  'dec|dic',
]
type Parts = [year: string | undefined, month: string | undefined, day: string | undefined]

/** How registries write a day. A time of day in UTC is taken where it is ISO 8601; of others the day counts. */
const FORMS: [RegExp, (found: RegExpExecArray) => Parts][] = [
  // 2027-01-31, 2027/01/31, 2027.01.31, 2027. 01. 31.
  [/^(\d{4})[-/.] ?(\d{1,2})[-/.] ?(\d{1,2})/, ([, year, month, day]) => [year, month, day]],
  // 2027-Jan-31
  [/^(\d{4})[-. /]([a-z]{3})[a-z]*[-. /](\d{1,2})/i, ([, year, month, day]) => [year, monthOf(month), day]],
  // 20270131, 20270131120000
  [/^(\d{4})(\d{2})(\d{2})(?:\d{6})?(?!\d)/, ([, year, month, day]) => [year, month, day]],
  // 31-Jan-2027, 31 January 2027, 31.jan.2027, 31st January, 2027
  [
    /^(\d{1,2})(?:st|nd|rd|th)?[-. /]([a-z]{3})[a-z]*[-. /,]+(\d{4})/i,
    ([, day, month, year]) => [year, monthOf(month), day],
  ],
  // January 31 2027, Jan 31, 2027
  [/^([a-z]{3})[a-z]*[ .]+(\d{1,2}),?[ ]+(\d{4})/i, ([, month, day, year]) => [year, monthOf(month), day]],
  // Sun Jan 31 12:00:00 2027
  [
    /^[a-z]{3},? ([a-z]{3}) +(\d{1,2}) [\d:]+ (?:[a-z]+ )?(\d{4})/i,
    ([, month, day, year]) => [year, monthOf(month), day],
  ],
  // 31.01.2027, 31/01/2027, 31-01-2027
  [/^(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4})/, ([, day, month, year]) => [year, month, day]],
  // 31/01/27, as in Spain
  [/^(\d{1,2})\/(\d{1,2})\/(\d{2})(?!\d)/, ([, day, month, year]) => [`20${year}`, month, day]],
]

/** Null for what is no date. A time without a zone is taken for UTC, whatever this machine keeps. */
export function readDate(
  value: string,
  /** The order in `01/02/2027`; hardly a registry puts the month first. */
  order: 'day first' | 'month first' = 'day first',
): Date | null {
  const text = value.trim().replace(/^["']/, '')
  const [, first, second, ofYear] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text) ?? []
  if (ofYear && order === 'month first') return dayOf(Number(ofYear), Number(first), Number(second))
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) {
    const [iso = ''] =
      /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/.exec(text) ?? []
    const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`
    return plausibleDate(new Date(zoned.replace(' ', 'T')))
  }
  for (const [pattern, partsOf] of FORMS) {
    const found = pattern.exec(text)
    const [year, month, day] = found ? partsOf(found) : []
    if (year && month && day) return dayOf(Number(year), Number(month), Number(day))
  }
  return null
}

/** Null for a day that the calendar does not have. */
function dayOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? plausibleDate(date) : null
}

function monthOf(name = ''): string | undefined {
  const index = MONTHS.findIndex((names) => names.split('|').includes(name.slice(0, 3).toLowerCase()))
  return index < 0 ? undefined : String(index + 1)
}
