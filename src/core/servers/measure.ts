import { ByteReader, ByteWriter } from '../bytes.ts'
import type { Counters, Machine, MachineReport } from './machine-report.ts'
import {
  MAX_DISKS,
  MAX_FILE_SYSTEMS,
  MAX_INTERFACES,
  type Part,
  partName,
  readSeriesKey,
  type Sample,
  SERIES,
  type SeriesName,
  seriesKey,
  type Unit,
} from './series.ts'

const COUNTERS_FORMAT = 1
const PER_SECOND = 1_000

/**
 * Counters that grow from the start of the machine on: differences of them are rates. Each is kept as a whole number, by this
 * factor. The order is that of stored counters: add at the end.
 */
const SCALES = {
  cpu_user_seconds: PER_SECOND,
  cpu_system_seconds: PER_SECOND,
  cpu_idle_seconds: PER_SECOND,
  cpu_iowait_seconds: PER_SECOND,
  cpu_steal_seconds: PER_SECOND,
  pressure_cpu_seconds: PER_SECOND,
  pressure_memory_seconds: PER_SECOND,
  pressure_io_seconds: PER_SECOND,
  disk_read_bytes: 1,
  disk_written_bytes: 1,
  disk_busy_seconds: PER_SECOND,
  interface_received_bytes: 1,
  interface_sent_bytes: 1,
  interface_errors: 1,
} as const
export type CounterName = keyof typeof SCALES

/** The mean of two readings that are further apart says nothing about the minute that it would stand for. */
export const MAX_RATE_SECONDS = 900
/** Two readings of one clock are not taken at exactly the time that they give: a percentage may come out a bit above. */
const MAX_PERCENT_READ = 110

/** Parts of one round of a standard input come within this time of each other, by the machine's clock. */
const ROUND_SECONDS = 30

/** The use of the difference of a counter. `cpu`: a share of the sum of all of these. */
type Rate = { to: SeriesName | 'cpu'; factor: number; of: Part | null }

const pressure = { factor: 100, of: null }
const disk = { factor: 1, of: 'disk' } as const
const traffic = { factor: 1, of: 'interface' } as const
const cpu = { to: 'cpu', factor: 1, of: null } as const

const RATES: Record<CounterName, Rate> = {
  cpu_user_seconds: cpu,
  cpu_system_seconds: cpu,
  cpu_idle_seconds: cpu,
  cpu_iowait_seconds: cpu,
  cpu_steal_seconds: cpu,
  pressure_cpu_seconds: { to: 'pressure_cpu_percent', ...pressure },
  pressure_memory_seconds: { to: 'pressure_memory_percent', ...pressure },
  pressure_io_seconds: { to: 'pressure_io_percent', ...pressure },
  disk_read_bytes: { to: 'disk_read_bytes', ...disk },
  disk_written_bytes: { to: 'disk_written_bytes', ...disk },
  disk_busy_seconds: { to: 'disk_busy_percent', factor: 100, of: 'disk' },
  interface_received_bytes: { to: 'interface_received_bytes', ...traffic },
  interface_sent_bytes: { to: 'interface_sent_bytes', ...traffic },
  interface_errors: { to: 'interface_errors', ...traffic },
}

/**
 * The figures that a report is kept as, and the counters that the next one is compared with. A reset, a wrap, a restart
 * and a long silence are gaps: no rate. `receivedAt`: our clock, which the machine's is compared with.
 */
export function measure(
  report: MachineReport,
  before: Counters | null,
  receivedAt: Date,
): { sample: Sample; counters: Counters } {
  const counters = known(report.counters)
  const comparable = before !== null && isSameRun(counters, before) ? before : null
  const sample: Sample = { ...report.gauges }
  if (report.takenAt !== null) {
    sample.clock_skew_seconds = (report.takenAt.getTime() - receivedAt.getTime()) / 1000
  }
  if (comparable !== null) Object.assign(sample, cpuShares(counters, comparable), rates(counters, comparable))
  return { sample: possible(sample), counters: comparable ? withOlder(counters, comparable) : counters }
}

/** The facts of a machine, with those that this part of a report did not have as they were told before. */
export function withFactsBefore(now: Machine, before: Machine | null): Machine {
  if (before === null || before.source !== now.source) return now
  const facts = Object.entries(now).map(([fact, value]) => [fact, value ?? before[fact as keyof Machine]])
  return Object.fromEntries(facts) as Machine
}

/** Figures that a standard input sent in another part of the same round hold as well. */
export function withPartsBefore(
  sample: Sample,
  latest: Sample | null,
  before: Counters | null,
  now: Counters,
): Sample {
  const isOfRound = before?.clock === 'wall' && now.clock === 'wall' && now.at - before.at < ROUND_SECONDS
  return latest && isOfRound ? { ...latest, ...sample } : sample
}

/** Neither restarted nor read by another clock in between. A clock set back by a little is a reading that came late. */
function isSameRun(now: Counters, before: Counters): boolean {
  if (now.clock !== before.clock) return false
  if (now.bootId !== null && before.bootId !== null && now.bootId !== before.bootId) return false
  return now.clock === 'uptime' ? now.at >= before.at : before.at - now.at <= MAX_RATE_SECONDS
}

function timeOf(counters: Counters, key: string): number {
  return counters.times?.[key] ?? counters.at
}

/** Null for a gap. */
function change(key: string, now: Counters, before: Counters): { by: number; seconds: number } | null {
  const [value, old] = [now.values[key], before.values[key]]
  const seconds = timeOf(now, key) - timeOf(before, key)
  if (value === undefined || old === undefined || !(seconds > 0 && seconds <= MAX_RATE_SECONDS)) return null
  return { by: value - old, seconds }
}

function rates(now: Counters, before: Counters): Sample {
  const entries = Object.keys(now.values).flatMap((key): [string, number][] => {
    const { name, part } = readCounterKey(key)
    const { to, factor } = RATES[name]
    const found = change(key, now, before)
    if (to === 'cpu' || found === null || found.by < 0) return []
    const rate = (factor * found.by) / found.seconds
    return [[seriesKey(to, part), SERIES[to].unit === 'percent' ? toPercent(rate) : rate]]
  })
  return Object.fromEntries(entries)
}

/** Beyond what imprecise times explain it stays above 100, and so is dropped as impossible. */
function toPercent(value: number): number {
  return value <= MAX_PERCENT_READ ? Math.min(value, 100) : value
}

/** Waiting is no work, and time that was stolen is none that was free. */
function cpuShares(now: Counters, before: Counters): Sample {
  const changes = ['user', 'system', 'idle', 'iowait', 'steal'].map(
    (mode) => change(`cpu_${mode}_seconds`, now, before)?.by,
  )
  const [user, system, idle] = changes
  if (user === undefined || system === undefined || idle === undefined) return {}
  const [, , , iowait, steal] = changes
  // The kernel says of idle and waiting that they may go back a little, and of others not.
  if (user < 0 || system < 0 || (steal ?? 0) < 0 || idle < -1 || (iowait ?? 0) < -1) return {}
  const [rest, waiting] = [Math.max(idle, 0), Math.max(iowait ?? 0, 0)]
  const busy = user + system + (steal ?? 0)
  const all = busy + rest + waiting
  if (all <= 0) return {}
  const share = (seconds: number) => (100 * seconds) / all
  return {
    cpu_percent: share(busy),
    cpu_user_percent: share(user),
    cpu_system_percent: share(system),
    ...(iowait === undefined ? {} : { cpu_iowait_percent: share(waiting) }),
    ...(steal === undefined ? {} : { cpu_steal_percent: share(steal) }),
  }
}

/** Keeps counters as they were that are not in this report, or are older in it: it may have been a part of one. */
function withOlder(now: Counters, before: Counters): Counters {
  const older = Object.keys(before.values).filter((key) => {
    const age = now.at - timeOf(before, key)
    return age <= MAX_RATE_SECONDS && !(key in now.values && timeOf(now, key) >= timeOf(before, key))
  })
  const at = Math.max(now.at, before.at)
  const values = { ...now.values }
  const times: Record<string, number> = {}
  for (const key of older) values[key] = before.values[key] as number
  for (const key of Object.keys(values)) {
    const time = older.includes(key) ? timeOf(before, key) : timeOf(now, key)
    if (time !== at) times[key] = time
  }
  return known({ ...now, bootId: now.bootId ?? before.bootId, at, values, times })
}

/** Those that are known and can be true, of as many parts as are kept. */
function known(counters: Counters): Counters {
  const isKept = partsInBounds()
  const keys = Object.keys(counters.values).filter((key) => {
    const { name, part } = readCounterKey(key)
    if (!Object.hasOwn(RATES, name)) return false
    const value = counters.values[key] as number
    if (!(Number.isFinite(value) && value >= 0 && Number.isFinite(timeOf(counters, key)))) return false
    const { of } = RATES[name]
    return of === null ? part === undefined : part !== undefined && isKept(of, part)
  })
  const only = (record: Record<string, number>) =>
    Object.fromEntries(keys.flatMap((key) => (key in record ? [[key, record[key] as number]] : [])))
  const times = only(counters.times ?? {})
  const { times: _, ...rest } = counters
  const kept = { ...rest, values: only(counters.values) }
  return Object.keys(times).length === 0 ? kept : { ...kept, times }
}

/** The name is only what stands there: it may be of no counter. */
function readCounterKey(key: string): { name: CounterName; part: string | undefined } {
  const colon = key.indexOf(':')
  if (colon < 0) return { name: key as CounterName, part: undefined }
  return { name: key.slice(0, colon) as CounterName, part: key.slice(colon + 1) }
}

/** Beyond these a figure is a fault of what told it, such as the 17,179,869,183 GB of a container. */
const RANGES: Record<Unit, [min: number, max: number]> = {
  percent: [0, 100],
  bytes: [0, 2 ** 60],
  bytes_per_second: [0, 1e12],
  per_second: [0, 1e9],
  seconds: [-1e10, 1e10],
  count: [0, 1e9],
  celsius: [-100, 250],
}

const MAX_PARTS: Record<Part, number> = {
  file_system: MAX_FILE_SYSTEMS,
  disk: MAX_DISKS,
  interface: MAX_INTERFACES,
}

/** A function that says whether a part has a name as it is kept, and is among the first ones of its kind that it was asked about. */
function partsInBounds(): (of: Part, part: string) => boolean {
  const seen: Record<Part, Set<string>> = { file_system: new Set(), disk: new Set(), interface: new Set() }
  return (of, part) => {
    if (partName(part) !== part) return false
    if (seen[of].has(part)) return true
    if (seen[of].size >= MAX_PARTS[of]) return false
    seen[of].add(part)
    return true
  }
}

/** The known figures of a sample that can be true, of as many parts as are kept: the first ones. */
function possible(sample: Sample): Sample {
  const isKept = partsInBounds()
  const entries = Object.entries(sample).filter(([key, value]) => {
    const known = readSeriesKey(key)
    if (known === null || !Number.isFinite(value)) return false
    const { unit, of } = SERIES[known.name]
    const [min, max] = RANGES[unit]
    if (value < min || value > max || (known.name === 'uptime_seconds' && value < 0)) return false
    return of === null || isKept(of, known.part ?? '')
  })
  return withoutContradictions(Object.fromEntries(entries))
}

/** No more of something is free or used than there is of it. */
function withoutContradictions(sample: Sample): Sample {
  const { memory_total_bytes: memory, swap_total_bytes: swap } = sample
  if (memory === 0) delete sample.memory_total_bytes
  if (isAbove(sample.memory_available_bytes, memory)) delete sample.memory_available_bytes
  if (isAbove(sample.swap_used_bytes, swap)) delete sample.swap_used_bytes
  return sample
}

function isAbove(value: number | undefined, bound: number | undefined): boolean {
  return value !== undefined && bound !== undefined && value > bound
}

const NAMES = Object.keys(SCALES) as CounterName[]
const NUMBERS = new Map<string, number>(NAMES.map((name, number) => [name, number]))

/**
 * Counters in a few bytes each, as each report replaces those of the one before. Seconds are kept to the millisecond;
 * what is no known counter, or cannot be kept exactly, is left out.
 */
export function packCounters({ bootId, at, clock, values, times }: Counters): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(COUNTERS_FORMAT)
  writer.byte(clock === 'uptime' ? 1 : 0)
  writer.text(bootId ?? '')
  writer.signed(toMs(at))
  for (const [key, value] of Object.entries(values)) {
    const colon = key.indexOf(':')
    const number = NUMBERS.get(colon < 0 ? key : key.slice(0, colon))
    const name = NAMES[number ?? -1]
    const kept = name && Math.round(value * SCALES[name])
    const ageMs = toMs(at) - toMs(times?.[key] ?? at)
    if (number === undefined || kept === undefined) continue
    if (!(Number.isSafeInteger(kept) && kept >= 0 && Math.abs(ageMs) < 2 ** 51)) continue
    writer.unsigned(number)
    writer.text(colon < 0 ? '' : key.slice(colon + 1))
    writer.unsigned(kept)
    writer.signed(ageMs)
  }
  return writer.finish()
}

/** Throws on bytes in another format. */
export function unpackCounters(bytes: Uint8Array): Counters {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== COUNTERS_FORMAT) throw new Error('counters of a server in an unknown format')
  const clock = reader.byte() === 1 ? 'uptime' : 'wall'
  const bootId = reader.text() || null
  const atMs = reader.signed()
  const values: Record<string, number> = {}
  const times: Record<string, number> = {}
  while (!reader.done) {
    const name = NAMES[reader.unsigned()]
    const part = reader.text()
    const kept = reader.unsigned()
    const ageMs = reader.signed()
    // Counted since a newer release.
    if (!name) continue
    const key = part === '' ? name : `${name}:${part}`
    values[key] = kept / SCALES[name]
    if (ageMs !== 0) times[key] = (atMs - ageMs) / 1_000
  }
  const counters: Counters = { bootId, at: atMs / 1_000, clock, values }
  return Object.keys(times).length > 0 ? { ...counters, times } : counters
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1_000)
}
