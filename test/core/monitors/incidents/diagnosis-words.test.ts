import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resultWithout } from '../../../../src/core/monitors/check.ts'
import { type Baseline, traitsOf } from '../../../../src/core/monitors/incidents/baseline.ts'
import { boundedFindings, diagnosisText } from '../../../../src/core/monitors/incidents/diagnosis.ts'
import {
  type DiagnosisEvidence,
  type PastCheck,
  sayDiagnosis,
} from '../../../../src/core/monitors/incidents/diagnosis-words.ts'
import type { TargetLook } from '../../../../src/core/monitors/incidents/target-look.ts'
import type { MonitorType } from '../../../../src/core/monitors/monitor-types.ts'

const AT = new Date('2026-11-30T12:00:00Z')
const PASSED: PastCheck = {
  ...{ checkedAt: AT, status: 'up', region: 'lon', responseTimeMs: 20 },
  ...{ httpStatusCode: 200, errorMessage: null },
}
const failed = (region: string): PastCheck => ({
  ...PASSED,
  region,
  status: 'down',
  errorMessage: 'HTTP 503',
})

function evidence(changes: Partial<DiagnosisEvidence>): DiagnosisEvidence {
  return {
    ...{ region: 'lon', since: AT, regions: [], lastPassed: null, certificateExpiresAt: null, fresh: null },
    ...{ notFresh: null, look: null, baseline: null, others: [], othersLeftOut: 0 },
    ...changes,
  }
}

function fresh(changes: object): NonNullable<DiagnosisEvidence['fresh']> {
  const result = { ...resultWithout('down', 'HTTP 503 (expected 200)'), ...changes }
  return { result, limitSeconds: 5, usualSeconds: 30 }
}

describe('the words of a diagnosis', () => {
  const regions: [name: string, seen: PastCheck[], wanted: RegExp][] = [
    ['one region, which needs no word', [failed('lon')], /^nothing more than its checks is known$/],
    ['all regions', [failed('lon'), failed('fra')], /^all 2 regions see it$/],
    ['some regions', [failed('lon'), { ...PASSED, region: 'fra' }], /^seen from lon, not from 1 other$/],
    [
      'one region, where others have not looked since',
      [failed('lon'), { ...PASSED, region: 'fra', checkedAt: new Date(AT.getTime() - 1) }],
      /^nothing more than its checks is known$/,
    ],
    ['none any more', [PASSED, { ...PASSED, region: 'fra' }], /^none of 2 regions sees it$/],
  ]
  for (const [name, seen, wanted] of regions) {
    it(`tell of ${name}`, () => assert.match(sayDiagnosis(evidence({ regions: seen })).summary, wanted))
  }

  it('compare with the last check that passed', () => {
    const expiresAt = new Date('2027-01-01T00:00:00Z')
    const certificate = { expiresAt, fingerprint: 'ab' }
    const found = sayDiagnosis(
      evidence({
        lastPassed: PASSED,
        certificateExpiresAt: AT,
        fresh: fresh({ httpStatusCode: 503, responseTimeMs: 900, certificate }),
      }),
    )
    assert.deepEqual(found.sections.find(({ name }) => name === 'changes')?.lines, [
      'the last check that passed was at 2026-11-30 12:00:00 UTC',
      'status: HTTP 200 before, HTTP 503 now',
      'response time: 20 ms before, 900 ms now',
      'certificate: valid until 2026-11-30 12:00:00 UTC before, until 2027-01-01 00:00:00 UTC now',
    ])
  })

  const BASELINE: Baseline = {
    ...{ seenAt: AT, region: 'lon', address: '192.0.2.1', server: 'nginx', bytes: 18_204, redirect: null },
    fingerprint: 'ab'.repeat(32),
  }
  const SAME = {
    ...{ address: '192.0.2.1', traits: { server: 'nginx', bytes: 18_204, redirect: null } },
    certificate: { expiresAt: AT, fingerprint: 'ab'.repeat(32) },
  }
  const at = '2026-11-30 12:00:00 UTC'
  const look = (changes: object = {}): TargetLook => ({
    ...{ host: 'shop.com', port: 443, isThroughProxy: false, refusal: null, isOurs: false, route: null },
    ...{ names: null, connections: [], encryption: null, ...changes },
  })
  const named = (addresses: string[]) => ({
    names: { kind: 'asked' as const, aliases: [], addresses, fault: null, zone: null },
  })
  const beside = (...lines: string[]) => [`beside the check that passed at ${at}:`, ...lines]
  const as = (names: string) => `as at ${at}: ${names}`
  const ALL = 'address, server, size, redirect, certificate'
  const TRAITS = SAME.traits
  const looks: [what: string, changes: Partial<DiagnosisEvidence>, lines: string[]][] = [
    ['all as it was', { fresh: fresh(SAME) }, [as(ALL)]],
    [
      'the address',
      { fresh: fresh({ ...SAME, address: '192.0.2.9' }) },
      [...beside('address: 192.0.2.1 before, 192.0.2.9 now'), as(ALL.slice('address, '.length))],
    ],
    [
      'another of the addresses of the name',
      { fresh: fresh({ ...SAME, address: '192.0.2.9' }), look: look(named(['192.0.2.9', '192.0.2.1'])) },
      [as(ALL)],
    ],
    [
      'the address, where no check could be made again',
      { look: look(named(['192.0.2.8', '192.0.2.9'])) },
      beside('address: 192.0.2.1 before, 192.0.2.8, 192.0.2.9 now'),
    ],
    ['an address seen from elsewhere', { region: 'fra', look: look(named(['192.0.2.8'])) }, []],
    ['an address behind a proxy', { look: look({ ...named(['192.0.2.8']), isThroughProxy: true }) }, []],
    [
      'what the server says, and no size',
      { fresh: fresh({ ...SAME, traits: { ...TRAITS, server: null, bytes: null } }) },
      [...beside('server: nginx before, none now'), as('address, redirect, certificate')],
    ],
    [
      'the size',
      { fresh: fresh({ ...SAME, traits: { ...TRAITS, bytes: 0 } }) },
      [...beside('size: 18,204 bytes before, 0 bytes now'), as('address, server, redirect, certificate')],
    ],
    [
      'a redirect, whose end has another address and certificate',
      {
        fresh: fresh({
          ...{ address: '192.0.2.9', traits: { ...TRAITS, redirect: 'https://login.shop.com/?********' } },
          certificate: { expiresAt: AT, fingerprint: 'cd' },
        }),
      },
      [...beside('redirect: none before, https://login.shop.com/?******** now'), as('server, size')],
    ],
    [
      'the certificate',
      { fresh: fresh({ ...SAME, certificate: { expiresAt: AT, fingerprint: 'cd'.repeat(32) } }) },
      [
        ...beside('certificate: SHA-256 abababababababab… before, SHA-256 cdcdcdcdcdcdcdcd… now'),
        as('address, server, size, redirect'),
      ],
    ],
    ['nothing, where no answer came', { fresh: fresh({}) }, []],
  ]
  for (const [what, changes, lines] of looks)
    it(`compare with how the target looked: ${what}`, () => {
      const { sections } = sayDiagnosis(evidence({ baseline: BASELINE, ...changes }))
      assert.deepEqual(sections.find(({ name }) => name === 'changes')?.lines ?? [], lines)
    })

  it('keep of a check that passed what can be compared', () => {
    const { address: _, ...others } = BASELINE
    const keptAs = (type: MonitorType, changes: object = {}) => traitsOf(type, { ...SAME, ...changes })
    assert.deepEqual({ ...keptAs('http'), seenAt: AT, region: 'lon' }, BASELINE)
    for (const type of ['steps', 'mongodb', 'kafka', 'dns', 'docker'] as const)
      assert.deepEqual({ ...keptAs(type), seenAt: AT, region: 'lon' }, { ...others, address: null }, type)
    assert.equal(keptAs('http', { traits: { ...TRAITS, redirect: 'https://x/' } }).address, null)
    assert.deepEqual(keptAs('tcp', { traits: undefined, certificate: null }), {
      ...{ address: '192.0.2.1', server: null, bytes: null, redirect: null, fingerprint: null },
    })
  })

  it('say that a fresh check passes, and how long it waits where checks wait longer', () => {
    const found = sayDiagnosis(evidence({ fresh: fresh({ status: 'up', errorMessage: null }) }))
    assert.equal(found.summary, 'a fresh check from lon passes')
    assert.match(
      found.sections[0]?.lines.at(-1) ?? '',
      /waited 5 s at most, where checks of this monitor wait 30 s/,
    )
  })

  it('tell nothing of the way where the trouble may be ours', () => {
    const look = {
      ...{ host: 'shop.com', port: 443, isThroughProxy: false, names: null, refusal: null, isOurs: false },
      connections: [{ address: '192.0.2.1', ms: null, reason: 'no network here', isOurs: true }],
      ...{ route: null, encryption: null },
    }
    const pending = fresh({ status: 'pending', errorMessage: 'our network seems to be down' })
    for (const trouble of [{ fresh: pending, look }, { look }]) {
      const found = sayDiagnosis(evidence({ ...trouble, regions: [failed('lon')] }))
      assert.equal(found.outcome, 'impossible')
      assert.match(found.summary, /^could not be diagnosed: (our network seems to be down|no network here)$/)
      assert.deepEqual(
        found.sections.map(({ name }) => name),
        ['regions'],
      )
    }
  })

  it('are bounded, one line each, and hide nothing', () => {
    const found = boundedFindings({
      ...{ outcome: 'diagnosed', summary: `a\u202eb\n${'x'.repeat(1_000)}`, region: null },
      sections: { others: Array.from({ length: 1_000 }, () => 'y'.repeat(600)), name: [] },
    })
    assert.ok(found.summary.length <= 300 && !/[\n\u202e]/.test(found.summary))
    assert.deepEqual(
      found.sections.map(({ name }) => name),
      ['others'],
    )
    const lines = found.sections[0]?.lines ?? []
    assert.ok(lines.join('').length <= 2_001)
    assert.equal(lines.at(-1), '…')
    assert.match(
      diagnosisText(found, (heading) => heading.toUpperCase()),
      /\n\nOTHER MONITORS OF THIS HOST OR ADDRESS\n {2}y/,
    )
  })
})
