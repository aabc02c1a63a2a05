import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOfRuns, isOverrun } from '../../../../src/core/monitors/heartbeats/job-runs.ts'
import type { PingKind } from '../../../../src/core/monitors/ping.ts'

const at = (minute: number) => new Date(Date.UTC(2027, 4, 4) + minute * 60_000)

type Sent = [minute: number, kind: PingKind, runId?: string]

function runsOf(pings: Sent[]) {
  return {
    maxSeconds: 600,
    pings: pings.map(([minute, kind, runId = null]) => ({ receivedAt: at(minute), kind, runId })),
  }
}

describe('the end of the runs under way', () => {
  const table: [pings: Sent[], asked: number, end: number | null, why: string][] = [
    [[], 0, null, 'nothing has started'],
    [[[0, 'start']], 0, 10, 'a run has all of its time'],
    [
      [
        [0, 'start'],
        [3, 'log'],
      ],
      5,
      10,
      'a note ends nothing',
    ],
    [
      [
        [0, 'start'],
        [3, 'success'],
      ],
      5,
      null,
      'it has ended',
    ],
    [
      [
        [0, 'start'],
        [3, 'fail'],
      ],
      5,
      null,
      'it has failed',
    ],
    [
      [
        [3, 'success'],
        [4, 'start'],
      ],
      5,
      14,
      'another one began after the end',
    ],
    [
      [
        [0, 'start'],
        [4, 'start'],
      ],
      5,
      10,
      'a start before the end is no other run',
    ],
    [
      [
        [0, 'start'],
        [11, 'start'],
      ],
      12,
      21,
      'a start after the limit is another run',
    ],
    [[[0, 'start']], 10, null, 'it has no time left'],
    [
      [
        [0, 'start', 'a'],
        [2, 'start', 'b'],
        [3, 'success', 'b'],
      ],
      5,
      10,
      'another run than the one that ended',
    ],
    [
      [
        [0, 'start', 'a'],
        [2, 'start', 'b'],
        [3, 'success', 'a'],
      ],
      5,
      12,
      'the later run goes on',
    ],
    [
      [
        [0, 'start', 'a'],
        [3, 'success'],
      ],
      5,
      10,
      'an end without an id ends no run that has one',
    ],
  ]
  for (const [pings, asked, end, why] of table) {
    it(`is ${end} at ${asked} with ${JSON.stringify(pings)}: ${why}`, () => {
      assert.deepEqual(endOfRuns(runsOf(pings), at(asked)), end === null ? null : at(end))
    })
  }
})

it('a run is too long once, from its limit on', () => {
  const runs = runsOf([[0, 'start']])
  assert.equal(isOverrun(runs, { since: null, at: at(9) }), false)
  assert.equal(isOverrun(runs, { since: null, at: at(10) }), true)
  assert.equal(isOverrun(runs, { since: at(9), at: at(11) }), true)
  assert.equal(isOverrun(runs, { since: at(10), at: at(30) }), false)
  assert.equal(
    isOverrun(
      runsOf([
        [0, 'start'],
        [10, 'success'],
      ]),
      { since: null, at: at(11) },
    ),
    false,
  )
})
