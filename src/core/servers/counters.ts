import { ByteReader, ByteWriter } from '../bytes.ts'

const FORMAT = 1
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

/**
 * Values of counters, each with the time of its reading: `bootedSeconds` of the machine's uptime where that is known, else
 * its own clock. A key is a CounterName, with `:part` for a disk or an interface.
 */
export type Counters = {
  bootId: string | null
  /** Seconds, on whichever clock `clock` says. */
  at: number
  clock: 'uptime' | 'wall'
  values: Record<string, number>
  /** Times of those that were read at another time than `at`. */
  times?: Record<string, number>
}

const NAMES = Object.keys(SCALES) as CounterName[]
const NUMBERS = new Map<string, number>(NAMES.map((name, number) => [name, number]))

/**
 * Counters in a few bytes each, as each report replaces those of the one before. Seconds are kept to the millisecond;
 * what is no known counter, or cannot be kept exactly, is left out.
 */
export function packCounters({ bootId, at, clock, values, times }: Counters): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(FORMAT)
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
  if (reader.byte() !== FORMAT) throw new Error('counters of a server in an unknown format')
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
