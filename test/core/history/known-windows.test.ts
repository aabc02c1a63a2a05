import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import { knownWindows } from '../../../src/core/history/known-windows.ts'

const table: [age: number, windows: string[]][] = [
  [0, ['24h known']],
  [3 * 60_000, ['24h known']],
  [DAY_MS - 1, ['24h known']],
  [DAY_MS, ['24h', '7d known']],
  [7 * DAY_MS + HOUR_MS, ['24h', '7d', '30d known']],
  [40 * DAY_MS, ['24h', '7d', '30d', '90d known']],
  [90 * DAY_MS, ['24h', '7d', '30d', '90d']],
  [500 * DAY_MS, ['24h', '7d', '30d', '90d']],
]

for (const [age, windows] of table) {
  test(`a monitor of ${age / DAY_MS} days has ${windows.join(', ')}`, () => {
    const shown = knownWindows(age)
    assert.deepEqual(
      shown.map(({ window, knownMs }) => (knownMs === null ? window : `${window} known`)),
      windows,
    )
    assert.ok(shown.every(({ knownMs }) => knownMs === null || knownMs === age))
  })
}
