import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { allOperations, type OperationId } from '../../../src/contract/contract.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import type { AuditActor } from '../../../src/core/teams/audit.ts'
import { ID_FIELDS } from '../../../src/core/teams/audit-names.ts'
import { type AuditChange, LOGGED_VALUES, loggedFields } from '../../../src/core/teams/audit-values.ts'
import { isAudited, loggedAs } from '../../../src/operations/teams/audit-trail.ts'
import { CONTACTS } from '../../support/services/api-bodies.ts'
import { apiService } from '../../support/services/api-service.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

const SECRET = 'pLaNtEd-0123456789'

/** Operations whose values are not kept, with the reason. */
const WITHOUT_VALUES: Record<string, string> = {
  acknowledgeDrill: 'takes a note, which may be about people',
  acknowledgeIncident: 'takes a note',
  acknowledgeServerIncident: 'takes a note',
  acknowledgeSiteIncident: 'takes a note',
  addIncidentNote: 'takes a note',
  addServerIncidentNote: 'takes a note',
  addSiteIncidentNote: 'takes a note',
  ignoreSiteFinding: 'takes a reason in words',
}

describe('a line of the audit log', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  it('has values that changed, as they were and as they are, and never a secret', async () => {
    const { id, owner, admin } = await people.team()
    const newest = async () => (await owner.data(id, 'GET', '/audit-log'))[0]
    const monitor = await owner.data(id, 'POST', '/monitors', {
      ...{
        name: 'shop',
        type: 'http',
        url: `https://shop.example/?key=${SECRET}-0`,
        check_interval_minutes: 5,
      },
    })
    assert.deepEqual(
      (await newest()).changes.map(({ field, before, after }: AuditChange) => [field, before, after]),
      [
        ['name', null, 'shop'],
        ['type', null, 'http'],
        ['check_interval_minutes', null, '5'],
      ],
    )
    await owner.data(id, 'PATCH', `/monitors/${monitor.id}`, {
      ...{
        check_interval_minutes: 15,
        password: SECRET,
        username: 'ada',
        request_headers: { 'X-Key': SECRET },
      },
      url: `https://shop.example/?key=${SECRET}`,
    })
    const line = await newest()
    assert.deepEqual(line.changes, [{ field: 'check_interval_minutes', before: '5', after: '15' }])
    assert.ok(line.fields.includes('url') && line.fields.includes('password'))
    await owner.data(id, 'POST', `/monitors/${monitor.id}/toggle`)
    assert.deepEqual((await newest()).changes, [{ field: 'is_active', before: 'true', after: 'false' }])
    await owner.data(id, 'PATCH', `/members/${admin.id}`, { role: 'viewer' })
    assert.deepEqual((await newest()).changes, [{ field: 'role', before: 'admin', after: 'viewer' }])
    assert.ok(!JSON.stringify(await owner.data(id, 'GET', '/audit-log')).includes(SECRET))
  })

  const SETTINGS: [method: string, path: string, body: object, changes: string[]][] = [
    ['PATCH', '/team', { name: 'Night crew' }, ['name: Compass → Night crew']],
    [
      'PATCH',
      '/team/confirmation',
      { confirmations: 2, recovery_checks: 3 },
      ['confirmations: 1 → 2', 'recovery_checks: 1 → 3'],
    ],
    [
      'PATCH',
      '/team/language',
      { language: 'de', time_zone: 'Europe/Berlin' },
      ['language: en → de', 'time_zone: null → Europe/Berlin'],
    ],
    ['PATCH', '/on-call-settings', { reminder_minutes: 30 }, ['reminder_minutes: null → 30']],
    [
      'PATCH',
      '/on-call-settings',
      { flapping: { changes: 5, minutes: 30 } },
      ['flapping: null → {"changes":5,"minutes":30}'],
    ],
    ['PUT', '/monitors/MONITOR/tags', { tags: ['env:prod'] }, ['tags: null → env:prod']],
    [
      'PUT',
      '/monitors/MONITOR/escalation-policy',
      { policy_id: 'POLICY' },
      ['policy_id: null → Web (POLICY)'],
    ],
    [
      'POST',
      '/monitor-rows/change',
      { action: 'pause', monitor_ids: ['MONITOR'] },
      ['action: null → pause', 'monitor_ids: null → shop (MONITOR)'],
    ],
    [
      'POST',
      '/tags/changes',
      { kind: 'monitor', ids: ['MONITOR'], add: ['team:web'] },
      ['kind: null → monitor', 'ids: null → shop (MONITOR)', 'add: null → team:web'],
    ],
    ['POST', '/invitations', { email: 'new@example.com', role: 'viewer' }, ['role: null → viewer']],
    [
      'POST',
      '/api-tokens',
      { name: 'Deploys', is_read_only: true, expires_in_days: 90 },
      ['name: null → Deploys', 'is_read_only: null → true', 'expires_in_days: null → 90'],
    ],
  ]

  it('has them, too, where the path names no record, or the record has no such value', async () => {
    const { id, owner } = await people.team()
    await owner.data(id, 'PATCH', '/team', { name: 'Compass' })
    await owner.data(id, 'PATCH', '/team/confirmation', { confirmations: 1, recovery_checks: 1 })
    const target = { type: 'http', url: 'https://shop.example/', check_interval_minutes: 5 }
    const monitor = await owner.data(id, 'POST', '/monitors', { name: 'shop', ...target })
    const contact = await owner.data(id, 'POST', '/notification-contacts', CONTACTS.slack)
    const steps = [{ after_minutes: 5, contact_ids: [contact.id], schedule_id: null }]
    const policy = await owner.data(id, 'POST', '/escalation-policies', { name: 'Web', steps })
    const filled = <T>(value: T): T =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(/"MONITOR"/g, String(monitor.id))
          .replaceAll(/"POLICY"/g, String(policy.id))
          .replaceAll('MONITOR', String(monitor.id))
          .replaceAll('POLICY', String(policy.id)),
      )
    for (const [method, path, body, changes] of SETTINGS.map(filled)) {
      await owner.data(id, method, path, body)
      const [line] = await owner.data(id, 'GET', '/audit-log')
      const said = line.changes.map(
        ({ field, before, after }: AuditChange) => `${field}: ${before || null} → ${after}`,
      )
      assert.deepEqual(said, changes, path)
    }
  })

  it('names the records that it refers to as they are called now, those of the team alone', async () => {
    const [{ id, owner }, other] = [await people.team(), await people.team()]
    const target = { type: 'http', url: 'https://shop.example/', check_interval_minutes: 5 }
    const make = (path: string, body: object) => owner.data(id, 'POST', path, body)
    const shop = await make('/monitors', { name: 'shop', ...target })
    const disk = await make('/monitors', { name: 'disk', ...target, options: { depends_on: [shop.id] } })
    const changed = async () => (await owner.data(id, 'GET', '/audit-log'))[0].changes
    const field = 'options depends_on'
    assert.deepEqual(
      (await changed()).find((change: AuditChange) => change.field === field),
      { field, before: null, after: `shop (${shop.id})` },
    )
    await owner.data(id, 'PATCH', `/monitors/${shop.id}`, { name: 'Shop, new' })
    await owner.data(id, 'PATCH', `/monitors/${disk.id}`, { options: { depends_on: null } })
    assert.deepEqual(await changed(), [{ field, before: `Shop, new (${shop.id})`, after: null }])
    const window = { kind: 'switch', name: 'Deploys', monitor_ids: [shop.id, disk.id] }
    const { id: made } = await make('/maintenance-windows', window)
    await owner.data(id, 'DELETE', `/monitors/${disk.id}`)
    await owner.data(id, 'PATCH', `/maintenance-windows/${made}`, { ...window, monitor_ids: [shop.id] })
    assert.equal((await changed())[0].before, `Shop, new (${shop.id}), disk (${disk.id})`)
    // The name of another team's record stays with that team.
    const theirs = await other.owner.data(other.id, 'POST', '/monitors', { name: 'secret', ...target })
    await owner.send('POST', `/teams/${id}/monitor-rows/change`, {
      action: 'pause',
      monitor_ids: [theirs.id],
    })
    assert.ok(!JSON.stringify(await owner.data(id, 'GET', '/audit-log')).includes('secret'))
  })

  it('knows of every field of ids whose names it can say', () => {
    const names = Object.entries(LOGGED_VALUES).flatMap(([record, fields]) =>
      Object.entries(fields).flatMap(([name, isKept]) =>
        isKept && /(?:^|_)ids?$/.test(name) && !(name in ID_FIELDS) ? [`${record}.${name}`] : [],
      ),
    )
    // With the kind of its records beside it.
    assert.deepEqual(names, ['changeTags.ids'])
  })

  it('is found by everyone who ever acted, also by those who left', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const actors = async () =>
      (await owner.data(id, 'GET', '/audit-actors')).map(({ id: actor, is_member }: AuditActor) => [
        actor,
        is_member,
      ])
    await owner.data(id, 'PATCH', '/team', { name: 'Compass' })
    for (let count = 0; count < 3; count++)
      await admin.data(id, 'POST', '/notification-contacts', { ...CONTACTS.slack, name: `Chat ${count}` })
    const isOf = ([one]: [number]) => one
    assert.deepEqual((await actors()).map(isOf).sort(), [owner.id, admin.id, viewer.id].sort())
    await owner.data(id, 'DELETE', `/members/${admin.id}`)
    const left = await actors()
    assert.deepEqual(left.slice(0, 2).map(isOf).sort(), [owner.id, viewer.id].sort())
    assert.deepEqual(left.slice(2), [[admin.id, false]])
    const [, , gone] = await owner.data(id, 'GET', '/audit-actors')
    assert.equal(gone.name, admin.name)
    const theirs = await owner.data(id, 'GET', `/audit-log?person=${admin.id}`)
    assert.equal(theirs.length, 3)
  })

  it('has values for every operation that has a body, but for those that are named here', () => {
    const audited = (Object.entries(allOperations) as [OperationId, Operation][]).filter(
      ([, operation]) => isAudited(operation) && operation.body !== undefined,
    )
    assert.ok(audited.length > 50, String(audited.length))
    const silent = audited.filter(([id]) => loggedFields(loggedAs(id)).length === 0).map(([id]) => id)
    assert.deepEqual(silent.sort(), Object.keys(WITHOUT_VALUES).sort())
  })
})
