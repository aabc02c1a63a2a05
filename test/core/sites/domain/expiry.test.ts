import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DomainMemory, judgeDomain } from '../../../../src/core/sites/domain/expiry.ts'
import type { Registration } from '../../../../src/core/sites/domain/registration.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-21T12:00:00Z')
const NEW = DomainMemory.parse({})
const after = (days: number) => new Date(NOW.getTime() + days * DAY_MS)
const dated = (days: number): Registration => ({ kind: 'dated', expiresAt: after(days), statuses: [] })
const judge = (registration: Registration, before = NEW, now = NOW, byHand: string | null = null) =>
  judgeDomain({ domain: 'shop.com', registration, byHand }, before, now)

describe('the registration of a domain', () => {
  test('warns 30, 14, 7 days and 1 day before its end, once each, and is down only after it', () => {
    let memory = NEW
    const warned: number[] = []
    const statuses: string[] = []
    for (let day = 0; day <= 41; day++) {
      const look = judge(dated(40), memory, after(day))
      memory = look.memory
      if (look.warning !== null) warned.push(40 - day)
      if (statuses.at(-1) !== look.status) statuses.push(look.status)
    }
    assert.deepEqual(warned, [30, 14, 7, 1])
    assert.deepEqual(statuses, ['up', 'degraded', 'down'])
  })

  test('says that it was renewed when its end has moved', () => {
    const before = judge(dated(5)).memory
    assert.match(judge(dated(370), before).cause ?? '', /^renewed: registered until/)
  })

  test('keeps its date while the registry cannot be asked', () => {
    const before = judge(dated(90)).memory
    const look = judge({ kind: 'unknown', reason: 'silence' }, before)
    assert.deepEqual([look.status, look.memory.expires_at], ['up', before.expires_at])
    const never = judge({ kind: 'unknown', reason: 'silence' })
    assert.deepEqual([never.status, never.cause], ['pending', 'Not known: silence.'])
  })

  test('takes a date by hand where the registry has none, also when it changes or goes', () => {
    const undated: Registration = { kind: 'undated', statuses: [] }
    const unknown: Registration = { kind: 'unknown', reason: 'silence' }
    assert.equal(
      judge(undated).cause,
      'The registry does not publish when it ends: enter the date by hand to be reminded.',
    )
    for (const registration of [undated, unknown]) {
      const entered = judge(registration, NEW, NOW, '2026-11-30')
      assert.deepEqual([entered.status, entered.memory.source], ['degraded', 'Entered by hand.'])
      const moved = judge(registration, entered.memory, NOW, '2027-11-30')
      assert.deepEqual([moved.status, moved.memory.expires_at?.slice(0, 10)], ['up', '2027-11-30'])
      assert.equal(judge(registration, moved.memory).memory.expires_at, null)
    }
    assert.equal(judge(dated(90), NEW, NOW, '2026-11-30').status, 'up')
  })

  test('that is none is up with the reason; one that nobody has is down', () => {
    const none = judge({ kind: 'none', reason: 'the name is private' })
    assert.deepEqual([none.status, none.cause], ['up', 'The name is private.'])
    const gone = judge({ kind: 'unregistered' }, judge(dated(5)).memory)
    assert.deepEqual(
      [gone.status, gone.cause, gone.memory.expires_at],
      ['down', 'shop.com is not registered', null],
    )
  })
})
