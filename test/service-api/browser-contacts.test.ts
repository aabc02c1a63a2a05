import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../src/operations/accounts/operator-accounts.ts'
import { CONTACTS } from '../support/services/api-bodies.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { type People, type Person, peopleOf, type Team } from '../support/services/people.ts'

const PATH = '/notification-contacts'

describe('browsers as contacts', () => {
  let service: AskedService
  let people: People
  let team: Team

  before(async () => {
    service = await apiService()
    people = peopleOf(service)
    team = await people.team()
  })

  const namesOf = async () =>
    ((await team.owner.data(team.id, 'GET', PATH)) as { name: string }[]).map(({ name }) => name)
  /** The browser of somebody, as a contact of the team. */
  const addBrowser = (person: Person, device: string) =>
    person.data(team.id, 'POST', PATH, { ...CONTACTS.webpush, name: `${person.name}, ${device}` })

  it('subscribe with one key, the same for all teams, which viewers need not know', async () => {
    const other = await people.team()
    const keys = [
      await team.owner.data(team.id, 'GET', '/push-key'),
      await team.admin.data(team.id, 'GET', '/push-key'),
      await other.owner.data(other.id, 'GET', '/push-key'),
    ].map(({ public_key }) => public_key as string)
    assert.equal(new Set(keys).size, 1)
    assert.match(keys[0] ?? '', /^B[\w-]{86}$/)
    assert.equal((await team.viewer.ask(team.id, 'GET', '/push-key')).status, 403)
  })

  it('keep their keys out of the database, as all that is secret', async () => {
    await addBrowser(team.owner, 'Safari on iPhone')
    const { rows } = await service.services.db.pool.query('SELECT config FROM contacts')
    const stored = JSON.stringify(rows)
    for (const value of Object.values(CONTACTS.webpush.config)) assert.equal(stored.includes(value), false)
    const keys = await service.services.db.pool.query('SELECT private_key FROM push_keys')
    assert.match(keys.rows[0].private_key, /^v2\./)
  })

  it('go with the person who leaves the team, and no other contact does', async () => {
    const person = await people.member(team.id, 'admin')
    await addBrowser(person, 'Chrome on Android')
    const mail = await person.data(team.id, 'POST', PATH, { ...CONTACTS.email, name: 'Made by them' })
    await team.owner.ask(team.id, 'DELETE', `/members/${person.id}`)
    const names = await namesOf()
    assert.equal(names.includes(`${person.name}, Chrome on Android`), false)
    assert.ok(names.includes(mail.name))
    assert.ok(names.includes(`${team.owner.name}, Safari on iPhone`))
  })

  it('go with the account, and their names with them', async () => {
    const person = await people.member(team.id, 'admin')
    const device = await addBrowser(person, 'Firefox on Windows')
    await team.owner.data(team.id, 'POST', `${PATH}/${device.id}/test`)
    await accounts.deleteUser(service.services, { email: person.email })
    assert.equal((await namesOf()).includes(device.name), false)
    for (const place of ['/deliveries', '/audit-log']) {
      const { status, body } = await team.owner.ask(team.id, 'GET', place)
      assert.equal(status, 200, place)
      assert.equal(JSON.stringify(body).includes('Firefox on Windows'), false, place)
      assert.match(JSON.stringify(body), /Deleted (account|contact)/, place)
    }
  })

  it('are renamed, silenced and deleted like any contact', async () => {
    const { id } = await addBrowser(team.admin, 'Edge on Windows')
    const patch = { name: 'Office', notify_on_recovery: false }
    const changed = await team.owner.data(team.id, 'PATCH', `${PATH}/${id}`, patch)
    assert.deepEqual(changed, { ...CONTACTS.webpush, id, notify_on_down: true, ...patch })
    assert.equal((await team.owner.ask(team.id, 'DELETE', `${PATH}/${id}`)).status, 204)
  })
})
