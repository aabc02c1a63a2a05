import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { type CheckRecord, decodeChecks, encodeChecks } from '../../../src/core/history/check-chunk.ts'
import { packTimings, unpackTimings } from '../../../src/core/monitors/phases.ts'
import type { StepTiming } from '../../../src/core/monitors/steps/step-timing.ts'
import { anyCheck, realisticDay } from '../../support/history/checks.ts'

test('checks come back from a chunk exactly as they were, in the order in which they were', () => {
  fc.assert(
    fc.property(fc.array(anyCheck(), { maxLength: 60 }), (checks) => {
      assert.deepEqual(decodeChecks(encodeChecks(checks)), checks)
    }),
    { numRuns: 300 },
  )
})

test('a realistic day, a day without a check and one with a single check come back', () => {
  const day = realisticDay(7, new Date('2027-03-28T00:00:00Z'))
  assert.equal(day.length, 1_440)
  for (const checks of [day, [], day.slice(0, 1), day.toReversed()]) {
    assert.deepEqual(decodeChecks(encodeChecks(checks)), checks)
  }
})

test('the largest and the smallest values that the database takes come back', () => {
  const [check] = realisticDay(1, new Date('2027-03-28T00:00:00Z')) as [CheckRecord]
  const phases = { dnsMs: 2 ** 31 - 1, connectMs: 0, tlsMs: null, firstByteMs: 2 ** 31 - 1, transferMs: 1 }
  const checks: CheckRecord[] = [
    { ...check, checkedAt: new Date(-62_135_596_800_000), responseTimeMs: 2 ** 31 - 1, phases },
    { ...check, checkedAt: new Date(253_402_300_799_999), responseTimeMs: 0, httpStatusCode: 32_767 },
    { ...check, checkedAt: new Date(0), responseTimeMs: -1, httpStatusCode: -32_768, errorMessage: '' },
  ]
  assert.deepEqual(decodeChecks(encodeChecks(checks)), checks)
})

test('bytes that are no chunk are refused', () => {
  const whole = encodeChecks(realisticDay(3, new Date('2027-03-28T00:00:00Z')))
  const unknown = Uint8Array.from(whole)
  unknown[0] = 99
  for (const bytes of [new Uint8Array(), whole.subarray(0, -1), whole.subarray(0, 40), unknown]) {
    assert.throws(() => decodeChecks(bytes))
  }
})

test('phases are packed to whole milliseconds and come back', () => {
  const nothing = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null }
  const cases = [
    [null, null],
    [nothing, null],
    [
      { ...nothing, dnsMs: 0 },
      { ...nothing, dnsMs: 0 },
    ],
    [
      { dnsMs: 0.4, connectMs: 1.5, tlsMs: 126, firstByteMs: 16_384, transferMs: 59_999.6 },
      { dnsMs: 0, connectMs: 2, tlsMs: 126, firstByteMs: 16_384, transferMs: 60_000 },
    ],
  ] as const
  for (const [given, kept] of cases)
    assert.deepEqual(unpackTimings(packTimings({ phases: given })), { phases: kept })
})

describe('steps of a check', () => {
  const step = (name: string, status: StepTiming['status'], ...[start, took, code]: (number | null)[]) => ({
    ...{ name, status, start_ms: start ?? null, duration_ms: took ?? null },
    http_status_code: code ?? null,
  })
  const STEPS = [
    step('sign in', 'up', 0, 41, 200),
    step('größe', 'down', 41, 70_000, 500),
    step('c', 'skipped'),
  ]
  const phases = { dnsMs: 1, connectMs: 2, tlsMs: null, firstByteMs: 3, transferMs: null }

  it('are packed behind its phases, and come back with or without some', () => {
    for (const given of [
      { phases: null, steps: STEPS },
      { phases, steps: STEPS },
      { phases, steps: [] },
    ])
      assert.deepEqual(unpackTimings(packTimings(given)), given)
  })

  it('come back from a chunk, beside checks without some', () => {
    const check = (second: number, more: object): CheckRecord => ({
      ...{ checkedAt: new Date(second * 1_000), status: 'up', responseTimeMs: 9, httpStatusCode: 200 },
      ...{ region: null, errorMessage: null, phases: null },
      ...more,
    })
    const checks = [
      check(1, { steps: STEPS }),
      check(2, { phases }),
      check(3, { steps: [] }),
      check(4, { steps: STEPS.slice(1), phases }),
    ]
    assert.deepEqual(decodeChecks(encodeChecks(checks)), checks)
  })

  it('cost nothing where there are none', () => {
    const checks = [1, 2].map(
      (second): CheckRecord => ({
        ...{ checkedAt: new Date(second), status: 'up', responseTimeMs: 9, httpStatusCode: 200 },
        ...{ region: null, errorMessage: null, phases },
      }),
    )
    const bytes = encodeChecks(checks)
    // Those of a chunk that has steps begin with the same bytes.
    const more = encodeChecks(checks.map((check, at) => (at === 0 ? { ...check, steps: STEPS } : check)))
    assert.deepEqual(more.subarray(0, bytes.length), bytes)
  })
})
