import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  balanceSlots,
  SLOTS,
  type SlotGroup,
  type SlotMember,
  slotsToMove,
  slotsToRead,
} from '../../../src/core/probing/slot.ts'

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
        [1, 128],
        [2, 128],
      ],
    ],
    [
      'that cannot be divided differ by one',
      [group(null, ALL)],
      stay(1, 2, 3),
      [
        [1, 86],
        [2, 85],
        [3, 85],
      ],
    ],
    [
      'of the dead go to the living',
      [group(1, ALL.slice(0, 128)), group(null, ALL.slice(128))],
      stay(1, 3),
      [
        [1, 128],
        [3, 128],
      ],
    ],
    [
      'of who leaves go to who stays',
      [group(1, ALL.slice(0, 100)), group(2, ALL.slice(100))],
      [...stay(1), { id: 2, leaving: true }],
      [[1, 256]],
    ],
    ['stay where everybody leaves', [group(1, ALL)], [{ id: 1, leaving: true }], [[1, 256]]],
    [
      'that were wanted by somebody who is gone are asked for again',
      [group(1, ALL.slice(0, 128)), group(1, ALL.slice(128))],
      stay(1, 2),
      [
        [1, 128],
        [2, 128],
      ],
    ],
    [
      'are given to more than there are slots for',
      [group(null, ALL)],
      stay(...Array.from({ length: 300 }, (_, i) => i)),
      Array.from({ length: 256 }, (_, i) => [i, 1]),
    ],
  ] as [string, SlotGroup[], SlotMember[], number[][]][]) {
    it(what, () => assert.deepEqual(sizes(after(groups, members)), expected))
  }

  it('do not move without need', () => {
    const fair = [group(1, ALL.slice(0, 86)), group(2, ALL.slice(86, 171)), group(3, ALL.slice(171))]
    assert.deepEqual(balanceSlots(fair, stay(1, 2, 3)), { give: [], ask: [] })
    const onTheirWay = [group(1, ALL.slice(0, 128)), group(1, ALL.slice(128), 2)]
    assert.deepEqual(balanceSlots(onTheirWay, stay(1, 2)), { give: [], ask: [] })
    const { give, ask } = balanceSlots([group(1, ALL.slice(0, 128)), group(2, ALL.slice(128))], stay(1, 2, 3))
    assert.deepEqual([give, ask.length], [[], 85])
  })

  it('that nobody holds are given at once, those that somebody holds are asked for', () => {
    const { give, ask } = balanceSlots([group(1, ALL.slice(0, 200)), group(null, ALL.slice(200))], stay(1, 2))
    assert.deepEqual([give.length, ask.length], [56, 72])
    assert.ok([...give, ...ask].every(({ to }) => to === 2))
  })

  it('whose heir waits already are given to that one when their holder is gone', () => {
    const { give, ask } = balanceSlots(
      [group(1, ALL.slice(0, 128)), group(null, ALL.slice(128), 2)],
      stay(1, 2),
    )
    assert.deepEqual([new Set(give.map(({ to }) => to)), give.length, ask], [new Set([2]), 128, []])
  })
})

describe('how many slots are read at once', () => {
  for (const [what, slots, monitors, next] of [
    ['carefully more where there was nothing', 1, 0, 8],
    ['all where there is little', 64, 100, SLOTS],
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
