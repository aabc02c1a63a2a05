import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  MAX_WARNED_CERTIFICATES,
  standingWarnings,
  type WarnedCertificate,
  warnOfExpiry,
} from '../../../src/core/monitors/certificate.ts'
import { decide, type Standing } from '../../../src/core/monitors/verdict.ts'

const DAY_MS = 86_400_000
const NOON = new Date('2026-11-28T12:00:00Z')
const WARNING_DAYS = 14

/** Days from noon until each certificate expires. A capital letter stands for one that is good for long. */
const VALID_DAYS: Record<string, number> = { a: 5, b: 6, c: 13.5, A: 90, B: 60 }

/**
 * A monitor's life: each letter is a check that receives that certificate, `-` one that fails, `/` a pause or an edit
 * (which leave the state as it is), a digit so many days that pass. Gives the letters that were warned of.
 */
function warnedOf(life: string): string {
  let warned = ''
  let now = NOON
  let state: Standing & { stored: readonly WarnedCertificate[] } = {
    status: 'pending',
    hasOpenIncident: false,
    passing: 0,
    warnedCertificates: [],
    stored: [],
  }
  for (const step of life) {
    if (step === '/') continue
    if (/\d/.test(step)) {
      now = new Date(now.getTime() + Number(step) * DAY_MS)
      continue
    }
    const expiresAt = new Date(NOON.getTime() + (VALID_DAYS[step] ?? 0) * DAY_MS)
    const result = {
      status: step === '-' ? ('down' as const) : ('up' as const),
      responseTimeMs: 1,
      httpStatusCode: 200,
      errorMessage: null,
      phases: null,
      certificate: step === '-' ? null : { expiresAt, fingerprint: step },
    }
    const before = {
      warnedCertificate: null,
      warnedCertificates: state.stored,
      sslExpiresAt: null,
    }
    const verdict = decide(
      { ...state, warnedCertificates: standingWarnings(before, now) },
      warnOfExpiry(result, WARNING_DAYS, now),
    )
    const hasOpenIncident = verdict.incident ? verdict.incident === 'open' : state.hasOpenIncident
    state = { ...verdict, hasOpenIncident, stored: verdict.warnedCertificates }
    if (verdict.events.includes('monitor.degraded')) warned += step
  }
  return warned
}

const TABLE: [name: string, life: string, warned: string][] = [
  ['one certificate', 'aaaa', 'a'],
  ['two that alternate', 'abababababab', 'ab'],
  ['three in any order', 'abcacbbca', 'abc'],
  ['another one and back again', 'aabbaabb', 'ab'],
  ['one that expires soon and a good one', 'aAaAaA', 'a'],
  ['renewed by one that expires soon, too', 'aac', 'ac'],
  ['renewed, and back to the old one', 'aAAAa', 'a'],
  ['a pause and an edit in between', 'a/a/ba/b', 'ab'],
  ['failures in between', 'a-b-a-b-', 'ab'],
  ['a day later', 'a1b1a1b', 'ab'],
  ['one that is good at first', 'B5B99999B8B', 'B'],
]

describe('a certificate that expires soon is warned of once', () => {
  for (const [name, life, warned] of TABLE)
    test(`${name}: ${life}`, () => assert.equal(warnedOf(life), warned))

  const [first, second] = ['first', 'second'].map((fingerprint) => ({
    fingerprint,
    expires_at: '2026-12-04T12:00:00.000000Z',
  })) as [WarnedCertificate, WarnedCertificate]
  const soon = new Date('2026-12-04T12:00:00Z')

  test('beside a process of the release before, which keeps the last one only', () => {
    const from = (warnedCertificate: string | null, warnedCertificates: WarnedCertificate[] | null) =>
      standingWarnings({ warnedCertificate, warnedCertificates, sslExpiresAt: soon }, NOON)
    assert.deepEqual(from(null, null), [])
    assert.deepEqual(from('first', null), [first])
    assert.deepEqual(from('first', [first]), [first])
    assert.deepEqual(from('second', [first]), [first, second])
  })

  test('and forgotten once it has expired', () => {
    const state = { warnedCertificate: null, warnedCertificates: [first], sslExpiresAt: soon }
    assert.deepEqual(standingWarnings(state, new Date(soon.getTime() - 1)), [first])
    assert.deepEqual(standingWarnings(state, soon), [])
  })

  test('and a server that shows another one at each connection alerts a bounded number of times', () => {
    let standing: Standing = { status: 'up', hasOpenIncident: false, passing: 0, warnedCertificates: [] }
    let alerts = 0
    for (let check = 0; check < 2 * MAX_WARNED_CERTIFICATES; check++) {
      const certificate = { expiresAt: soon, fingerprint: String(check) }
      const verdict = decide(standing, { status: 'degraded', certificate })
      alerts += verdict.events.length
      standing = { ...verdict, hasOpenIncident: false }
    }
    assert.equal(alerts, MAX_WARNED_CERTIFICATES)
  })
})
