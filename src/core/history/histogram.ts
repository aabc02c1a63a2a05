import { ByteReader, ByteWriter } from '../bytes.ts'

const BUCKET_RATIO = (1 + 0.05) / (1 - 0.05)

/** The largest relative error of a percentile that is read from a histogram: it is in the bucket of the exact one. */
export const RELATIVE_ERROR = BUCKET_RATIO - 1

const MAX_MS = 2 ** 31 - 1

/**
 * The lowest value of each bucket from the second on; the first bucket holds 0. No value of a bucket
 * differs from another by more than RELATIVE_ERROR; below 10 ms each value has its own.
 */
export const BUCKET_STARTS: readonly number[] = bucketStarts()

/** Counts of response times in logarithmic buckets. Merging adds the counts; a missing bucket counts 0. */
export type Histogram = Map<number, number>

/** The least and the largest of some values; null where that is not known. */
export type Extent = { min: number; max: number } | null

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
 * For each share (above 0, up to 1), the value that this share of all values does not exceed; null for an empty histogram.
 * The values of a bucket are taken to be spread evenly over it, or over what `extent` leaves of it: of equal values, every
 * percentile is exact. Not rounded.
 */
export function quantiles(histogram: Histogram, shares: number[], extent: Extent = null): (number | null)[] {
  const count = countIn(histogram)
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  return shares.map((q) => {
    let rank = Math.max(1, Math.ceil(q * count))
    for (const [bucket, counted] of buckets) {
      if (rank <= counted) return withinBucket(bucket, (rank - 0.5) / counted, extent)
      rank -= counted
    }
    return null
  })
}

/** The extent of the values of both; that of an empty histogram says nothing. */
export function joinedExtent(
  one: { histogram: Histogram; extent: Extent },
  other: { histogram: Histogram; extent: Extent },
): Extent {
  if (other.histogram.size === 0) return one.extent
  if (one.histogram.size === 0) return other.extent
  if (!one.extent || !other.extent) return null
  return {
    min: Math.min(one.extent.min, other.extent.min),
    max: Math.max(one.extent.max, other.extent.max),
  }
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
  const reader = new ByteReader(bytes)
  for (let bucket = 0; !reader.done; ) {
    bucket += reader.unsigned()
    addToBucket(histogram, bucket, reader.unsigned())
  }
  return histogram
}

function bucketStarts(): number[] {
  const starts: number[] = []
  for (let start = 1; start <= MAX_MS; start = Math.floor(start * BUCKET_RATIO) + 1) starts.push(start)
  return starts
}

/** The value at a share of a bucket's width. An extent that leaves nothing of the bucket is of other values: it is ignored. */
function withinBucket(bucket: number, share: number, extent: Extent): number {
  if (bucket === 0) return 0
  const lowest = BUCKET_STARTS[bucket - 1] as number
  const highest = (BUCKET_STARTS[bucket] ?? MAX_MS + 1) - 1
  const [from, to] = [Math.max(lowest, extent?.min ?? lowest), Math.min(highest, extent?.max ?? highest)]
  return from <= to ? from + (to - from) * share : lowest + (highest - lowest) * share
}
