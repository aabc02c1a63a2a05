import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPlaces, mostOfOne } from '../../../src/core/sharing/share.ts'
import { SHARED, type SharedName } from '../../../src/core/sharing/shared.ts'

/** The places that so many have when each takes all that it gets, one after the other. */
function shares(size: number, holders: number): number[] {
  const places = createPlaces('letters', size)
  for (let holder = 0; holder < holders; holder++) while (places.take(holder));
  return Array.from({ length: holders }, (_, holder) => places.heldBy(holder))
}

describe('places', () => {
  const cases: [size: number, holders: number, shares: number[]][] = [
    [4, 1, [3]],
    [4, 2, [3, 1]],
    [12, 1, [9]],
    [12, 2, [9, 2]],
    [12, 3, [9, 2, 1]],
    [64, 1, [48]],
    [1, 2, [1, 0]],
  ]
  for (const [size, holders, expected] of cases)
    test(`${size} for ${holders}`, () => assert.deepEqual(shares(size, holders), expected))

  test('that are given back even out', () => {
    const places = createPlaces('letters', 12)
    const greedy = [1, 2]
    for (const holder of greedy) while (places.take(holder));
    for (let turn = 0; turn < 30; turn++) {
      const [most] = greedy.toSorted((a, b) => places.heldBy(b) - places.heldBy(a))
      places.leave(most as number)
      for (const holder of greedy.toSorted((a, b) => places.heldBy(a) - places.heldBy(b))) places.take(holder)
    }
    assert.ok(
      Math.abs(places.heldBy(1) - places.heldBy(2)) <= 1,
      `${places.heldBy(1)} and ${places.heldBy(2)}`,
    )
    assert.ok(places.free >= 1)
  })

  for (const name of Object.keys(SHARED) as SharedName[]) {
    const { size, sharing } = SHARED[name]
    if (sharing !== 'places') continue
    test(`of ${name}: one that takes all it can leaves some to the next ten`, () => {
      const places = createPlaces(name)
      while (places.take('hostile'));
      assert.equal(places.heldBy('hostile'), mostOfOne(size))
      assert.ok(places.take('quiet'), 'the next one gets one at once')
    })
  }
})
