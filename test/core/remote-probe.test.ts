import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CLOCK_TOLERANCE_MS,
  ENDURANCE_MS,
  type Holding,
  implausible,
  OLDEST_RESULT_MS,
  ProbeResults,
  placeResult,
} from '../../src/core/remote-probe.ts'

const MINUTE_MS = 60_000

describe('what is done with a result of a remote probe', () => {
  for (const [isMember, isNewest, isTickTaken, place] of [
    // Nobody else can have checked for its ticks while its membership lives.
    [true, true, false, 'judge'],
    [true, true, true, 'judge'],
    // Another region has checked since.
    [true, false, false, 'history'],
    [true, false, true, 'history'],
    // Found while the service was out of reach, and had given the probe up.
    [false, true, false, 'judge'],
    [false, false, false, 'history'],
    [false, true, true, 'drop'],
    [false, false, true, 'drop'],
  ] as const) {
    it(`${place}: member ${isMember}, newest ${isNewest}, its tick checked by others ${isTickTaken}`, () => {
      assert.equal(placeResult({ isMember, isNewest, isTickTaken }), place)
    })
  }
})

describe('a result of a remote probe is believed', () => {
  const nowMs = 100 * MINUTE_MS
  const ago = (minutes: number) => nowMs - minutes * MINUTE_MS
  const holdings: Holding[] = [
    { membership: 7, sinceMs: ago(20), untilMs: ago(9), slots: [1, 2] },
    // Slot 2 was handed over then, and nothing was heard any more since.
    { membership: 7, sinceMs: ago(9), untilMs: ago(8), slots: [1] },
    { membership: 8, sinceMs: ago(1), untilMs: ago(0), slots: [3] },
  ]
  const NOT_ITS_OWN = 'the monitor was not its own at that time'
  for (const [what, membership, slot, checkedAtMs, reason] of [
    ['of a slot that it held', 7, 2, ago(10), null],
    ['of a slot that it has handed over since', 7, 2, ago(9.5), null],
    ['of a slot that it had handed over', 7, 2, ago(8), NOT_ITS_OWN],
    ['of a slot that it was last known to hold', 7, 1, ago(0), null],
    ['of a slot that it has now', 8, 3, ago(0), null],
    ['from before it had the slot', 8, 3, ago(2), NOT_ITS_OWN],
    ['of a slot of another membership', 8, 1, ago(0), NOT_ITS_OWN],
    ['under a membership that is not its own', 9, 1, ago(0), NOT_ITS_OWN],
    ['of a monitor that there is not', 7, undefined, ago(10), NOT_ITS_OWN],
    ['by a clock that is a little ahead', 8, 3, nowMs + CLOCK_TOLERANCE_MS, null],
    ['from the future', 8, 3, nowMs + CLOCK_TOLERANCE_MS + 1, 'it lies in the future'],
    ['that is as old as can be', 7, 1, nowMs - OLDEST_RESULT_MS, null],
    ['that is older', 7, 1, nowMs - OLDEST_RESULT_MS - 1, 'it comes too late'],
  ] as const) {
    it(`${reason === null ? '' : 'not '}when it is ${what}`, () => {
      assert.equal(implausible({ membership, checkedAtMs, slot }, holdings, nowMs), reason)
    })
  }

  it('only for so long after it was last heard of', () => {
    const gone = [{ membership: 7, sinceMs: 0, untilMs: nowMs - ENDURANCE_MS - MINUTE_MS, slots: [1] }]
    const result = { membership: 7, checkedAtMs: nowMs, slot: 1 }
    assert.equal(implausible(result, gone, nowMs), NOT_ITS_OWN)
    assert.equal(implausible({ ...result, checkedAtMs: nowMs - MINUTE_MS }, gone, nowMs), null)
  })
})

describe('results of a remote probe', () => {
  const result = {
    status: 'down',
    responseTimeMs: 12,
    httpStatusCode: 503,
    errorMessage: 'HTTP 503 (expected 200)',
    phases: { dnsMs: 0.4, connectMs: null, tlsMs: null, firstByteMs: null, transferMs: null },
    certificate: { expiresAt: '2027-01-31T00:00:00.000Z', fingerprint: 'a'.repeat(64) },
  }
  const send = (change: object = {}, top: object = {}) =>
    ProbeResults.safeParse({
      session: '5a3c3a52-21d3-4f0c-a0cf-0a6c5d3bb7a1',
      first: 1,
      results: [
        {
          membership: 1,
          monitor_id: 1,
          revision: 1,
          checked_at: '2026-11-21T12:00:00.000Z',
          result: { ...result, ...change },
        },
      ],
      ...top,
    })

  it('are read as they are written', () => {
    const sent = send()
    assert.ok(sent.success)
    assert.deepEqual(sent.data.results[0]?.checked_at, new Date('2026-11-21T12:00:00.000Z'))
    const again = ProbeResults.safeParse(JSON.parse(JSON.stringify(sent.data)))
    assert.deepEqual(again.data, sent.data)
  })

  it('lose what cannot be shown in what a target said', () => {
    assert.equal(
      send({ errorMessage: 'a\u0000b\nc\ud800' }).data?.results[0]?.result.errorMessage,
      'a b c\ufffd',
    )
  })

  for (const [what, change, top] of [
    ['a status that there is not', { status: 'broken' }, {}],
    ['a time below zero', { responseTimeMs: -1 }, {}],
    ['a status code that there is not', { httpStatusCode: 70_000 }, {}],
    ['a message without end', { errorMessage: 'x'.repeat(10_000) }, {}],
    [
      'a fingerprint that is none',
      { certificate: { expiresAt: '2027-01-31T00:00:00Z', fingerprint: 'x' } },
      {},
    ],
    ['a session that is none', {}, { session: 'x' }],
    ['a number below one', {}, { first: 0 }],
    ['nothing', {}, { results: [] }],
  ] as const) {
    it(`are refused with ${what}`, () => assert.equal(send(change, top).success, false))
  }
})
