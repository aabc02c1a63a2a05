import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { duePerSecond, expectedDue, threadsFor, threadsFrom } from '../../../src/core/probing/thread-count.ts'

describe('the number of threads that check', () => {
  const cases: [string, [number, number][], number, number][] = [
    ['nothing to check', [], 8, 1],
    ['10,000 monitors at 60 s', [[60, 10_000]], 8, 1],
    ['15,000 monitors at 60 s: 250 due per second', [[60, 15_000]], 8, 1],
    ['one more than that', [[60, 15_001]], 8, 2],
    [
      '250 monitors at 1 s and one at 30 s',
      [
        [1, 250],
        [30, 1],
      ],
      8,
      2,
    ],
    ['30,001 monitors at 60 s', [[60, 30_001]], 8, 3],
    ['more than the cores', [[1, 2_000]], 2, 2],
    ['a single core', [[1, 2_000]], 1, 1],
    ['more cores than anything needs', [[1, 100_000]], 64, 8],
  ]
  for (const [what, monitors, cores, threads] of cases) {
    test(`${what}: ${threads} on ${cores} cores`, () => {
      assert.equal(threadsFor(duePerSecond(new Map(monitors)), cores), threads)
    })
  }

  test('grows at once, and shrinks only when there is room to spare', () => {
    assert.equal(threadsFrom(0, 251, 8), 2)
    assert.equal(threadsFrom(1, 251, 8), 2)
    assert.equal(threadsFrom(2, 249, 8), 2)
    assert.equal(threadsFrom(2, 201, 8), 2)
    assert.equal(threadsFrom(2, 200, 8), 1)
    assert.equal(threadsFrom(8, 0, 8), 1)
    assert.equal(threadsFrom(4, 0, 2), 1)
    assert.equal(threadsFrom(3, 450, 8), 3)
  })

  test('is expected of a part that tells enough', () => {
    assert.equal(expectedDue({ monitors: 1_000, perSecond: () => 20 }, 0.01), 2_000)
    assert.equal(expectedDue({ monitors: 10, perSecond: () => 10 }, 0.01), 10)
  })

  test('does not change back and forth with a load that hovers', () => {
    let threads = 1
    const seen = Array.from({ length: 20 }, (_, i) => {
      threads = threadsFrom(threads, i % 2 === 0 ? 255 : 245, 8)
      return threads
    })
    assert.deepEqual(new Set(seen), new Set([2]))
  })
})
