import { ByteReader, ByteWriter } from '../../bytes.ts'
import { numberedSeries, seriesNumber } from './sample-code.ts'
import type { SampleColumn, SampleColumns } from './sample-columns.ts'

const FORMAT = 1
const PLAIN = 0
const DELTA = 1

/**
 * Encodes samples of one server into bytes that compress well: series by series, as differences from the value before or
 * from the least one, whichever says less, and of all values first the lowest byte, then the next. Nothing is lost.
 */
export function encodeSamples({ times, columns }: SampleColumns): Uint8Array {
  const writer = new ByteWriter(times.length * columns.length * 2 + 256)
  writer.byte(FORMAT)
  writer.unsigned(times.length)
  writeNumbers(writer, times)
  const parts = [...new Set(columns.map(({ part }) => part))].filter((part) => part !== null)
  writer.unsigned(parts.length)
  for (const part of parts) writer.text(part)
  writer.unsigned(columns.length)
  for (const { name, part, codes } of columns) {
    writer.unsigned(seriesNumber(name))
    writer.unsigned(part === null ? 0 : parts.indexOf(part) + 1)
    writePresence(writer, codes)
    writeNumbers(
      writer,
      codes.filter((code) => !Number.isNaN(code)),
    )
  }
  return writer.finish()
}

/** Series of a newer release are skipped. Throws on bytes in another format. */
export function decodeSamples(bytes: Uint8Array): SampleColumns {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== FORMAT) throw new Error('a chunk of samples in an unknown format')
  const count = reader.unsigned()
  const times = [...readNumbers(reader, count)]
  const parts: (string | null)[] = [null]
  for (let left = reader.unsigned(); left > 0; left--) parts.push(reader.text())
  const columns: SampleColumn[] = []
  for (let left = reader.unsigned(); left > 0; left--) {
    const name = numberedSeries(reader.unsigned())
    const part = parts[reader.unsigned()] ?? null
    const codes = new Float64Array(count).fill(Number.NaN)
    const present = readPresence(reader, count)
    const numbers = readNumbers(reader, present.length)
    for (const [index, row] of present.entries()) codes[row] = numbers[index] as number
    if (name) columns.push({ name, part, codes })
  }
  return { times, columns }
}

/** Lengths of runs: present, absent, present, … */
function writePresence(writer: ByteWriter, codes: Float64Array): void {
  let isPresent = true
  let length = 0
  for (const code of codes) {
    if (Number.isNaN(code) === isPresent) {
      writer.unsigned(length)
      length = 0
      isPresent = !isPresent
    }
    length++
  }
  writer.unsigned(length)
}

function readPresence(reader: ByteReader, count: number): number[] {
  const present: number[] = []
  let isPresent = true
  for (let row = 0; ; isPresent = !isPresent) {
    const end = row + reader.unsigned()
    if (end > count) throw new Error('a chunk of samples with more values than times')
    for (; row < end; row++) if (isPresent) present.push(row)
    if (row === count) return present
  }
}

function writeNumbers(writer: ByteWriter, numbers: ArrayLike<number>): void {
  if (numbers.length === 0) return
  const first = numbers[0] as number
  let least = first
  for (let index = 1; index < numbers.length; index++) least = Math.min(least, numbers[index] as number)
  const delta = new Float64Array(numbers.length)
  const plain = new Float64Array(numbers.length)
  for (let index = 0, before = first; index < numbers.length; index++) {
    const number = numbers[index] as number
    const step = number - before
    delta[index] = step < 0 ? -2 * step - 1 : 2 * step
    plain[index] = number - least
    before = number
  }
  const asDelta = planes(delta)
  const asPlain = planes(plain)
  const isDelta = bitsSaid(asDelta, numbers.length) <= bitsSaid(asPlain, numbers.length)
  writer.byte(isDelta ? DELTA : PLAIN)
  writer.signed(isDelta ? first : least)
  writer.block(isDelta ? asDelta : asPlain)
}

function readNumbers(reader: ByteReader, count: number): Float64Array {
  const numbers = new Float64Array(count)
  if (count === 0) return numbers
  const isDelta = reader.byte() === DELTA
  let base = reader.signed()
  const bytes = reader.block()
  for (let at = 0, unit = 1; at < bytes.length; at += count, unit *= 256) {
    for (let index = 0; index < count; index++) {
      numbers[index] = (numbers[index] as number) + (bytes[at + index] as number) * unit
    }
  }
  for (let index = 0; index < count; index++) {
    const number = numbers[index] as number
    if (!isDelta) numbers[index] = base + number
    else {
      base += number % 2 === 1 ? -(number + 1) / 2 : number / 2
      numbers[index] = base
    }
  }
  return numbers
}

/** The lowest byte of each number, then the next of each, up to the highest that is not 0 everywhere. */
function planes(numbers: Float64Array): Uint8Array {
  let most = 0
  for (const number of numbers) if (number > most) most = number
  let count = 0
  for (let unit = 1; unit <= most; unit *= 256) count++
  const bytes = new Uint8Array(count * numbers.length)
  for (let plane = 0, unit = 1; plane < count; plane++, unit *= 256) {
    for (let index = 0; index < numbers.length; index++) {
      bytes[plane * numbers.length + index] = Math.floor((numbers[index] as number) / unit) % 256
    }
  }
  return bytes
}

/** About as many as they compress to: the entropy of each plane. */
function bitsSaid(bytes: Uint8Array, ofPlane: number): number {
  let bits = 0
  for (let at = 0; at < bytes.length; at += ofPlane) {
    const counts = new Uint32Array(256)
    for (let index = at; index < at + ofPlane; index++) {
      const byte = bytes[index] as number
      counts[byte] = (counts[byte] as number) + 1
    }
    for (const count of counts) if (count > 0) bits -= count * Math.log2(count / ofPlane)
  }
  return bits
}
