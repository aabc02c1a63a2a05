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
import {
  addCheck,
  emptyRollUp,
  latencyOf,
  mergeRollUp,
  type RollUp,
} from '../../../src/core/history/roll-up.ts'

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

test('a percentile is within the bucket of the exact one, and of what is known of the least and the largest', () => {
  fc.assert(
    fc.property(anyTimes(), fc.double({ min: 0.001, max: 1, noNaN: true }), (times, q) => {
      const [min, max] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))]
      const exact = times.toSorted((a, b) => a - b)[Math.ceil(q * times.length) - 1] as number
      const lowest = BUCKET_STARTS[bucketOf(exact) - 1] ?? 0
      const beyond = BUCKET_STARTS[bucketOf(exact)] ?? 2 ** 31
      const [unknown, known] = [null, { min, max }].map(
        (extent) => quantiles(histogramOf(times), [q], extent)[0] as number,
      )
      for (const read of [unknown, known])
        assert.ok(Number(read) >= lowest && Number(read) < beyond, `${read}`)
      assert.ok(Number(known) >= min && Number(known) <= max, `${known} of ${min} to ${max}`)
    }),
    { numRuns: 500 },
  )
})

test('of a constant series every percentile is that time, wherever the least and the largest are known', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.integer({ min: 1, max: 500 }), (ms, count) => {
      const rollUp = emptyRollUp()
      for (let n = 0; n < count; n++) addCheck(rollUp, { status: 'up', responseTimeMs: ms })
      assert.deepEqual(latencyOf(rollUp), { p50: ms, p95: ms, p99: ms, mean: ms })
    }),
  )
})

test('percentiles rise with their share, and spread over a bucket as its values do', () => {
  const times = Array.from({ length: 1_000 }, (_, index) => 50 + (index % 100))
  const known = { min: 50, max: 149 }
  const [p10 = 0, p50 = 0, p95 = 0] = quantiles(histogramOf(times), [0.1, 0.5, 0.95], known)
  for (const [read, exact] of [[p10, 59] as const, [p50, 99] as const, [p95, 144] as const])
    assert.ok(Math.abs(Number(read) - exact) <= 1, `${read} for ${exact}`)
})

test('an extent of other values, as beside a process of an older release, spoils nothing', () => {
  const times = [100, 101, 102]
  assert.deepEqual(
    quantiles(histogramOf(times), [0.5], { min: 5, max: 9 }),
    quantiles(histogramOf(times), [0.5]),
  )
})

test('the extent of merged roll-ups is that of all their times, and unknown where one is', () => {
  fc.assert(
    fc.property(fc.array(anyTimes(), { minLength: 1, maxLength: 4 }), (parts) => {
      const whole = emptyRollUp()
      for (const part of parts) mergeRollUp(whole, rollUpOf(part))
      mergeRollUp(whole, emptyRollUp())
      const all = parts.flat()
      assert.deepEqual(whole.extent, {
        min: all.reduce((a, b) => Math.min(a, b)),
        max: all.reduce((a, b) => Math.max(a, b)),
      })
      mergeRollUp(whole, { ...rollUpOf([5]), extent: null })
      assert.equal(whole.extent, null)
    }),
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

function rollUpOf(times: number[]): RollUp {
  const rollUp = emptyRollUp()
  for (const ms of times) addCheck(rollUp, { status: 'up', responseTimeMs: ms })
  return rollUp
}

function inOrder(histogram: Histogram): [number, number][] {
  return [...histogram].sort(([a], [b]) => a - b)
}
