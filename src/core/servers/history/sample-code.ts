import { ByteReader, ByteWriter } from '../../bytes.ts'
import { readSeriesKey, type Sample, SERIES, type SeriesName, seriesKey } from '../series.ts'

const FORMAT = 1
const NAMES = Object.keys(SERIES) as SeriesName[]
const NUMBERS = new Map(NAMES.map((name, number) => [name, number]))
/** Differences of two such numbers, with their sign as a bit, are still exact. */
const MAX_STEPS = 2 ** 50
/** Rates of bytes go over many orders of magnitude: eight significant bits are exact to 0.4 percent, and few bytes. */
const SIGNIFICANT = 2 ** 8

/** The whole number that a value is kept as, in steps of its series; null for a value that cannot be kept. */
export function toCode(name: SeriesName, value: number): number | null {
  const { step, unit } = SERIES[name]
  const steps = Math.round(step < 1 ? value * perUnit(step) : value / step)
  if (!(Math.abs(steps) <= MAX_STEPS)) return null
  if (steps === 0) return 0
  if (unit !== 'bytes_per_second') return steps
  return steps < 0 ? -significant(-steps) : significant(steps)
}

/** The value that a code stands for, as the nearest decimal: 0.3, and not 0.30000000000000004. */
export function ofCode(name: SeriesName, code: number): number {
  const { step, unit } = SERIES[name]
  const steps = unit !== 'bytes_per_second' ? code : code < 0 ? -magnitude(-code) : magnitude(code)
  return step < 1 ? steps / perUnit(step) : steps * step
}

/** The number of a series in what is stored. */
export function seriesNumber(name: SeriesName): number {
  return NUMBERS.get(name) as number
}

/** The series with a number; null for one that a newer release began to keep. */
export function numberedSeries(number: number): SeriesName | null {
  return NAMES[number] ?? null
}

/**
 * A sample in a few bytes per value: the figures of the machine, then those of each of its parts behind its name. Keys
 * of no known series and values that cannot be kept are left out.
 */
export function packSample(sample: Sample): Uint8Array {
  const machine: [SeriesName, number][] = []
  const parts = new Map<string, [SeriesName, number][]>()
  for (const [key, value] of Object.entries(sample)) {
    const read = readSeriesKey(key)
    const code = read && toCode(read.name, value)
    if (!read || code === null) continue
    const values = read.part === null ? machine : (parts.get(read.part) ?? [])
    values.push([read.name, code])
    if (read.part !== null) parts.set(read.part, values)
  }
  const writer = new ByteWriter()
  writer.byte(FORMAT)
  writeValues(writer, machine)
  writer.unsigned(parts.size)
  for (const [part, values] of parts) {
    writer.text(part)
    writeValues(writer, values)
  }
  return writer.finish()
}

/** Values of unknown series are skipped. Throws on bytes in another format. */
export function unpackSample(bytes: Uint8Array): Sample {
  const sample: Sample = {}
  readSample(bytes, (name, part, code) => {
    sample[seriesKey(name, part ?? undefined)] = ofCode(name, code)
  })
  return sample
}

/** The codes of a packed sample, one by one. */
export function readSample(
  bytes: Uint8Array,
  take: (name: SeriesName, part: string | null, code: number) => void,
): void {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== FORMAT) throw new Error('a sample of a server in an unknown format')
  readValues(null)
  for (let left = reader.unsigned(); left > 0; left--) readValues(reader.text())

  function readValues(part: string | null): void {
    for (let left = reader.unsigned(); left > 0; left--) {
      const name = numberedSeries(reader.unsigned())
      const code = reader.signed()
      if (name) take(name, part, code)
    }
  }
}

function writeValues(writer: ByteWriter, values: readonly [SeriesName, number][]): void {
  writer.unsigned(values.length)
  for (const [name, code] of values) {
    writer.unsigned(seriesNumber(name))
    writer.signed(code)
  }
}

/** In order like the numbers themselves: as they are up to `SIGNIFICANT`, then that half as many for each doubling. */
function significant(number: number): number {
  if (number < SIGNIFICANT) return number
  const doublings = Math.floor(Math.log2(number / SIGNIFICANT)) + 1
  return (doublings * SIGNIFICANT) / 2 + Math.round(number / 2 ** doublings)
}

function magnitude(code: number): number {
  if (code < SIGNIFICANT) return code
  const doublings = Math.floor((2 * code) / SIGNIFICANT) - 1
  return (code - (doublings * SIGNIFICANT) / 2) * 2 ** doublings
}

function perUnit(step: number): number {
  return Math.round(1 / step)
}
