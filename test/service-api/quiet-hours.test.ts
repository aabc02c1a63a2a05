import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { WEEKDAYS } from '../../src/core/maintenance/recurrence.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import { type People, peopleOf } from '../support/services/people.ts'

const NIGHTS = {
  time_zone: 'Europe/Berlin',
  hours: { days: ['MO', 'TU'], from: '22:00', until: '07:00' },
  action: 'hold',
  except_down: true,
}
const OFF = { quiet_hours: null, quiet_until: null }

describe('the quiet hours of a contact', () => {
  let people: People

  before(async () => {
    people = peopleOf(await apiService())
  })

  async function contactOf({ id, owner }: Awaited<ReturnType<People['team']>>) {
    const body = { name: 'Ops', type: 'webhook', config: { url: 'https://hooks.example.com/a' } }
    const contact = await owner.data(id, 'POST', '/notification-contacts', body)
    return { contact, path: `/notification-contacts/${contact.id}/quiet-hours` }
  }

  it('are off at first, and seen by every member', async () => {
    const team = await people.team()
    const { path } = await contactOf(team)
    for (const person of [team.owner, team.admin, team.viewer])
      assert.deepEqual(await person.data(team.id, 'GET', path), OFF)
  })

  it('are changed and turned off by owners and admins, for contacts of their team alone', async () => {
    const team = await people.team()
    const other = await people.team()
    const { contact, path } = await contactOf(team)
    const { id, owner, admin, viewer } = team
    const changed = await owner.data(id, 'PUT', path, { quiet_hours: NIGHTS })
    assert.deepEqual(changed.quiet_hours, NIGHTS)
    assert.deepEqual((await viewer.data(id, 'GET', path)).quiet_hours, NIGHTS)
    assert.equal((await viewer.ask(id, 'PUT', path, { quiet_hours: null })).status, 403)
    for (const method of ['GET', 'PUT'])
      assert.equal((await other.owner.ask(other.id, method, path, { quiet_hours: null })).status, 404)
    const { except_down, ...rest } = NIGHTS
    assert.deepEqual((await admin.data(id, 'PUT', path, { quiet_hours: rest })).quiet_hours, {
      ...rest,
      except_down: false,
    })
    assert.deepEqual(await owner.data(id, 'GET', `/notification-contacts/${contact.id}`), contact)
    assert.deepEqual(await admin.data(id, 'PUT', path, { quiet_hours: null }), OFF)
    const entries = await owner.data(id, 'GET', '/audit-log')
    assert.deepEqual(
      entries
        .filter(({ action }: { action: string }) => action === 'updateContactQuietHours')
        .map((entry: { actor: string; subject_name: string }) => entry.actor),
      [admin.name, admin.name, owner.name],
    )
  })

  it('say until when it is quiet', async () => {
    const team = await people.team()
    const { path } = await contactOf(team)
    const now = new Date()
    const hour = now.getUTCHours()
    const time = (hours: number) => `${String((hour + hours + 24) % 24).padStart(2, '0')}:00`
    const around = { days: WEEKDAYS, from: time(-1), until: time(2) }
    const quiet = { ...NIGHTS, time_zone: 'UTC', hours: around }
    const { quiet_until } = await team.owner.data(team.id, 'PUT', path, { quiet_hours: quiet })
    assert.ok(Date.parse(quiet_until) > now.getTime())
    const later = { ...quiet, hours: { days: WEEKDAYS, from: time(3), until: time(4) } }
    assert.equal((await team.owner.data(team.id, 'PUT', path, { quiet_hours: later })).quiet_until, null)
  })

  it('have rules, which a refusal names with the field', async () => {
    const team = await people.team()
    const { path } = await contactOf(team)
    const { hours } = NIGHTS
    for (const [quiet_hours, field] of [
      [undefined, 'quiet_hours'],
      [{ ...NIGHTS, time_zone: 'Mars/Olympus' }, 'quiet_hours.time_zone'],
      [{ ...NIGHTS, action: 'wait' }, 'quiet_hours.action'],
      [{ ...NIGHTS, except_down: 1 }, 'quiet_hours.except_down'],
      [{ ...NIGHTS, hours: { ...hours, days: [] } }, 'quiet_hours.hours.days'],
      [{ ...NIGHTS, hours: { ...hours, from: '24:00' } }, 'quiet_hours.hours.from'],
      [{ ...NIGHTS, hours: { days: WEEKDAYS, from: '08:00', until: '08:00' } }, 'quiet_hours.hours.until'],
    ] as const) {
      assertInvalid(await team.owner.ask(team.id, 'PUT', path, { quiet_hours }), [field])
    }
    assert.deepEqual(await team.owner.data(team.id, 'GET', path), OFF)
  })
})
