import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPercent } from '../../src/core/percent.ts'

test('a share is cut, so that no trouble is rounded away', () => {
  const table: [share: number, decimals: number, said: string][] = [
    [1, 2, '100 %'],
    [1, 0, '100 %'],
    [0.99999, 2, '99.99 %'],
    [0.99999, 3, '99.999 %'],
    [1 - 2 ** -53, 2, '99.99 %'],
    [0.99999, 0, '99 %'],
    [0.9895, 1, '98.9 %'],
    [2 / 3, 2, '66.66 %'],
    [0, 2, '0.00 %'],
    // As binary fractions these are a hair less.
    [301 / 400, 2, '75.25 %'],
    [399 / 700, 2, '57.00 %'],
    [0.0003, 2, '0.03 %'],
  ]
  for (const [share, decimals, said] of table) assert.equal(formatPercent(share, decimals), said)
})

test('a share of whole checks is cut exactly', () => {
  for (let judged = 1; judged <= 900; judged += 7) {
    for (let up = 0; up < judged; up++) {
      const steps = Number((BigInt(up) * 10_000n) / BigInt(judged))
      assert.equal(formatPercent(up / judged, 2), `${(steps / 100).toFixed(2)} %`, `${up} of ${judged}`)
    }
  }
})
