import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_CAUSE_LENGTH } from '../../../src/core/monitors/cause.ts'
import {
  type CheckResult,
  readStoredMessage,
  resultWithout,
  storedMessage,
} from '../../../src/core/monitors/check.ts'
import {
  conclude,
  confirmersOf,
  maxConfirmationMs,
  needsConfirmation,
  type RegionalAttempt,
  readResult,
  TeamConfirmationPatch,
} from '../../../src/core/monitors/confirmation.ts'
import type { Turns } from '../../../src/core/probing/turns.ts'
import { parseFields } from '../../../src/core/validation.ts'

const CAUSE = 'HTTP 503 (expected 200)'
const DOWN = resultWithout('down', CAUSE)
const UP: CheckResult = { ...DOWN, status: 'up', errorMessage: null, responseTimeMs: 12 }
const WARNED: CheckResult = { ...UP, status: 'degraded', errorMessage: 'certificate expires in 5 days' }
const PENDING = resultWithout('pending', 'our network seems to be down')

describe('results that are confirmed', () => {
  for (const [known, passing, result, confirmations, needed] of [
    ['up', 0, 'down', 1, true],
    ['degraded', 0, 'down', 1, true],
    ['pending', 0, 'down', 1, true],
    ['maintenance', 0, 'down', 1, true],
    [null, 0, 'down', 1, true],
    ['down', 0, 'down', 1, false],
    ['down', 1, 'down', 1, true],
    ['down', 1, 'down', 0, false],
    ['up', 0, 'down', 0, false],
    ['up', 0, 'pending', 3, false],
    ['up', 0, 'degraded', 3, false],
  ] as const) {
    const what = `${known ?? 'unknown'}${passing > 0 ? ' and about to be up' : ''}`
    test(`${result} of what is ${what}, with ${confirmations}: ${needed ? 'yes' : 'no'}`, () => {
      const standing = known && { status: known, passing }
      assert.equal(needsConfirmation(standing, result, confirmations), needed)
    })
  }
})

describe('regions that are asked', () => {
  const turns: Turns = { number: 2, before: ['lon'], regions: ['lon', 'nyc', 'sgp'], effectiveAtMs: 100 }
  for (const [region, count, nowMs, asked] of [
    ['lon', 1, 100, ['nyc']],
    ['nyc', 1, 100, ['sgp']],
    ['nyc', 2, 100, ['sgp', 'lon']],
    ['sgp', 3, 100, ['lon', 'nyc']],
    ['lon', 2, 99, []],
    ['tor', 2, 100, ['lon', 'nyc']],
  ] as [string, number, number, string[]][]) {
    test(`${count} of ${region} at ${nowMs}: ${asked.join(', ') || 'nobody'}`, () => {
      assert.deepEqual(confirmersOf(turns, region, count, nowMs), asked)
    })
  }

  test('is no region that is reserved for others', () => {
    const reserved = { ...turns, reserved: ['nyc'] }
    assert.deepEqual(confirmersOf(reserved, 'lon', 2, 100), ['sgp'])
    assert.deepEqual(confirmersOf(reserved, 'lon', 2, 100, { ownRegions: ['nyc'] }), ['nyc', 'sgp'])
  })
})

describe('the result of a check that failed at first', () => {
  const of = (region: string, result: CheckResult): RegionalAttempt => ({ region, result })
  const first = of('lon', DOWN)
  for (const [what, others, status, region, kept] of [
    ['all fail', [of('nyc', DOWN), of('sgp', DOWN)], 'down', 'lon', `${CAUSE} (confirmed from nyc, sgp)`],
    ['it fails again', [of('lon', DOWN)], 'down', 'lon', `${CAUSE} (confirmed by another attempt)`],
    [
      'one there, two here',
      [of('nyc', DOWN), of('lon', DOWN), of('lon', DOWN)],
      'down',
      'lon',
      `${CAUSE} (confirmed from nyc and by 2 more attempts)`,
    ],
    ['no name', [of('', DOWN)], 'down', 'lon', `${CAUSE} (confirmed from the unnamed region)`],
    [
      'one passes',
      [of('nyc', DOWN), of('sgp', UP)],
      'up',
      'sgp',
      `not confirmed from sgp (seen from lon): ${CAUSE}`,
    ],
    ['it passes here', [of('lon', UP)], 'up', 'lon', `not confirmed by another attempt: ${CAUSE}`],
    [
      'one passes with a warning',
      [of('lon', WARNED)],
      'degraded',
      'lon',
      `certificate expires in 5 days (not confirmed by another attempt: ${CAUSE})`,
    ],
    ['our own trouble', [of('nyc', DOWN), of('lon', PENDING)], 'pending', 'lon', PENDING.errorMessage],
    ['it passes in trouble', [of('lon', PENDING), of('nyc', UP)], 'up', 'nyc', null],
  ] as [string, RegionalAttempt[], string, string, string | null][]) {
    test(what, () => {
      const found = conclude(first, others)
      assert.deepEqual([found.result.status, found.region], [status, region])
      if (kept !== null) assert.equal(storedMessage(found.result), kept)
      // Alerts and incidents have the cause as it is.
      if (status === 'down') assert.equal(found.result.errorMessage, CAUSE)
    })
  }
})

test('the text that is kept fits, however long the cause is', () => {
  const long = resultWithout('down', 'x'.repeat(MAX_CAUSE_LENGTH))
  const attempt = (result: CheckResult): RegionalAttempt => ({ region: 'lon', result })
  for (const others of [[attempt(DOWN)], [attempt(UP)], [attempt(WARNED)]]) {
    const kept = storedMessage(conclude(attempt(long), others).result) ?? ''
    assert.ok(Array.from(kept).length <= MAX_CAUSE_LENGTH, `${kept.length}`)
  }
})

test('a check that passed shows no failure, and its note apart', () => {
  assert.deepEqual(readStoredMessage('up', 'not confirmed'), { errorMessage: null, note: 'not confirmed' })
  assert.deepEqual(readStoredMessage('down', CAUSE), { errorMessage: CAUSE, note: null })
})

test('a result comes back as it was from where it was handed over', () => {
  const certificate = { expiresAt: new Date('2027-01-01T00:00:00Z'), fingerprint: 'ab' }
  for (const result of [DOWN, { ...UP, certificate }]) {
    assert.deepEqual(readResult(JSON.parse(JSON.stringify(result))), result)
  }
})

test('confirming has an end, and none of it is waited for where nothing is confirmed', () => {
  assert.equal(maxConfirmationMs(30_000, 0), 0)
  // As docs/confirmation.md has it.
  assert.equal(maxConfirmationMs(10_000, 1), 31_000)
  assert.equal(maxConfirmationMs(30_000, 1), 71_000)
  assert.equal(maxConfirmationMs(30_000, 3), 143_000)
})

describe('the settings of a team', () => {
  for (const [body, fields] of [
    [{ confirmations: 0, recovery_checks: 1 }, []],
    [{ confirmations: 3, recovery_checks: 5 }, []],
    [{}, []],
    [{ confirmations: 4, recovery_checks: 0 }, ['confirmations', 'recovery_checks']],
    [{ confirmations: -1, recovery_checks: 6 }, ['confirmations', 'recovery_checks']],
    [{ confirmations: '1', recovery_checks: 1.5 }, ['confirmations', 'recovery_checks']],
    [{ confirmations: null }, ['confirmations']],
  ] as [object, string[]][]) {
    test(`${JSON.stringify(body)}: ${fields.length === 0 ? 'taken' : 'refused'}`, () => {
      const parsed = parseFields(TeamConfirmationPatch, body)
      assert.deepEqual(parsed.ok ? [] : Object.keys(parsed.errors), fields)
    })
  }
})
