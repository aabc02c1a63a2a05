import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startsByLooking } from '../../support/maintenance/brute-force.ts'
import { differences } from '../../support/maintenance/compare.ts'

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Gaza',
  'Africa/Casablanca',
  'America/Havana',
  'America/Santiago',
  'Pacific/Apia',
]

// test/long/maintenance-windows.test.ts has more rules, zones and years.
test('windows begin when looking at every single day says so', () => {
  const { wrong, compared } = differences(
    { seed: 1, rules: 25, zones: ZONES, years: [2026, 2027] },
    startsByLooking,
  )
  assert.deepEqual(wrong, [])
  assert.ok(compared > 5_000, `${compared}`)
})
