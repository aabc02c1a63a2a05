import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addToBucket,
  BUCKET_STARTS,
  bucketOf,
  countIn,
  decodeHistogram,
  encodeHistogram,
  type Histogram,
  mergeInto,
  quantiles,
  RELATIVE_ERROR,
} from '../../../src/core/history/histogram.ts'

const anyTimes = () => fc.array(fc.oneof(fc.nat(500), fc.nat(60_000), fc.nat(2 ** 31 - 1)), { minLength: 1 })

test('every percentile is within the stated error of the exact one', () => {
  fc.assert(
    fc.property(anyTimes(), fc.double({ min: 0.001, max: 1, noNaN: true }), (times, q) => {
      const read = quantiles(histogramOf(times), [q])[0] as number
      const exact = times.toSorted((a, b) => a - b)[Math.ceil(q * times.length) - 1] as number
      assert.ok(Math.abs(read - exact) <= exact * RELATIVE_ERROR * (1 + 1e-9), `${read} for ${exact}`)
    }),
    { numRuns: 500 },
  )
})

test('response times below 10 ms are exact', () => {
  for (let ms = 0; ms < 10; ms++) assert.equal(quantiles(histogramOf([ms]), [0.5])[0], ms)
})

test('merging histograms gives the histogram of all, and bytes keep it', () => {
  fc.assert(
    fc.property(anyTimes(), anyTimes(), (some, others) => {
      const merged = histogramOf(some)
      mergeInto(merged, histogramOf(others))
      const all = histogramOf([...some, ...others])
      assert.deepEqual(inOrder(merged), inOrder(all))
      assert.deepEqual(inOrder(decodeHistogram(encodeHistogram(merged))), inOrder(all))
      assert.equal(countIn(merged), some.length + others.length)
    }),
  )
})

test('an empty histogram has no percentile and takes no bytes', () => {
  assert.deepEqual(quantiles(new Map(), [0.5, 0.99]), [null, null])
  assert.equal(encodeHistogram(new Map()).length, 0)
  assert.equal(decodeHistogram(new Uint8Array()).size, 0)
})

test('buckets rise and leave no value out', () => {
  for (const [index, start] of BUCKET_STARTS.entries()) {
    assert.equal(bucketOf(start), index + 1)
    assert.equal(bucketOf(start - 1), index)
  }
  assert.equal(bucketOf(2 ** 31 - 1), BUCKET_STARTS.length)
})

function histogramOf(times: number[]): Histogram {
  const histogram: Histogram = new Map()
  for (const ms of times) addToBucket(histogram, bucketOf(ms), 1)
  return histogram
}

function inOrder(histogram: Histogram): [number, number][] {
  return [...histogram].sort(([a], [b]) => a - b)
}
