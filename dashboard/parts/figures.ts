import { formatDuration } from '../../src/core/duration.ts'
import type { UncountedTime } from '../../src/core/history/monitor-report.ts'
import { formatUptime } from '../../src/core/percent.ts'
import { sayCount } from '../language/count.ts'
import { LOCALE, t } from '../language/language.ts'
import { sayList } from '../language/list.ts'

/** The mark between the whole and the decimals of a number, as the reader writes it. */
const POINT = new Intl.NumberFormat(LOCALE).formatToParts(0.5).find(({ type }) => type === 'decimal')

/** An uptime of 0 to 1; null if no time was judged. */
export function sayShare(share: number | null): string {
  return share === null ? '–' : formatUptime(share).replace('.', POINT?.value ?? '.')
}

/** Less is what a restart of ours leaves behind, and not worth a line. */
const MIN_UNKNOWN_SECONDS = 60

/** Time that an uptime leaves out: `1 h 20 min of maintenance not counted`. Null if there is none worth a word. */
export function sayUncounted({ maintenance_seconds, unknown_seconds }: UncountedTime): string | null {
  const parts = [
    ...(maintenance_seconds > 0
      ? [t('{duration} of maintenance', { duration: formatDuration(maintenance_seconds) })]
      : []),
    ...(unknown_seconds >= MIN_UNKNOWN_SECONDS
      ? [t('{duration} of unknown time', { duration: formatDuration(unknown_seconds) })]
      : []),
  ]
  return parts.length > 0 ? t('{times} not counted', { times: sayList(parts) }) : null
}

/** One decimal where a millisecond more or less is a large part of it. */
const smallMs = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })
const tenths = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export function sayMs(ms: number | null): string {
  if (ms === null) return '–'
  // From here on it rounds to 10.
  if (ms < 9.95) return `${smallMs.format(ms)} ms`
  return ms < 10_000 ? `${sayCount(Math.round(ms))} ms` : `${tenths.format(ms / 1_000)} s`
}

/** Formats an interval: 30 s, 5 min, 2 h. */
export function sayInterval(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  if (seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}
