import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { holdTroubles, type Troubles } from '../../dashboard/screens/overview/held-troubles.ts'
import { groupTroubles } from '../../src/core/overview/group-troubles.ts'
import type { Troubled } from '../../src/core/overview/trouble.ts'

const REFUSED = 'connection refused by 203.0.113.7:443'

/** The answer of a service in which these monitors are down, each with its reason, the newest last. */
function down(monitors: Record<`m${number}`, string>, rest = 0): Troubles {
  const troubled = Object.entries(monitors).map(([name, reason], index): Troubled => {
    const since = `2026-11-23T09:00:00.00000${index}Z`
    const id = Number(name.slice(1))
    const nothing = { flapping_since: null, target: null, acknowledgement: null }
    return { kind: 'monitor', id, name, status: 'down', since, reason, ...nothing }
  })
  return { troubles: groupTroubles(troubled).groups, troubles_rest: rest }
}

/** Each line as `id: how many are still in trouble`, and what waits. */
function held(shown: Troubles, latest: Troubles) {
  const { rows, waiting, isStale } = holdTroubles(shown, latest)
  const lines = rows.map(({ subjects, count }) => `${subjects.map(({ id }) => id)}: ${count}`)
  return { lines, waiting, isStale }
}

describe('lines of trouble that somebody reads', () => {
  const two = down({ m1: 'one', m2: 'two' })
  const group = down({ m1: REFUSED, m2: REFUSED, m3: REFUSED })
  const cases: [what: string, shown: Troubles, latest: Troubles, ReturnType<typeof held>][] = [
    [
      'are as they were while nothing changes',
      two,
      two,
      { lines: ['2: 1', '1: 1'], waiting: 0, isStale: false },
    ],
    [
      'keep their places when another order is due',
      two,
      down({ m2: 'two', m1: 'one' }),
      { lines: ['2: 1', '1: 1'], waiting: 0, isStale: true },
    ],
    [
      'keep their places when new ones wait',
      two,
      down({ m1: 'one', m2: 'two', m3: 'three', m4: 'four' }),
      { lines: ['2: 1', '1: 1'], waiting: 2, isStale: true },
    ],
    [
      'stay when they are over',
      two,
      down({ m1: 'one' }),
      { lines: ['2: 0', '1: 1'], waiting: 0, isStale: true },
    ],
    [
      'are not said to be over when the answer could not name them all',
      two,
      down({ m1: 'one' }, 7),
      { lines: ['2: 1', '1: 1'], waiting: 0, isStale: true },
    ],
    [
      'of a group count who joins it, and name them later',
      group,
      down({ m1: REFUSED, m2: REFUSED, m3: REFUSED, m4: REFUSED }),
      { lines: ['3,2,1: 4'], waiting: 1, isStale: false },
    ],
    [
      'of a group that has become small still are the group',
      group,
      down({ m3: REFUSED }),
      { lines: ['3,2,1: 1'], waiting: 0, isStale: true },
    ],
    [
      'of one that has become part of a group still are that one',
      down({ m1: REFUSED }),
      group,
      { lines: ['1: 1'], waiting: 2, isStale: true },
    ],
  ]
  for (const [what, shown, latest, expected] of cases) {
    it(what, () => assert.deepEqual(held(shown, latest), expected))
  }

  it('say what is known now', () => {
    const [row] = holdTroubles(down({ m1: 'one' }), down({ m1: 'another' })).rows
    assert.deepEqual([row?.cause, row?.subjects[0]?.reason], ['another', 'another'])
    const [over] = holdTroubles(group, down({ m1: REFUSED, m3: REFUSED })).rows
    assert.deepEqual(
      over?.subjects.map(({ id, isOver }) => [id, isOver]),
      [
        [3, false],
        [2, true],
        [1, false],
      ],
    )
  })
})
