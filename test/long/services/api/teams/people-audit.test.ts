// npm test leaves this out: it does everything that the audit log tells of (seconds of a core).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { DAY_MS } from '../../../../../src/core/history/history-span.ts'
import { upkeepRound } from '../../../../../src/engine/history/upkeep.ts'
import { noRecords } from '../../../../support/history/upkeep.ts'
import { addRow, addRows, ago } from '../../../../support/records/rows.ts'
import { MONITORS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, type Person, peopleOf } from '../../../../support/services/people.ts'
import { commander } from '../../../../support/services/remote-command.ts'

type Entry = {
  actor: string | null
  door: string
  action: string
  subject: string | null
  subject_id: number | null
  fields: string[]
}

describe('the audit log', () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
  })

  const entriesOf = async (reader: Person, teamId: number): Promise<Entry[]> =>
    reader.data(teamId, 'GET', '/audit-log?per_page=100')

  /** The entries written since `before`, oldest first. */
  const since = async (reader: Person, teamId: number, before: Entry[]) =>
    (await entriesOf(reader, teamId)).slice(0, -before.length).reverse()

  it('says who changed what in the dashboard, what it was called, and which fields were sent', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const before = await entriesOf(owner, id)
    const monitor = await admin.data(id, 'POST', '/monitors', { ...MONITORS.http, name: 'Shop' })
    await admin.data(id, 'PATCH', `/monitors/${monitor.id}`, { name: 'Store', made_up: 1 })
    await admin.ask(id, 'DELETE', `/monitors/${monitor.id}`)
    await owner.data(id, 'PATCH', `/members/${viewer.id}`, { role: 'admin' })
    const token = await admin.data(id, 'POST', '/api-tokens', { name: 'ci' })
    await owner.ask(id, 'DELETE', `/api-tokens/${token.id}`)
    const { id: invitationId } = await owner.data(id, 'POST', '/invitations', {
      email: 'ann@example.com',
      role: 'viewer',
    })
    await owner.ask(id, 'DELETE', `/invitations/${invitationId}`)
    await owner.data(id, 'GET', '/team/signing-secret')
    await owner.data(id, 'POST', '/team/signing-secret/rotate')
    await owner.data(id, 'PATCH', '/team', { name: 'Night shift' })
    await admin.ask(id, 'POST', '/team/leave')
    const rows = (await since(owner, id, before)).map((entry) => [
      entry.actor,
      entry.action,
      entry.subject,
      entry.subject_id,
      entry.fields.join(),
      entry.door,
    ])
    const http = Object.keys({ ...MONITORS.http, name: '' }).join()
    const expected = [
      [admin.name, 'createMonitor', 'Shop', monitor.id, http],
      [admin.name, 'updateMonitor', 'Shop', monitor.id, 'name'],
      [admin.name, 'deleteMonitor', 'Store', monitor.id, ''],
      [owner.name, 'updateMember', viewer.name, viewer.id, 'role'],
      [admin.name, 'createApiToken', 'ci', token.id, 'name'],
      [owner.name, 'revokeApiToken', 'ci', token.id, ''],
      [owner.name, 'createInvitation', 'ann@example.com', invitationId, 'email,role'],
      [owner.name, 'revokeInvitation', 'ann@example.com', invitationId, ''],
      [owner.name, 'showSigningSecret', null, null, ''],
      [owner.name, 'rotateSigningSecret', null, null, ''],
      [owner.name, 'updateTeam', 'Night shift', id, 'name'],
      [admin.name, 'leaveTeam', null, null, ''],
    ]
    assert.deepEqual(
      rows,
      expected.map((row) => [...row, 'dashboard']),
    )
  })

  it('tells the doors apart: dashboard, API and command line', async (t) => {
    const operator = commander(service.services)
    t.after(() => operator.close())
    const { id, owner } = await people.team()
    const { token } = await owner.data(id, 'POST', '/api-tokens', { name: 'script' })
    const before = await entriesOf(owner, id)
    await service.call(token, 'POST', '/monitors', MONITORS.tcp)
    const { data } = await operator.run([
      ...['token', 'create', '--team', String(id), '--email', owner.email, '--name', 'laptop', '--json'],
    ])
    await operator.run(['team', 'set-plan', String(id), 'pro'])
    await operator.run(['team', 'signing-secret', String(id), '--rotate'])
    const member = ['--team', String(id), '--email', (await people.person()).email]
    await operator.run(['member', 'add', ...member, '--role', 'viewer'])
    await operator.run(['member', 'remove', ...member])
    await operator.run(['token', 'revoke', String(data.id)])
    const rows = (await since(owner, id, before)).map(({ actor, door, action }) => [actor, door, action])
    assert.deepEqual(rows, [
      [owner.name, 'api', 'createMonitor'],
      [null, 'cli', 'createApiToken'],
      [null, 'cli', 'setPlan'],
      [null, 'cli', 'rotateSigningSecret'],
      [null, 'cli', 'addMember'],
      [null, 'cli', 'removeMember'],
      [null, 'cli', 'revokeApiToken'],
    ])
  })

  it('has no line of what only read, nor of what was refused', async () => {
    const { id, owner, admin, viewer } = await people.team()
    const before = await entriesOf(owner, id)
    for (const path of ['/team', '/monitors', '/members', '/invitations', '/api-tokens', '/audit-log']) {
      await owner.data(id, 'GET', path)
    }
    const refused = [
      await viewer.ask(id, 'POST', '/monitors', MONITORS.http),
      await admin.ask(id, 'PATCH', '/team', { name: 'Mine' }),
      await owner.ask(id, 'POST', '/monitors', {}),
      await owner.ask(id, 'DELETE', '/monitors/999999'),
      await owner.ask(id, 'POST', '/team/leave'),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 422, 404, 422],
    )
    assert.deepEqual(await entriesOf(owner, id), before)
  })

  it('holds no value of any field', async () => {
    const { id, owner } = await people.team()
    const secret = () => randomBytes(12).toString('hex')
    const [hook, password, header, made] = [secret(), secret(), secret(), secret()]
    const monitor = await owner.data(id, 'POST', '/monitors', {
      ...MONITORS.http,
      username: 'ann',
      password,
      request_headers: { 'X-Key': header },
      [made]: made,
    })
    await owner.data(id, 'PATCH', `/monitors/${monitor.id}`, {
      password,
      request_headers: { [made]: header },
    })
    const contact = { name: 'Hook', type: 'webhook', config: { url: `http://127.0.0.1/${hook}` } }
    await owner.data(id, 'POST', '/notification-contacts', contact)
    const { token } = await owner.data(id, 'POST', '/api-tokens', { name: 'x' })
    const { link } = await owner.data(id, 'POST', '/invitations', { email: 'b@example.com', role: 'viewer' })
    const { signing_secret } = await owner.data(id, 'POST', '/team/signing-secret/rotate')
    const { rows } = await service.services.db.pool.query(
      'SELECT e::text AS row FROM audit_entries e WHERE team_id = $1',
      [id],
    )
    const dump = JSON.stringify(rows)
    for (const known of ['password', 'request_headers', 'config', 'Hook', 'rotateSigningSecret']) {
      assert.ok(dump.includes(known), known)
    }
    const secrets = [hook, password, header, made, token, link.split('#')[1], signing_secret, 'whsec_']
    for (const hidden of secrets) assert.ok(!dump.includes(hidden), hidden)
  })

  it('is read in pages, the newest first, and keeps changes that come at once apart', async () => {
    const { id, owner } = await people.team()
    const before = (await entriesOf(owner, id)).length
    const names = Array.from({ length: 12 }, (_, index) => `M${index}`)
    await Promise.all(names.map((name) => owner.data(id, 'POST', '/monitors', { ...MONITORS.http, name })))
    const page = (await owner.ask(id, 'GET', '/audit-log?page=2&per_page=5')).body
    assert.deepEqual([page.data.length, page.meta.total, page.meta.from], [5, before + 12, 6])
    assert.match(page.links.next, new RegExp(`/app/teams/${id}/audit-log\\?per_page=5&page=3$`))
    const all = await entriesOf(owner, id)
    const ids = all.map((entry) => (entry as Entry & { id: number }).id)
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    )
    const subjects = all.slice(0, 12).map(({ subject }) => subject)
    assert.deepEqual(subjects.sort(), names.sort())
    assert.deepEqual(await owner.data(id, 'GET', '/audit-log?page=99'), [])
    for (const query of ['page=0', 'per_page=101', 'page=x']) {
      assertInvalid(await owner.ask(id, 'GET', `/audit-log?${query}`), [query.split('=')[0] as string])
    }
  })

  it('goes on naming who did something after they are gone from the team', async () => {
    const { id, owner, admin } = await people.team()
    await admin.data(id, 'POST', '/monitors', MONITORS.http)
    await owner.ask(id, 'DELETE', `/members/${admin.id}`)
    const [removed, created] = await entriesOf(owner, id)
    assert.deepEqual([removed?.action, removed?.subject], ['removeMember', admin.name])
    assert.deepEqual([created?.action, created?.actor], ['createMonitor', admin.name])
  })

  it('is kept for 400 days, and so are the logs of accounts', async () => {
    const { id, owner } = await people.team()
    const { db, plans, now } = service.services
    const write = (days: number, count: number) => {
      const columns = { team_id: id, at: ago(days * DAY_MS), door: 'cli' as const, fields: [] }
      const entry = { ...columns, action: `${days} days old` }
      return addRows(
        db,
        'audit_entries',
        Array.from({ length: count }, () => entry),
      )
    }
    // Ids grow with time, as they do when entries are written as things happen.
    await db.pool.query('DELETE FROM audit_entries')
    await write(401, 2_500)
    await write(399, 2)
    await db.pool.query('DELETE FROM account_events')
    for (const days of [401, 399]) {
      const event = { user_id: owner.id, at: ago(days * DAY_MS), kind: 'passkey_added' as const }
      await addRow(db, 'account_events', event)
    }
    const troubles: unknown[] = []
    const onTrouble = (error: unknown) => void troubles.push(error)
    for await (const _step of upkeepRound({
      db,
      plans,
      now,
      lookUpTxt: noRecords,
      onTrouble,
      note: () => {},
    }));
    assert.deepEqual(troubles, [])
    const actions = (await entriesOf(owner, id)).map(({ action }) => action)
    assert.deepEqual(actions, ['399 days old', '399 days old'])
    assert.equal((await owner.send('GET', '/auth/log')).body.data.length, 1)
  })
})
