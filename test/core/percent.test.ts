import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPercent, formatUptime } from '../../src/core/percent.ts'

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

test('an uptime has two decimals, and three where nines count', () => {
  const table: [share: number, said: string][] = [
    [1, '100 %'],
    [1 - 2 ** -53, '99.999 %'],
    [0.999999, '99.999 %'],
    [0.99999, '99.999 %'],
    [0.99995, '99.995 %'],
    [0.9999, '99.99 %'],
    [0.99985, '99.985 %'],
    [0.9995, '99.95 %'],
    [0.999, '99.90 %'],
    [0.9989999, '99.89 %'],
    [0.97168, '97.16 %'],
    [0.5, '50.00 %'],
    [0, '0.00 %'],
  ]
  for (const [share, said] of table) assert.equal(formatUptime(share), said)
})

test('a share of whole checks is cut exactly', () => {
  for (let judged = 1; judged <= 900; judged += 7) {
    for (let up = 0; up < judged; up++) {
      const steps = Number((BigInt(up) * 10_000n) / BigInt(judged))
      assert.equal(formatPercent(up / judged, 2), `${(steps / 100).toFixed(2)} %`, `${up} of ${judged}`)
    }
  }
})
