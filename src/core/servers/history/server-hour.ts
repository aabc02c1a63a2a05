import { ByteReader, ByteWriter } from '../../bytes.ts'
import type { SeriesName } from '../series.ts'
import { numberedSeries, ofCode, seriesNumber, toCode } from './sample-code.ts'
import type { SampleColumns } from './sample-columns.ts'

/** A series over some time: how many values it had, and their least, mean and greatest as codes. */
export type Summary = {
  name: SeriesName
  part: string | null
  count: number
  min: number
  mean: number
  max: number
}

const FORMAT = 1

/** Summaries of all series that have a value. The mean is that of the values, rounded as they are. */
export function summarize({ columns }: SampleColumns): Summary[] {
  const summaries: Summary[] = []
  for (const { name, part, codes } of columns) {
    let count = 0
    let sum = 0
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const code of codes) {
      if (Number.isNaN(code)) continue
      count++
      sum += ofCode(name, code)
      if (code < min) min = code
      if (code > max) max = code
    }
    if (count === 0) continue
    const mean = toCode(name, sum / count) ?? min
    summaries.push({ name, part, count, min, mean: Math.min(max, Math.max(min, mean)), max })
  }
  return summaries
}

/** A few bytes per series: those of the machine, then those of each part behind its name. */
export function packHour(summaries: readonly Summary[]): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(FORMAT)
  const byPart = Map.groupBy(summaries, ({ part }) => part)
  writeSummaries(writer, byPart.get(null) ?? [])
  byPart.delete(null)
  writer.unsigned(byPart.size)
  for (const [part, ofPart] of byPart) {
    writer.text(part as string)
    writeSummaries(writer, ofPart)
  }
  return writer.finish()
}

/** Series of a newer release are skipped. Throws on bytes in another format. */
export function unpackHour(bytes: Uint8Array): Summary[] {
  const reader = new ByteReader(bytes)
  if (reader.byte() !== FORMAT) throw new Error('an hour of a server in an unknown format')
  const summaries: Summary[] = []
  readSummaries(reader, null, summaries)
  for (let left = reader.unsigned(); left > 0; left--) readSummaries(reader, reader.text(), summaries)
  return summaries
}

function writeSummaries(writer: ByteWriter, summaries: readonly Summary[]): void {
  writer.unsigned(summaries.length)
  for (const { name, count, min, mean, max } of summaries) {
    writer.unsigned(seriesNumber(name))
    writer.unsigned(count)
    writer.signed(min)
    writer.unsigned(mean - min)
    writer.unsigned(max - mean)
  }
}

function readSummaries(reader: ByteReader, part: string | null, into: Summary[]): void {
  for (let left = reader.unsigned(); left > 0; left--) {
    const name = numberedSeries(reader.unsigned())
    const count = reader.unsigned()
    const min = reader.signed()
    const mean = min + reader.unsigned()
    const max = mean + reader.unsigned()
    if (name) into.push({ name, part, count, min, mean, max })
  }
}
