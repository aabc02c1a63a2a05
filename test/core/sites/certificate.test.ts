import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatInstant } from '../../../src/core/instant.ts'
import { CertificateMemory, judgeCertificate } from '../../../src/core/sites/certificate.ts'
import type { ShownCertificate } from '../../../src/core/sites/shown-site.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-21T00:00:00.000Z')
const NEW = CertificateMemory.parse({})

function certificate(days: number, changes: Partial<ShownCertificate> = {}): ShownCertificate {
  const expires_at = formatInstant(new Date(NOW.getTime() + days * DAY_MS))
  return {
    subject: 'shop.example',
    issuer: 'Authority',
    names: [],
    expires_at,
    fingerprint: 'f1',
    ...changes,
  }
}
const judge = (shown: ShownCertificate, before = NEW, now = NOW) =>
  judgeCertificate({ kind: 'valid', chain: [shown] }, before, now)
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

describe('the certificate of a site', () => {
  test('warns at 14, 7, 3 days and 1 day before its end, once each', () => {
    let memory = NEW
    const warned: number[] = []
    for (let hour = 0; hour < 29 * 24; hour++) {
      const look = judge(certificate(30), memory, new Date(NOW.getTime() + hour * 3_600_000))
      memory = look.memory
      if (look.warning !== null) warned.push(30 - hour / 24)
    }
    assert.deepEqual(warned, [14, 7, 3])
    assert.equal(
      judge(certificate(30), memory, after(29)).warning,
      'the certificate expires on 2026-12-21, in 1 day',
    )
  })

  test('is up again once it is renewed, and says so; the next one warns by itself', () => {
    const old = judge(certificate(5)).memory
    const renewed = judge(certificate(90, { fingerprint: 'f2' }), old)
    assert.deepEqual([renewed.status, renewed.warning], ['up', null])
    assert.match(renewed.cause ?? '', /^renewed: valid until 2027-02-19/)
    const short = judge(certificate(5, { fingerprint: 'f3' }), old)
    assert.match(short.warning ?? '', /in 5 days/)
  })

  test('tells of another issuer once two looks have seen it, not of another certificate of the same', () => {
    const known = judge(certificate(90)).memory
    assert.equal(judge(certificate(90, { fingerprint: 'f2' }), known).warning, null)
    const mallory = certificate(90, { fingerprint: 'f2', issuer: 'Mallory' })
    const change = 'the certificate has another issuer: Mallory, before Authority'
    const first = judge(mallory, known)
    assert.deepEqual([first.status, first.warning, first.doubt], ['up', null, change])
    const tooSoon = judge(mallory, first.memory, minutes(1))
    assert.deepEqual([tooSoon.warning, tooSoon.doubt], [null, change])
    const second = judge(mallory, tooSoon.memory, minutes(5))
    assert.deepEqual([second.warning, second.doubt], [change, null])
    assert.equal(judge(mallory, second.memory, minutes(65)).warning, null, 'told once')
    const gone = judge(certificate(90), first.memory, minutes(5))
    assert.deepEqual([gone.warning, gone.doubt], [null, null])
    assert.equal(judge(mallory, gone.memory, minutes(60)).warning, change, 'seen again')
    const dayLater = judge(certificate(90), gone.memory, minutes(24 * 60 + 1))
    assert.equal(judge(mallory, dayLater.memory, minutes(25 * 60)).doubt, change, 'once a day is by chance')
  })

  test('has two issuers by turns where two servers differ, which is told once', () => {
    let memory = NEW
    const warned: number[] = []
    // Two looks in a row meet each server.
    for (let look = 0; look < 40; look++) {
      const issuer = look % 4 < 2 ? 'One' : 'Two'
      const found = judge(certificate(90, { fingerprint: issuer, issuer }), memory, minutes(5 * look))
      memory = found.memory
      if (found.warning !== null) warned.push(look)
    }
    assert.deepEqual(warned, [3])
  })

  test('is told once where several stand behind one name', () => {
    const shown: Record<string, ShownCertificate> = {
      a: certificate(5),
      b: certificate(6.5, { fingerprint: 'f2', issuer: 'Other' }),
      A: certificate(90, { fingerprint: 'f3' }),
      B: certificate(80, { fingerprint: 'f4', issuer: 'Other' }),
    }
    const TABLE: [looks: string, warnings: RegExp[]][] = [
      ['abababab', [/in 5 days/, /in 6 days$/, /issuer: Other, before Authority/]],
      ['aabbaabb', [/in 5 days/, /in 6 days$/, /issuer: Other, before Authority/]],
      ['ABABABAB', [/issuer: Other, before Authority/]],
      ['aAaAaA', [/in 5 days/]],
    ]
    for (const [looks, expected] of TABLE) {
      let memory = NEW
      const changes = new Set<string | null>()
      const warnings: string[] = []
      for (const [hour, letter] of [...looks].entries()) {
        const now = new Date(NOW.getTime() + hour * 3_600_000)
        const look = judge(shown[letter] as ShownCertificate, memory, now)
        memory = CertificateMemory.parse(JSON.parse(JSON.stringify(look.memory)))
        changes.add(memory.changed_at)
        if (look.warning !== null) warnings.push(look.warning)
      }
      assert.equal(warnings.length, expected.length, `${looks}: ${warnings.join(' | ')}`)
      for (const [index, pattern] of expected.entries()) assert.match(warnings[index] ?? '', pattern)
      assert.equal(changes.size, 2, looks)
    }
  })

  test('is known from the memory of the release before, too', () => {
    const { known, ...before } = judge(certificate(5)).memory
    assert.equal(known.length, 1)
    const memory = CertificateMemory.parse(before)
    const other = judge(certificate(6, { fingerprint: 'f2' }), memory)
    assert.match(other.warning ?? '', /in 6 days/)
    assert.equal(judge(certificate(5), other.memory).warning, null)
  })

  test('that browsers refuse is down; without an answer nothing is known', () => {
    const known = judge(certificate(90)).memory
    const refused = judgeCertificate({ kind: 'refused', reason: 'expired', chain: [] }, known, NOW)
    assert.deepEqual([refused.status, refused.cause, refused.memory.chain], ['down', 'expired', known.chain])
    const unknown = judgeCertificate({ kind: 'unknown', reason: 'silence' }, known, NOW)
    assert.deepEqual([unknown.status, unknown.memory], ['pending', known])
    assert.equal(judgeCertificate({ kind: 'none' }, NEW, NOW).status, 'up')
  })
})
