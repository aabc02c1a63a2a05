import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, unitsOf } from '../../src/core/duration.ts'

test('a duration is told in its two largest units, without those of which there are none', () => {
  const told = [0, 0.4, 59, 60, 725, 3_605, 86_400, 90_061, 1_000_000].map(formatDuration)
  const expected = ['0 s', '0 s', '59 s', '1 min', '12 min 5 s', '1 h', '1 d', '1 d 1 h', '11 d 13 h']
  assert.deepEqual(told, expected)
})

test('a duration is as long as its units together', () => {
  const seconds = { day: 86_400, hour: 3_600, minute: 60, second: 1 }
  for (const length of [0, 1, 60, 86_399, 86_461, 400 * 86_400]) {
    const sum = unitsOf(length).reduce((total, { unit, count }) => total + count * seconds[unit], 0)
    assert.equal(sum, length)
  }
})
