import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  balanceSlots,
  bitsOfSlots,
  SLOTS,
  type SlotGroup,
  type SlotMember,
  slotsOfBits,
  slotsToMove,
  slotsToRead,
} from '../../../src/core/probing/slot.ts'

const HALF = SLOTS / 2
const THIRD = Math.floor(SLOTS / 3)
const ALL = Array.from({ length: SLOTS }, (_, slot) => slot)
const stay = (...ids: number[]): SlotMember[] => ids.map((id) => ({ id, leaving: false }))
const group = (holder: number | null, slots: number[], wantedBy: number | null = null): SlotGroup => ({
  holder,
  wantedBy,
  slots,
})

/** Holders as they are once everything that was decided has happened. */
function after(groups: SlotGroup[], members: SlotMember[]): Map<number, number[]> {
  const { give, ask } = balanceSlots(groups, members)
  const owners = new Map(
    groups.flatMap(({ holder, wantedBy, slots }) => slots.map((slot) => [slot, wantedBy ?? holder])),
  )
  for (const { slot, to } of [...give, ...ask]) owners.set(slot, to)
  return Map.groupBy([...owners.keys()], (slot) => owners.get(slot) as number)
}

const sizes = (shares: Map<number, number[]>) =>
  [...shares].map(([id, slots]) => [id, slots.length]).toSorted(([a = 0], [b = 0]) => a - b)

describe('slots', () => {
  it('are all of the one who is alone', () => {
    const moves = balanceSlots([group(null, ALL)], stay(7))
    assert.deepEqual([moves.give.length, moves.ask], [SLOTS, []])
    assert.ok(moves.give.every(({ to }) => to === 7))
  })

  for (const [what, groups, members, expected] of [
    [
      'are halved when a second one joins',
      [group(1, ALL)],
      stay(1, 2),
      [
        [1, HALF],
        [2, HALF],
      ],
    ],
    [
      'that cannot be divided differ by one',
      [group(null, ALL)],
      stay(1, 2, 3),
      [
        [1, THIRD + 1],
        [2, THIRD + 1],
        [3, THIRD],
      ],
    ],
    [
      'of the dead go to the living',
      [group(1, ALL.slice(0, HALF)), group(null, ALL.slice(HALF))],
      stay(1, 3),
      [
        [1, HALF],
        [3, HALF],
      ],
    ],
    [
      'of who leaves go to who stays',
      [group(1, ALL.slice(0, 100)), group(2, ALL.slice(100))],
      [...stay(1), { id: 2, leaving: true }],
      [[1, SLOTS]],
    ],
    ['stay where everybody leaves', [group(1, ALL)], [{ id: 1, leaving: true }], [[1, SLOTS]]],
    [
      'that were wanted by somebody who is gone are asked for again',
      [group(1, ALL.slice(0, HALF)), group(1, ALL.slice(HALF))],
      stay(1, 2),
      [
        [1, HALF],
        [2, HALF],
      ],
    ],
    [
      'are given to more than there are slots for',
      [group(null, ALL)],
      stay(...Array.from({ length: SLOTS + 44 }, (_, i) => i)),
      Array.from({ length: SLOTS }, (_, i) => [i, 1]),
    ],
  ] as [string, SlotGroup[], SlotMember[], number[][]][]) {
    it(what, () => assert.deepEqual(sizes(after(groups, members)), expected))
  }

  it('are shared evenly by 300, who join and go one after the other, with few moves', () => {
    const members = Array.from({ length: 300 }, (_, i) => i + 1)
    const fair = [Math.floor(SLOTS / 300), Math.ceil(SLOTS / 300)]
    const spread = (shares: Map<number, number[]>) => [
      shares.size,
      Math.min(...[...shares.values()].map(({ length }) => length)),
      Math.max(...[...shares.values()].map(({ length }) => length)),
    ]
    const groupsOf = (shares: Map<number, number[]>) => [...shares].map(([id, slots]) => group(id, slots))

    const together = after([group(null, ALL)], stay(...members))
    assert.deepEqual(spread(together), [300, ...fair])
    let shares = after([group(null, ALL)], stay(1))
    for (const id of members.slice(1)) {
      const joined = members.slice(0, id)
      const { give, ask } = balanceSlots(groupsOf(shares), stay(...joined))
      assert.deepEqual([give, ask.length], [[], Math.floor(SLOTS / id)])
      shares = after(groupsOf(shares), stay(...joined))
    }
    assert.deepEqual(spread(shares), [300, ...fair])
    const orphaned = groupsOf(shares).map(({ holder, slots }) => group(holder === 150 ? null : holder, slots))
    const others = members.filter((id) => id !== 150)
    assert.deepEqual(spread(after(orphaned, stay(...others))), [299, ...fair])
  })

  it('are named by bits, as many as there are slots', () => {
    for (const slots of [[], [0], [SLOTS - 1], [1, 8, 2_000], ALL]) {
      assert.deepEqual(slotsOfBits(bitsOfSlots(slots)), slots)
      assert.equal(bitsOfSlots(slots).length, SLOTS / 4)
    }
    assert.match(bitsOfSlots([1, 8]), /^02010+$/)
  })

  it('do not move without need', () => {
    const fair = [
      group(1, ALL.slice(0, THIRD + 1)),
      group(2, ALL.slice(THIRD + 1, 2 * THIRD + 2)),
      group(3, ALL.slice(2 * THIRD + 2)),
    ]
    assert.deepEqual(balanceSlots(fair, stay(1, 2, 3)), { give: [], ask: [] })
    const onTheirWay = [group(1, ALL.slice(0, HALF)), group(1, ALL.slice(HALF), 2)]
    assert.deepEqual(balanceSlots(onTheirWay, stay(1, 2)), { give: [], ask: [] })
    const { give, ask } = balanceSlots(
      [group(1, ALL.slice(0, HALF)), group(2, ALL.slice(HALF))],
      stay(1, 2, 3),
    )
    assert.deepEqual([give, ask.length], [[], THIRD])
  })

  it('that nobody holds are given at once, those that somebody holds are asked for', () => {
    const { give, ask } = balanceSlots([group(1, ALL.slice(0, -56)), group(null, ALL.slice(-56))], stay(1, 2))
    assert.deepEqual([give.length, ask.length], [56, HALF - 56])
    assert.ok([...give, ...ask].every(({ to }) => to === 2))
  })

  it('whose heir waits already are given to that one when their holder is gone', () => {
    const { give, ask } = balanceSlots(
      [group(1, ALL.slice(0, HALF)), group(null, ALL.slice(HALF), 2)],
      stay(1, 2),
    )
    assert.deepEqual([new Set(give.map(({ to }) => to)), give.length, ask], [new Set([2]), HALF, []])
  })
})

describe('how many slots are read at once', () => {
  for (const [what, slots, monitors, next] of [
    ['carefully more where there was nothing', 1, 0, 8],
    ['all where there is little', SLOTS / 8, 100, SLOTS],
    ['so that there are 2,000 monitors', 1, 390, 5],
    ['fewer where there were more than expected', 8, 4_000, 4],
    ['one at least', 1, 10_000, 1],
  ] as const) {
    it(what, () => assert.equal(slotsToRead(slots, monitors), next))
  }

  it('and how many are moved: as many as have 2,000 monitors together, and one at least', () => {
    assert.deepEqual(
      slotsToMove([4, 5, 6], () => 1_000),
      [4, 5],
    )
    assert.deepEqual(
      slotsToMove([4, 5], () => 9_000),
      [4],
    )
    assert.deepEqual(
      slotsToMove([4, 5], () => 0),
      [4, 5],
    )
  })
})
