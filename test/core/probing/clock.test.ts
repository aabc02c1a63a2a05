import assert from 'node:assert/strict'
import { it } from 'node:test'
import { offsetAfter } from '../../../src/core/probing/clock.ts'

for (const [what, known, sample, expected] of [
  ['stands while a sample agrees', 100, { sentMs: 0, receivedMs: 4, databaseMs: 110 }, 100],
  [
    'changes when the sample leaves no doubt',
    0,
    { sentMs: 1_000, receivedMs: 1_010, databaseMs: 6_005 },
    5_000,
  ],
  ['follows a clock that was set back', 5_000, { sentMs: 1_000, receivedMs: 1_010, databaseMs: 1_005 }, 0],
  ['stands when a slow answer says little', 0, { sentMs: 0, receivedMs: 3_000, databaseMs: 2_900 }, 0],
  [
    'changes when even a slow answer leaves no doubt',
    0,
    { sentMs: 0, receivedMs: 3_000, databaseMs: 61_500 },
    60_000,
  ],
] as const) {
  it(`what is known of the database's clock ${what}`, () =>
    assert.equal(offsetAfter(known, sample), expected))
}
