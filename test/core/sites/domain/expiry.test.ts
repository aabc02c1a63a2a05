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

  test('keeps a date that the registry told until it is over, when the registry says less for once', () => {
    const before = judge(dated(90)).memory
    const undated: Registration = { kind: 'undated', statuses: [] }
    const look = judge(undated, before)
    assert.deepEqual([look.status, look.memory.expires_at], ['up', before.expires_at])
    const soon = judge(undated, before, after(80))
    assert.match(soon.warning ?? '', /ends on 2027-02-19, in 10 days/)
    const over = judge(undated, before, after(91))
    assert.deepEqual([over.status, over.memory.expires_at], ['up', null], 'it is registered still')
    const silent = judge({ kind: 'unknown', reason: 'silence' }, before, after(91))
    assert.deepEqual([silent.status, silent.memory.expires_at], ['pending', before.expires_at])
  })

  test('takes an earlier date once two looks an hour apart have seen it, a later one at once', () => {
    const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
    const before = judge(dated(90)).memory
    const first = judge(dated(5), before)
    assert.deepEqual(
      [first.status, first.warning, first.doubt],
      ['up', null, 'the registration of shop.com ends on 2026-11-26'],
    )
    assert.equal(first.memory.expires_at, before.expires_at)
    assert.equal(judge(dated(90), first.memory, hours(1)).memory.earlier, null)
    const second = judge(dated(5), first.memory, hours(1))
    assert.deepEqual([second.status, second.memory.expires_at], ['degraded', '2026-11-26T12:00:00.000000Z'])
    assert.match(second.warning ?? '', /ends on 2026-11-26/)
    const later = judge(dated(400), second.memory, hours(2))
    assert.deepEqual([later.status, later.doubt ?? null], ['up', null])
  })

  test('warns once of a date that two sources tell a few hours apart', () => {
    const first = judge(dated(10))
    assert.notEqual(first.warning, null)
    const other = judge(
      { kind: 'dated', expiresAt: new Date(after(10).getTime() - 36e5), statuses: [] },
      first.memory,
    )
    assert.deepEqual([other.status, other.warning], ['degraded', null])
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
