import type { SeriesName } from '../series.ts'
import { readSample, seriesNumber } from './sample-code.ts'

/** A sample as it is stored. */
export type PackedSample = { at: Date; content: Uint8Array }

/** Codes of one series at the times of its columns; NaN where it was not reported. */
export type SampleColumn = { name: SeriesName; part: string | null; codes: Float64Array }

/** Samples of one server, in order: times in whole seconds since 1970. Sorted by series and part. */
export type SampleColumns = { times: number[]; columns: SampleColumn[] }

/**
 * Samples closer to the one before than this are one: some inputs send the figures of a minute in several requests, others
 * every few seconds. Less than a minute, so that reports a minute apart stay apart whatever delays them.
 */
const APART_MS = 50_000
/** The bound of one server and day, or of one answer: where parts come and go all day, later ones are left out. */
export const MAX_COLUMNS = 400

/** Samples in the order of their times. Of several figures of one series in a minute, the last counts. */
export function columnsOf(samples: readonly PackedSample[]): SampleColumns {
  const times: number[] = []
  const row = new Int32Array(samples.length)
  for (let index = 0, beganMs = Number.NEGATIVE_INFINITY; index < samples.length; index++) {
    const ms = (samples[index] as PackedSample).at.getTime()
    if (ms - beganMs >= APART_MS) {
      beganMs = ms
      times.push(Math.floor(ms / 1_000))
    }
    row[index] = times.length - 1
  }
  const columns = new ColumnsByKey((name, part) => {
    return { name, part, codes: new Float64Array(times.length).fill(Number.NaN) }
  })
  for (const [index, { content }] of samples.entries()) {
    const at = row[index] as number
    readSample(content, (name, part, code) => {
      const column = columns.of(name, part)
      if (column) column.codes[at] = code
    })
  }
  return { times, columns: columns.sorted() }
}

/** One of each series and part, up to MAX_COLUMNS. */
export class ColumnsByKey<T extends { name: SeriesName; part: string | null }> {
  #columns = new Map<string | null, T[]>()
  #count = 0
  #begin: (name: SeriesName, part: string | null) => T

  constructor(begin: (name: SeriesName, part: string | null) => T) {
    this.#begin = begin
  }

  of(name: SeriesName, part: string | null): T | undefined {
    let ofPart = this.#columns.get(part)
    const number = seriesNumber(name)
    const known = ofPart?.[number]
    if (known || this.#count === MAX_COLUMNS) return known
    if (!ofPart) {
      ofPart = []
      this.#columns.set(part, ofPart)
    }
    this.#count++
    const column = this.#begin(name, part)
    ofPart[number] = column
    return column
  }

  sorted(): T[] {
    const all = [...this.#columns.values()].flatMap((columns) => columns.filter(Boolean))
    return all.sort(
      (a, b) => seriesNumber(a.name) - seriesNumber(b.name) || ((a.part ?? '') < (b.part ?? '') ? -1 : 1),
    )
  }
}
