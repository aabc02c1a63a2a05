import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CLOCK_TOLERANCE_MS, ENDURANCE_MS, OLDEST_RESULT_MS } from '../../../src/core/probing/remote-probe.ts'
import {
  type Holding,
  mayHaveTurn,
  type TickSoFar,
  whyImplausible,
  whySurplus,
} from '../../../src/core/probing/remote-result.ts'

const MINUTE_MS = 60_000

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
      assert.equal(whyImplausible({ membership, checkedAtMs, slot }, holdings, nowMs), reason)
    })
  }

  it('only for so long after it was last heard of', () => {
    const gone = [{ membership: 7, sinceMs: 0, untilMs: nowMs - ENDURANCE_MS - MINUTE_MS, slots: [1] }]
    const result = { membership: 7, checkedAtMs: nowMs, slot: 1 }
    assert.equal(whyImplausible(result, gone, nowMs), NOT_ITS_OWN)
    assert.equal(whyImplausible({ ...result, checkedAtMs: nowMs - MINUTE_MS }, gone, nowMs), null)
  })
})

describe('a result of a remote probe is one more than there was to do', () => {
  const fromMs = 100 * MINUTE_MS
  const at = (seconds: number) => fromMs + seconds * 1_000
  const NEVER = 0
  const none: TickSoFar = { judged: 0, newestJudgedMs: 0, unjudged: 0 }
  const judged = (count: number, newestSeconds: number) => ({
    judged: count,
    newestJudgedMs: at(newestSeconds),
    unjudged: 0,
  })
  const CHECKED = 'its tick was checked already'
  const OTHERS = 'its tick is that of another region'
  for (const [what, checkedAtMs, hasTurn, askedAtMs, soFar, reason] of [
    ['the check of its tick', at(0), true, NEVER, none, null],
    ['a second one', at(1), true, NEVER, judged(1, 0), CHECKED],
    ['a second one with an earlier time', at(0.5), true, NEVER, judged(1, 1), CHECKED],
    ['one that was asked for since', at(21), true, at(20), judged(1, 0), null],
    ['one more than was asked for', at(30), true, at(20), judged(2, 23), CHECKED],
    ['the tenth that was asked for', at(50), true, at(49), judged(9, 48), null],
    ['asked for by a clock that is behind', at(3), true, at(-1), judged(1, 0), null],
    ['asked for before a wish that came meanwhile', at(21), true, at(40), judged(1, 0), null],
    ['the same too often', at(21), true, at(40), judged(5, 20), CHECKED],
    ['the tick of another region', at(0), false, NEVER, none, OTHERS],
    ['asked for in the turn of another region', at(1), false, at(0), none, null],
  ] as const) {
    it(`${reason === null ? 'not when it is' : 'when it is'} ${what}`, () => {
      const due = { intervalMs: MINUTE_MS, hasTurn, askedAtMs, lastCheckedAtMs: at(-60) }
      assert.equal(whySurplus({ checkedAtMs, isJudged: true }, due, soFar), reason)
    })
  }

  it('when what could not be judged is more than is tried until the next tick', () => {
    const due = { intervalMs: MINUTE_MS, hasTurn: true, askedAtMs: NEVER, lastCheckedAtMs: at(-60) }
    // At first, then after 0, 1, 2, 4, 8 and 16 seconds; after 32 more the next tick has begun.
    const triedUntilNext = 7
    const result = { checkedAtMs: at(31), isJudged: false }
    const soFar = (unjudged: number) => ({ ...none, unjudged })
    assert.equal(whySurplus(result, due, soFar(2 * triedUntilNext)), null)
    assert.match(String(whySurplus(result, due, soFar(100))), /more of its tick was not judged/)
    assert.equal(whySurplus({ ...result, isJudged: true }, due, soFar(100)), null)
  })
})

describe('the turn of a remote probe', () => {
  const rhythm = { intervalMs: MINUTE_MS, phase: 0 }
  const sinceMs = 1_000 * MINUTE_MS
  const turns = { number: 2, before: ['nyc'], regions: ['lon', 'nyc'], effectiveAtMs: sinceMs }
  // Even ticks are those of London.
  const at = (tick: number, seconds: number) => sinceMs + tick * MINUTE_MS + seconds * 1_000
  for (const [what, region, checkedAtMs, expected] of [
    ['in its tick', 'nyc', at(3, 0), true],
    ['at the end of it', 'nyc', at(3, 59), true],
    ['so soon after it that a hand-over may have held it up', 'nyc', at(4, 4), true],
    ['in the tick of another one', 'nyc', at(4, 6), false],
    ['in the tick of another one, seen from there', 'lon', at(4, 6), true],
    ['while who was cut off may not have heard of the turns', 'nyc', at(0, 9), true],
    ['before they counted', 'sgp', at(-1, 0), true],
    ['where it takes no turns', 'sgp', at(3, 0), false],
  ] as const) {
    it(`${expected ? 'may be' : 'is not'} ${what}`, () => {
      assert.equal(mayHaveTurn(turns, region, rhythm, checkedAtMs), expected)
    })
  }

  it('is every one while nobody has shared them out', () => {
    assert.equal(mayHaveTurn(null, 'nyc', rhythm, at(4, 6)), true)
  })
})
