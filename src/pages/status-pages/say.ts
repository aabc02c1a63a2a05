import { unitsOf } from '../../core/duration.ts'
import { percentOf } from '../../core/percent.ts'
import { PAGE_LOCALES } from '../../core/status-pages/page-language.ts'
import type { PageLanguage } from '../../core/status-pages/status-page.ts'

const UPTIME_DECIMALS = 2

/** Times, durations and numbers as a language writes them. Days and times are in UTC. */
export type Saying = ReturnType<typeof createSaying>

const known = new Map<PageLanguage, Saying>()

export function sayingOf(language: PageLanguage): Saying {
  const saying = known.get(language) ?? createSaying(language)
  known.set(language, saying)
  return saying
}

function createSaying(language: PageLanguage) {
  const locale = PAGE_LOCALES[language]
  const day = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
  const days = new Intl.DateTimeFormat(locale, day)
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
  return {
    day: (at: Date) => days.format(at),
    days: (from: Date, to: Date) => days.formatRange(from, to),
    month: (at: Date) => months.format(at),
    time: (at: Date) => times.format(at),
    /** In its two largest units; at least a second, as nothing that happened lasted no time. */
    duration(ms: number): string {
      const parts = unitsOf(Math.max(1, Math.round(ms / 1_000)), 2)
      return durations.format(Object.fromEntries(parts.map(({ unit, count }) => [`${unit}s`, count])))
    },
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
