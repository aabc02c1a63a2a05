import { durationInWords } from '../duration.ts'
import { cutCause } from '../monitors/cause.ts'
import { percentOf } from '../percent.ts'
import type { Reading } from './condition.ts'
import type { Hosted } from './hosted.ts'
import { sayContainer, sayRestarts, sayUnit } from './hosted-readings.ts'
import { type Sample, seriesKey } from './series.ts'

/*
 * One sentence each: why a condition of a server begins, and how it ends. They are stable, because people read them and
 * scripts match them.
 */

const MAX_UNITS_NAMED = 5
const BYTE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const
const HOUR = 3_600
const DAY = 24 * HOUR

export const THRESHOLD_CHANGED = 'the threshold was changed'
export const THRESHOLD_SWITCHED_OFF = 'the threshold was switched off'

/** Everything of a report that a sentence may need beside the value. */
export type Reported = { sample: Sample; cpus: number | null; failedUnits: string[]; hosted: Hosted | null }

/** The value in a sentence: the cause when a condition begins, and what ended it. */
export function reading(
  { kind, part, value }: Reading,
  { sample, cpus, failedUnits, hosted }: Reported,
): string {
  switch (kind) {
    case 'disk_space':
      return cutCause(`${part} is ${percent(value)} full${ofBytes(value, sizeOf(sample, part))}`)
    case 'disk_full_soon':
      return cutCause(untilFull(String(part), value))
    case 'inodes':
      return cutCause(`${part} uses ${percent(value)} of its inodes`)
    case 'memory':
      return `${percent(value)} of memory available${ofBytes(value, sample.memory_total_bytes)}`
    case 'cpu':
      return `CPU is ${percent(value)} busy`
    case 'load':
      return `load is ${decimal(value)} per CPU${cpus === null ? '' : ` (${decimal(value * cpus)} on ${cpus})`}`
    case 'swap':
      return `${percent(value)} of swap used${ofBytes(value, sample.swap_total_bytes)}`
    case 'iowait':
      return `CPU waits for disks ${percent(value)} of the time`
    case 'steal':
      return `${percent(value)} of CPU time goes to other machines of the host`
    case 'failed_units':
      return failed(value, failedUnits)
    case 'clock_skew':
      return `clock is ${durationInWords(value)} ${(sample.clock_skew_seconds ?? 0) < 0 ? 'behind' : 'ahead'}`
    case 'temperature':
      return `temperature is ${decimal(value)} °C`
    case 'container':
      return sayContainer(hosted, String(part))
    case 'container_restarts':
      return sayRestarts(String(part), value)
    case 'unit':
      return sayUnit(hosted, String(part))
  }
}

export function noReport(ms: number): string {
  return `no report for ${inMinutes(ms / 1_000)}`
}

export function reportsAgain(ms: number): string {
  return `reports again after ${inMinutes(ms / 1_000)}`
}

export function notMounted(mount: string): string {
  return cutCause(`${mount} is not mounted any more`)
}

function untilFull(mount: string, hours: number): string {
  const seconds = hours * HOUR
  if (hours === 0) return `${mount} is full`
  if (!Number.isFinite(hours)) return `${mount} is not filling up any more`
  if (seconds < HOUR) return `${mount} is full in less than an hour`
  const unit = seconds < 2 * DAY ? HOUR : DAY
  return `${mount} is full in about ${durationInWords(Math.round(seconds / unit) * unit)}`
}

function failed(count: number, names: string[]): string {
  if (count === 0) return 'no unit failed'
  const named = names.slice(0, MAX_UNITS_NAMED)
  const rest = Math.max(count, names.length) - named.length
  const words = `${count} ${count === 1 ? 'unit' : 'units'} failed`
  if (named.length === 0) return words
  return cutCause(`${words}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
}

/** Seconds matter below two minutes only. */
function inMinutes(seconds: number): string {
  return durationInWords(seconds < 120 ? seconds : Math.floor(seconds / 60) * 60)
}

/** `93 %`; a decimal where it tells something: below 10, and just below 100. Cut, so that only all of it is 100 %. */
function percent(value: number): string {
  return `${percentOf(value / 100, value < 10 || value > 99 ? 1 : 0)} %`
}

/** At most one decimal, cut. */
function decimal(value: number): string {
  return String(Math.floor(value * 10 + 1e-6) / 10)
}

function sizeOf(sample: Sample, mount: string | null): number | undefined {
  return mount === null ? undefined : sample[seriesKey('file_system_size_bytes', mount)]
}

/** ` (18.6 of 20 GB)`, or nothing where the whole is not known. */
function ofBytes(share: number, whole: number | undefined): string {
  if (whole === undefined || !(whole > 0)) return ''
  const power = Math.min(Math.floor(Math.log10(whole) / 3), BYTE_UNITS.length - 1)
  const unit = 1_000 ** power
  const part = (whole * share) / 100 / unit
  return ` (${rounded(part)} of ${rounded(whole / unit)} ${BYTE_UNITS[power]})`
}

function rounded(value: number): string {
  return String(value < 1 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10)
}
