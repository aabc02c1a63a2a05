// npm test leaves this out: it compares 150 rules in 40 zones with each day of two pairs of years (a minute of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startsByLooking } from '../support/maintenance/brute-force.ts'
import { differences } from '../support/maintenance/compare.ts'
import { MANY_ZONES } from '../support/maintenance/zones.ts'

/** The second pair of years has the day that Apia skipped. */
const YEARS = [
  [2026, 2028],
  [2011, 2013],
] as const

for (const years of YEARS) {
  test(`150 rules in 40 zones begin in ${years.join(' to ')} when looking at every day says so`, () => {
    assert.equal(MANY_ZONES.length, 40)
    const { wrong, compared } = differences(
      { seed: years[0], rules: 150, zones: MANY_ZONES, years },
      startsByLooking,
    )
    assert.deepEqual(wrong, [])
    assert.ok(compared > 150_000, `${compared}`)
  })
}
