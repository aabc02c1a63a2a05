import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asWarned } from '../../../src/core/monitors/certificate.ts'
import type { CheckStatus, FoundStatus } from '../../../src/core/monitors/check.ts'
import { decide, type Verdict } from '../../../src/core/monitors/verdict.ts'

const EXPIRES_AT = new Date('2026-12-01T00:00:00Z')
const OLD = { fingerprint: 'old', expires_at: '2026-11-30T00:00:00.000000Z' }

type Expected = [status: CheckStatus, incident: Verdict['incident'], events: Verdict['events']]

/** A monitor and a result, to the new status, the fate of the incident and the events; then the same under maintenance. */
const TABLE: [
  was: CheckStatus,
  hasOpenIncident: boolean,
  found: FoundStatus,
  outside: Expected,
  inside: Expected,
][] = [
  ['pending', false, 'up', ['up', null, []], ['up', null, []]],
  ['pending', false, 'down', ['down', 'open', ['monitor.down']], ['maintenance', null, []]],
  ['pending', false, 'degraded', ['degraded', null, ['monitor.degraded']], ['degraded', null, []]],
  ['pending', false, 'pending', ['pending', null, []], ['pending', null, []]],
  ['up', false, 'up', ['up', null, []], ['up', null, []]],
  ['up', false, 'down', ['down', 'open', ['monitor.down']], ['maintenance', null, []]],
  ['up', false, 'degraded', ['degraded', null, ['monitor.degraded']], ['degraded', null, []]],
  ['up', false, 'pending', ['up', null, []], ['up', null, []]],
  ['down', true, 'up', ['up', 'resolve', ['monitor.recovery']], ['up', 'resolve', ['monitor.recovery']]],
  ['down', true, 'down', ['down', null, []], ['maintenance', null, []]],
  [
    'down',
    true,
    'degraded',
    ['degraded', 'resolve', ['monitor.recovery', 'monitor.degraded']],
    ['degraded', 'resolve', ['monitor.recovery']],
  ],
  ['down', true, 'pending', ['down', null, []], ['down', null, []]],
  ['degraded', false, 'up', ['up', null, []], ['up', null, []]],
  ['degraded', false, 'down', ['down', 'open', ['monitor.down']], ['maintenance', null, []]],
  ['degraded', false, 'degraded', ['degraded', null, ['monitor.degraded']], ['degraded', null, []]],
  ['degraded', false, 'pending', ['degraded', null, []], ['degraded', null, []]],
  ['maintenance', false, 'up', ['up', null, []], ['up', null, []]],
  ['maintenance', false, 'down', ['down', 'open', ['monitor.down']], ['maintenance', null, []]],
  ['maintenance', false, 'degraded', ['degraded', null, ['monitor.degraded']], ['degraded', null, []]],
  ['maintenance', false, 'pending', ['maintenance', null, []], ['maintenance', null, []]],
  [
    'maintenance',
    true,
    'up',
    ['up', 'resolve', ['monitor.recovery']],
    ['up', 'resolve', ['monitor.recovery']],
  ],
  ['maintenance', true, 'down', ['down', null, []], ['maintenance', null, []]],
  [
    'maintenance',
    true,
    'degraded',
    ['degraded', 'resolve', ['monitor.recovery', 'monitor.degraded']],
    ['degraded', 'resolve', ['monitor.recovery']],
  ],
  ['maintenance', true, 'pending', ['maintenance', null, []], ['maintenance', null, []]],
]

describe('the meaning of a result', () => {
  for (const [was, hasOpenIncident, found, ...expected] of TABLE) {
    const standing = { status: was, hasOpenIncident, passing: 0, warnedCertificates: [OLD] }
    const certificate = found === 'degraded' ? { expiresAt: EXPIRES_AT, fingerprint: 'new' } : null
    for (const [isInside, [status, incident, events]] of [false, true].map(
      (inside, index) => [inside, expected[index] as Expected] as const,
    )) {
      const open = hasOpenIncident && was === 'maintenance' ? ' with an open incident' : ''
      test(`${was}${open}, then ${found}${isInside ? ' under maintenance' : ''}`, () => {
        assert.deepEqual(decide(standing, { status: found, certificate }, 1, isInside), {
          status,
          incident,
          events,
          warnedCertificates:
            events.includes('monitor.degraded') && certificate ? [OLD, asWarned(certificate)] : [OLD],
          passing: 0,
          unmet: false,
          warnsOfUnmet: false,
          isUntold: false,
        })
      })
    }
  }

  test('the warning of a certificate is given once, whatever happens in between', () => {
    const certificate = { expiresAt: EXPIRES_AT, fingerprint: 'one' }
    const warned = { hasOpenIncident: false, passing: 0, warnedCertificates: [asWarned(certificate)] }
    assert.deepEqual(decide({ status: 'up', ...warned }, { status: 'degraded', certificate }).events, [])
    const recovered = decide(
      { status: 'down', ...warned, hasOpenIncident: true },
      { status: 'degraded', certificate },
    )
    assert.deepEqual([recovered.incident, recovered.events], ['resolve', ['monitor.recovery']])
  })
})
