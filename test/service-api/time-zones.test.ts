import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const TEAM = '/team/language'

describe('the zone in which alerts give times', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  async function contactOf({ id, owner }: Awaited<ReturnType<People['team']>>) {
    const body = { name: 'Ops', type: 'slack', config: { webhook_url: 'https://hooks.example.com/a' } }
    const contact = await owner.data(id, 'POST', '/notification-contacts', body)
    return { contact, path: `/notification-contacts/${contact.id}/time-zone` }
  }

  it('is that of a contact, which owners and admins choose for contacts of their team alone', async () => {
    const team = await people.team()
    const other = await people.team()
    const { id, owner, admin, viewer } = team
    const { contact, path } = await contactOf(team)
    const none = { time_zone: null, team_time_zone: null }
    for (const person of [owner, admin, viewer]) assert.deepEqual(await person.data(id, 'GET', path), none)
    const phoenix = { ...none, time_zone: 'America/Phoenix' }
    assert.deepEqual(await owner.data(id, 'PATCH', path, { time_zone: 'america/phoenix' }), phoenix)
    assert.deepEqual(await admin.data(id, 'PATCH', path, {}), phoenix)
    assert.deepEqual(await viewer.data(id, 'GET', path), phoenix)
    assert.equal((await viewer.ask(id, 'PATCH', path, { time_zone: null })).status, 403)
    for (const [method, body] of [['GET'], ['PATCH', {}], ['PATCH', { time_zone: 'UTC' }]] as const)
      assert.equal((await other.owner.ask(other.id, method, path, body)).status, 404)
    // The record that the public API has is as before.
    assert.deepEqual(await owner.data(id, 'GET', `/notification-contacts/${contact.id}`), contact)
    assert.deepEqual(await admin.data(id, 'PATCH', path, { time_zone: null }), none)
  })

  it('is that of the team for other contacts, and UTC without one', async () => {
    const team = await people.team()
    const { id, owner, viewer } = team
    const { path } = await contactOf(team)
    const before = { language: 'en', time_zone: null }
    assert.deepEqual(await viewer.data(id, 'GET', TEAM), before)
    const vienna = { ...before, time_zone: 'Europe/Vienna' }
    assert.deepEqual(await owner.data(id, 'PATCH', TEAM, { time_zone: 'Europe/Vienna' }), vienna)
    assert.deepEqual(await owner.data(id, 'PATCH', TEAM, { language: 'de' }), { ...vienna, language: 'de' })
    assert.deepEqual(await owner.data(id, 'PATCH', TEAM, { language: 'en' }), vienna)
    assert.deepEqual(await viewer.data(id, 'GET', path), { time_zone: null, team_time_zone: 'Europe/Vienna' })
    assert.equal((await viewer.ask(id, 'PATCH', TEAM, { time_zone: null })).status, 403)
    assert.deepEqual(await owner.data(id, 'PATCH', TEAM, { time_zone: null }), before)
  })

  it('is one of the zone database', async () => {
    const team = await people.team()
    const { id, owner } = team
    const { path } = await contactOf(team)
    for (const time_zone of ['Mars/Olympus', '+02:00', '', 1]) {
      assertInvalid(await owner.ask(id, 'PATCH', path, { time_zone }), ['time_zone'])
      assertInvalid(await owner.ask(id, 'PATCH', TEAM, { time_zone }), ['time_zone'])
    }
  })

  it('stands in the audit log with its values, and comes back with a contact that was deleted', async () => {
    const team = await people.team()
    const { id, owner } = team
    const { contact, path } = await contactOf(team)
    await owner.data(id, 'PATCH', path, { time_zone: 'Asia/Kolkata' })
    await owner.data(id, 'PATCH', TEAM, { time_zone: 'Europe/Vienna' })
    const [ofTeam, ofContact] = await owner.data(id, 'GET', '/audit-log')
    const from = { field: 'time_zone', before: null }
    assert.deepEqual(
      [ofTeam.action, ofTeam.changes],
      ['updateTeamLanguage', [{ ...from, after: 'Europe/Vienna' }]],
    )
    assert.deepEqual(
      [ofContact.action, ofContact.subject, ofContact.changes],
      ['updateContactTimeZone', 'Ops', [{ ...from, after: 'Asia/Kolkata' }]],
    )
    assert.equal((await owner.ask(id, 'DELETE', `/notification-contacts/${contact.id}`)).status, 204)
    await owner.data(id, 'POST', '/deleted-records/restore', { kind: 'Contact', id: contact.id })
    assert.equal((await owner.data(id, 'GET', path)).time_zone, 'Asia/Kolkata')
  })
})
