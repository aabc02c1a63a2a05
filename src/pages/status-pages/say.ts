import { putLast } from '../../core/bounded-map.ts'
import { unitsOf } from '../../core/duration.ts'
import { PAGE_LANGUAGES, type PageLanguage } from '../../core/language/page-languages.ts'
import { percentOf } from '../../core/percent.ts'

const UPTIME_DECIMALS = 2
/** Formatting is most of the time that a page takes, and its components have the same days and like durations. */
const MAX_REMEMBERED = 5_000

/** Times, durations and numbers as a language writes them. Days and times are in UTC. */
export type Saying = ReturnType<typeof createSaying>

const known = new Map<PageLanguage, Saying>()

export function sayingOf(language: PageLanguage): Saying {
  const saying = known.get(language) ?? createSaying(language)
  known.set(language, saying)
  return saying
}

function createSaying(language: PageLanguage) {
  const locale = PAGE_LANGUAGES[language].locale
  const day = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
  const days = new Intl.DateTimeFormat(locale, day)
  const shortDays = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const months = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const times = new Intl.DateTimeFormat(locale, {
    ...day,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  const durations = new Intl.DurationFormat(locale, { style: 'short' })
  const percents = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: UPTIME_DECIMALS,
    maximumFractionDigits: UPTIME_DECIMALS,
  })
  const whole = new Intl.NumberFormat(locale, { style: 'percent' })
  const milliseconds = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' })
  const lists = new Intl.ListFormat(locale)
  const range = remembering((from: number, to: number) => days.formatRange(from, to))
  const duration = remembering((seconds: number) => {
    const parts = unitsOf(seconds, 2)
    return durations.format(Object.fromEntries(parts.map(({ unit, count }) => [`${unit}s`, count])))
  })
  return {
    day: (at: Date) => days.format(at),
    /** It leaves out the year. */
    shortDay: (at: Date) => shortDays.format(at),
    days: (from: Date, to: Date) => range(from.getTime(), to.getTime()),
    month: (at: Date) => months.format(at),
    time: (at: Date) => times.format(at),
    /** In its two largest units; at least a second, as nothing that happened lasted no time. */
    duration: (ms: number) => duration(Math.max(1, Math.round(ms / 1_000))),
    percent(share: number): string {
      const percent = percentOf(share, UPTIME_DECIMALS)
      return percent === 100 ? whole.format(1) : percents.format(percent / 100)
    },
    milliseconds: (ms: number) => milliseconds.format(Math.round(ms)),
    /** The parts of a list of so many: places, and what stands between them. */
    listOf(count: number): (number | string)[] {
      const places = Array.from({ length: count }, (_, place) => String(place))
      return lists
        .formatToParts(places)
        .map(({ type, value }) => (type === 'element' ? Number(value) : value))
    },
  }
}

function remembering<A extends number[]>(format: (...given: A) => string): (...given: A) => string {
  const known = new Map<string, string>()
  return (...given) => {
    const key = given.join()
    const text = known.get(key) ?? format(...given)
    putLast(known, key, text, MAX_REMEMBERED)
    return text
  }
}
