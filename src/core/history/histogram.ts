import { ByteReader, ByteWriter } from '../bytes.ts'

/** The largest relative error of a percentile that is read from a histogram. */
export const RELATIVE_ERROR = 0.05

const MAX_MS = 2 ** 31 - 1

/**
 * The lowest value of each bucket from the second on; the first bucket holds 0. Buckets are narrow enough
 * that their representative is within RELATIVE_ERROR of every value; below 10 ms each value has its own.
 */
export const BUCKET_STARTS: readonly number[] = bucketStarts()

/** Counts of response times in logarithmic buckets. Merging adds the counts; a missing bucket counts 0. */
export type Histogram = Map<number, number>

/** The bucket's number, identical to SQL's width_bucket(ms, BUCKET_STARTS). */
export function bucketOf(ms: number): number {
  let low = 0
  let high = BUCKET_STARTS.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((BUCKET_STARTS[middle] as number) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

export function addToBucket(histogram: Histogram, bucket: number, count: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count)
}

export function mergeInto(histogram: Histogram, other: Histogram): void {
  for (const [bucket, count] of other) addToBucket(histogram, bucket, count)
}

export function countIn(histogram: Histogram): number {
  let sum = 0
  for (const count of histogram.values()) sum += count
  return sum
}

/**
 * For each share (above 0, up to 1), the value that this share of all values does not exceed; null for an
 * empty histogram. Not rounded.
 */
export function quantiles(histogram: Histogram, shares: number[]): (number | null)[] {
  const count = countIn(histogram)
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  return shares.map((q) => {
    let left = Math.max(1, Math.ceil(q * count))
    for (const [bucket, counted] of buckets) {
      left -= counted
      if (left <= 0) return representative(bucket)
    }
    return null
  })
}

/** A few bytes: the buckets in order, as differences, each with its count. */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  const writer = new ByteWriter(histogram.size * 2 + 1)
  let last = 0
  for (const [bucket, count] of [...histogram].sort(([a], [b]) => a - b)) {
    writer.unsigned(bucket - last)
    writer.unsigned(count)
    last = bucket
  }
  return writer.finish()
}

export function decodeHistogram(bytes: Uint8Array): Histogram {
  const histogram: Histogram = new Map()
  addEncoded(histogram, bytes)
  return histogram
}

/** Merges an encoded histogram without decoding it into a map first. */
export function addEncoded(histogram: Histogram, bytes: Uint8Array): void {
  const reader = new ByteReader(bytes)
  for (let bucket = 0; !reader.done; ) {
    bucket += reader.unsigned()
    addToBucket(histogram, bucket, reader.unsigned())
  }
}

function bucketStarts(): number[] {
  const ratio = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
  const starts: number[] = []
  for (let start = 1; start <= MAX_MS; start = Math.floor(start * ratio) + 1) starts.push(start)
  return starts
}

/** The value that has the same relative distance from the lowest and the highest value of its bucket. */
function representative(bucket: number): number {
  if (bucket === 0) return 0
  const lowest = BUCKET_STARTS[bucket - 1] as number
  const highest = (BUCKET_STARTS[bucket] ?? MAX_MS + 1) - 1
  return (2 * lowest * highest) / (lowest + highest)
}
