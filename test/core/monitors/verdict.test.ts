import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'
import { decide, type Verdict } from '../../../src/core/monitors/verdict.ts'

const EXPIRES_AT = new Date('2026-12-01T00:00:00Z')

/** A monitor and a result, to the new status, the fate of the incident and the events. */
const TABLE: [
  was: CheckStatus,
  hasOpenIncident: boolean,
  found: CheckStatus,
  status: CheckStatus,
  incident: Verdict['incident'],
  events: Verdict['events'],
][] = [
  ['pending', false, 'up', 'up', null, []],
  ['pending', false, 'down', 'down', 'open', ['monitor.down']],
  ['pending', false, 'degraded', 'degraded', null, ['monitor.degraded']],
  ['pending', false, 'pending', 'pending', null, []],
  ['up', false, 'up', 'up', null, []],
  ['up', false, 'down', 'down', 'open', ['monitor.down']],
  ['up', false, 'degraded', 'degraded', null, ['monitor.degraded']],
  ['up', false, 'pending', 'up', null, []],
  ['down', true, 'up', 'up', 'resolve', ['monitor.recovery']],
  ['down', true, 'down', 'down', null, []],
  ['down', true, 'degraded', 'degraded', 'resolve', ['monitor.recovery', 'monitor.degraded']],
  ['down', true, 'pending', 'down', null, []],
  ['degraded', false, 'up', 'up', null, []],
  ['degraded', false, 'down', 'down', 'open', ['monitor.down']],
  ['degraded', false, 'degraded', 'degraded', null, ['monitor.degraded']],
  ['degraded', false, 'pending', 'degraded', null, []],
]

describe('the meaning of a result', () => {
  for (const [was, hasOpenIncident, found, status, incident, events] of TABLE) {
    test(`${was}, then ${found}`, () => {
      const certificate = found === 'degraded' ? { expiresAt: EXPIRES_AT, fingerprint: 'new' } : null
      const standing = { status: was, hasOpenIncident, passing: 0, warnedCertificate: 'old' }
      assert.deepEqual(decide(standing, { status: found, certificate }), {
        status,
        incident,
        events,
        warnedCertificate: found === 'degraded' ? 'new' : 'old',
        passing: 0,
      })
    })
  }

  test('the warning of a certificate is given once, whatever happens in between', () => {
    const certificate = { expiresAt: EXPIRES_AT, fingerprint: 'one' }
    const warned = { hasOpenIncident: false, passing: 0, warnedCertificate: 'one' }
    assert.deepEqual(decide({ status: 'up', ...warned }, { status: 'degraded', certificate }).events, [])
    const recovered = decide(
      { status: 'down', ...warned, hasOpenIncident: true },
      { status: 'degraded', certificate },
    )
    assert.deepEqual([recovered.incident, recovered.events], ['resolve', ['monitor.recovery']])
  })
})
