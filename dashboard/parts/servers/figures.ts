import type { Unit } from '../../../src/core/servers/series.ts'
import { LOCALE, t } from '../../language/language.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOTHING = '–'

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })
const hundredths = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `7.5 %`, `42 %`: a tenth where it says something. */
export function sayPercent(percent: number | null | undefined): string {
  if (percent === null || percent === undefined) return NOTHING
  return `${(percent < 10 ? tenths : whole).format(percent)} %`
}

/** `512 B`, `1.5 GiB`: in powers of 1,024, as `df -h` and `free -h` say it. */
export function sayBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return NOTHING
  const power = bytes < 1 ? 0 : Math.min(BINARY.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1_024 ** power
  return `${(amount < 100 && power > 0 ? tenths : whole).format(amount)} ${BINARY[power]}`
}

export function sayLoad(load: number | null | undefined): string {
  return load === null || load === undefined ? NOTHING : hundredths.format(load)
}

export function sayNumber(value: number): string {
  return tenths.format(value)
}

/** A value of a series in words. */
export function sayValue(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined) return NOTHING
  switch (unit) {
    case 'percent':
      return sayPercent(value)
    case 'bytes':
      return sayBytes(value)
    case 'bytes_per_second':
      return `${sayBytes(value)}/s`
    case 'per_second':
      return `${tenths.format(value)}/s`
    case 'seconds':
      return `${tenths.format(value)} s`
    case 'celsius':
      return `${tenths.format(value)} °C`
    case 'count':
      return sayLoad(value)
  }
}

/** When a file system is full by its trend: `full in about 3 days`. Null if that is not within sight. */
export function sayFullAt(at: string | null | undefined, nowMs: number): string | null {
  if (!at) return null
  const ms = Date.parse(at) - nowMs
  if (ms < HOUR_MS) return t('full within an hour')
  return ms < 1.5 * DAY_MS
    ? t('{count, plural, one {full in about # hour} other {full in about # hours}}', {
        count: Math.round(ms / HOUR_MS),
      })
    : t('{count, plural, one {full in about # day} other {full in about # days}}', {
        count: Math.round(ms / DAY_MS),
      })
}
