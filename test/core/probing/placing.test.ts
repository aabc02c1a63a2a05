import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  countInTick,
  type PlacedBy,
  type PlacedFinding,
  type PlacedState,
  place,
  type TickOnRecord,
} from '../../../src/core/probing/placing.ts'

const at = (seconds: number) => new Date(100 * 60_000 + seconds * 1_000)

const OURS: PlacedFinding = {
  revision: 3,
  checkedAt: at(10),
  status: 'down',
  isSilence: false,
  isStillTrue: true,
  tick: null,
}
const REMOTE: PlacedFinding = { ...OURS, tick: { intervalMs: 60_000, hasTurn: true, askedAtMs: 0 } }
const PING: PlacedFinding = { ...OURS, revision: null, status: 'up' }
const SILENCE: PlacedFinding = { ...OURS, isSilence: true }

const STATE: PlacedState = { revision: 3, status: 'up', lastCheckedAt: at(0), heartbeatDueAt: null }
const NEWER: PlacedState = { ...STATE, lastCheckedAt: at(20) }
const DUE: PlacedState = { ...STATE, heartbeatDueAt: at(5) }

const UNCHECKED: TickOnRecord = { judged: 0, newestJudgedMs: 0, unjudged: 0, isTaken: false }
const CHECKED_HERE: TickOnRecord = { judged: 1, newestJudgedMs: at(1).getTime(), unjudged: 0, isTaken: true }
const CHECKED_ELSEWHERE: TickOnRecord = { ...UNCHECKED, isTaken: true }

const known = (now: Date, reachableUntil: Date | null) => ({ now, reachableUntil })
const seen = (changes: Partial<PlacedBy> = {}): PlacedBy => ({
  membership: 'living',
  tick: null,
  reachability: null,
  ...changes,
})

describe('a finding', () => {
  const nobody = seen({ membership: 'none' })
  const ended = seen({ membership: 'ended' })
  for (const [what, finding, state, by, expected] of [
    ['of a prober', OURS, STATE, seen(), 'judge'],
    ['of a monitor that was never checked', OURS, { ...STATE, lastCheckedAt: null }, seen(), 'judge'],
    ['older than what was judged', OURS, NEWER, seen(), 'history'],
    ['as old as what was judged', OURS, { ...STATE, lastCheckedAt: at(10) }, seen(), 'history'],
    ['that needs no membership, older than what was judged', OURS, NEWER, nobody, 'judge'],
    ['of a prober whose membership has ended', OURS, STATE, ended, 'stale'],
    ['of other settings', { ...OURS, revision: 2 }, STATE, seen(), 'stale'],
    ['of a paused monitor', OURS, { ...STATE, revision: null }, seen(), 'stale'],
    ['that was locked too late to be sure', { ...OURS, isStillTrue: false }, STATE, seen(), 'stale'],
    ['that is a ping, whatever the settings', PING, STATE, nobody, 'judge'],
    ['that is a ping of a job that starts', { ...PING, status: null }, STATE, nobody, 'judge'],

    ['of silence past the deadline', SILENCE, DUE, seen({ reachability: known(at(5), at(5)) }), 'judge'],
    ['of silence before the deadline', SILENCE, DUE, seen({ reachability: known(at(4), at(4)) }), 'stale'],
    ['of silence without a deadline', SILENCE, STATE, seen({ reachability: known(at(9), at(9)) }), 'stale'],
    ['of silence of no monitor', SILENCE, DUE, seen(), 'stale'],
    [
      'of silence, reachable until just before',
      SILENCE,
      DUE,
      seen({ reachability: known(at(9), at(3)) }),
      'judge',
    ],
    [
      'of silence, out of reach before that',
      SILENCE,
      DUE,
      seen({ reachability: known(at(9), at(2.9)) }),
      'stale',
    ],
    ['of silence, reach unknown', SILENCE, DUE, seen({ reachability: known(at(9), null) }), 'judge'],
    [
      'of silence with other settings',
      { ...SILENCE, revision: 2 },
      DUE,
      seen({ reachability: known(at(9), null) }),
      'judge',
    ],

    // No other region can have checked for its tick while its membership lives.
    ['of a remote probe', REMOTE, STATE, seen({ tick: UNCHECKED }), 'judge'],
    ['of a remote probe, its tick taken', REMOTE, STATE, seen({ tick: CHECKED_ELSEWHERE }), 'judge'],
    ['of a remote probe, older', REMOTE, NEWER, seen({ tick: UNCHECKED }), 'history'],
    ['of a remote probe, older, taken', REMOTE, NEWER, seen({ tick: CHECKED_ELSEWHERE }), 'history'],
    // Found while the service was out of reach and had given the probe up.
    ['of a remote probe that was cut off', REMOTE, STATE, { ...ended, tick: UNCHECKED }, 'judge'],
    ['of one cut off, older', REMOTE, NEWER, { ...ended, tick: UNCHECKED }, 'history'],
    ['of one cut off, taken', REMOTE, STATE, { ...ended, tick: CHECKED_ELSEWHERE }, 'stale'],
    ['of one cut off, older and taken', REMOTE, NEWER, { ...ended, tick: CHECKED_ELSEWHERE }, 'stale'],
  ] as const) {
    it(`${what}: ${expected}`, () => {
      assert.deepEqual(place(finding, state, by), { kind: expected })
    })
  }

  const ELSEWHERE = { ...REMOTE, tick: { intervalMs: 60_000, hasTurn: false, askedAtMs: 0 } }
  const ASKED = { ...REMOTE, tick: { intervalMs: 60_000, hasTurn: false, askedAtMs: at(-5).getTime() } }
  const OF_ANOTHER = 'its tick is that of another region'
  for (const [what, finding, state, by, why] of [
    [
      'a second check of its tick',
      REMOTE,
      STATE,
      seen({ tick: CHECKED_HERE }),
      'its tick was checked already',
    ],
    ['the tick of another region', ELSEWHERE, STATE, seen({ tick: UNCHECKED }), OF_ANOTHER],
    ['the same, cut off from the turns', ELSEWHERE, STATE, { ...ended, tick: UNCHECKED }, null],
    ['asked for before the last check', ASKED, STATE, seen({ tick: UNCHECKED }), OF_ANOTHER],
    ['the same, not judged yet', ASKED, { ...STATE, status: 'pending' }, seen({ tick: UNCHECKED }), null],
  ] as const) {
    it(`of a remote probe is ${why === null ? 'no ' : ''}surplus: ${what}`, () => {
      const expected = why === null ? { kind: 'judge' } : { kind: 'surplus', why }
      assert.deepEqual(place(finding, state, by), expected)
    })
  }
})

describe('a recorded finding counts in its tick', () => {
  const laterMs = at(10).getTime()
  for (const [what, finding, tick, expected] of [
    ['once it is judged', REMOTE, UNCHECKED, { ...UNCHECKED, judged: 1, newestJudgedMs: laterMs }],
    ['with the newest time', { ...REMOTE, checkedAt: at(0) }, CHECKED_HERE, { ...CHECKED_HERE, judged: 2 }],
    [
      'apart when it is not judged',
      { ...REMOTE, status: 'pending' },
      UNCHECKED,
      { ...UNCHECKED, unjudged: 1 },
    ],
    ['not at all without a result', { ...REMOTE, status: null }, UNCHECKED, UNCHECKED],
  ] as const) {
    it(what, () => {
      assert.deepEqual(countInTick(finding, tick), expected)
    })
  }
})
