import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { IncidentStory } from '../../../src/core/monitors/incident-story.ts'
import { SCHEDULE_ROWS, ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { acknowledgementUrl } from '../../../src/store/on-call/acknowledgement-links.ts'
import { layer } from '../../support/on-call/schedules.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { assertInvalid } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { type People, type Person, peopleOf, type Team } from '../../support/services/people.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')

let service: AskedService
let people: People
let recorder: Recorder
let numbers = 0

before(async () => {
  service = await apiService()
  people = peopleOf(service)
  recorder = createRecorder(service.services.db, assert.ifError)
})
after(() => recorder.close())

/** A team whose people have numbers, with a schedule for each of its members and of a stranger. */
async function world() {
  const team = await people.team()
  const { owner, admin, viewer } = team
  const outsider = (await people.team()).owner
  const phones = new Map<number, string>()
  for (const person of [owner, admin, viewer, outsider]) {
    const phone = `+49170${String(++numbers).padStart(6, '0')}`
    assert.equal((await person.send('PATCH', '/auth/person', { phone })).status, 204)
    phones.set(person.id, phone)
  }
  const contact = async (name: string): Promise<number> => {
    const hook = { name, type: 'webhook', config: { url: 'https://hooks.example.com/x' } }
    return (await owner.data(team.id, 'POST', '/notification-contacts', hook)).id
  }
  const contacts = new Map([owner, admin, viewer].map(({ id }) => [id, contact(`of ${id}`)]))
  const schedule = async ({ id, name }: Person): Promise<number> => {
    const contact_ids = [(await contacts.get(id)) ?? 0]
    const body = {
      ...{ name: `Of ${name}`, time_zone: 'UTC' },
      participants: [{ key: 1, name, user_id: id, contact_ids }],
      layers: [layer({ rotation: [1], starts_on: '2026-01-05' })],
    }
    return ScheduleDetail.parse(await owner.data(team.id, 'POST', '/schedules', body)).id
  }
  const schedules = [await schedule(admin), await schedule(viewer)]
  return { ...team, phones, schedules, contactOf: async ({ id }: Person) => (await contacts.get(id)) ?? 0 }
}

/** Lets a new monitor of the team fail, with a policy. */
async function outage({ id: team, owner }: Team, policy: number | null) {
  const { pool } = service.services.db
  const shop = { name: 'Shop', type: 'tcp', url: 'tcp://localhost', port: 1, check_interval_minutes: 60 }
  const { id } = await owner.data(team, 'POST', '/monitors', shop)
  if (policy !== null)
    await owner.data(team, 'PUT', `/monitors/${id}/escalation-policy`, { policy_id: policy })
  const { rows } = await pool.query('SELECT revision FROM monitors WHERE id = $1', [id])
  const about = { monitorId: id, revision: rows[0].revision, region: null, heartbeat: null, ping: null }
  const record = (result: typeof DOWN) => recorder.record({ ...about, checkedAt: new Date(), result })
  await record(DOWN)
  const incident: number = (await owner.data(team, 'GET', `/monitors/${id}`)).open_incident.id
  const callable = async () => {
    const { response } = IncidentStory.parse(await owner.data(team, 'GET', `/incidents/${incident}`))
    return response.callable.map(({ user_id, phone, why }) => [user_id, phone, why])
  }
  return { incident, callable, recover: () => record(UP) }
}

describe('the people to call about an incident', () => {
  it('are those on call by any schedule, where the incident has no policy', async () => {
    const team = await world()
    const { admin, viewer, phones } = team
    const { callable, recover } = await outage(team, null)
    const onCall = (person: Person) => [person.id, phones.get(person.id), 'on call']
    assert.deepEqual(await callable(), [onCall(admin), onCall(viewer)])
    await viewer.send('PATCH', '/auth/person', { phone: null })
    assert.deepEqual(await callable(), [onCall(admin)])
    await team.owner.ask(team.id, 'DELETE', `/members/${admin.id}`)
    assert.deepEqual(await callable(), [])
    await viewer.send('PATCH', '/auth/person', { phone: '+49 30 901820' })
    assert.deepEqual(await callable(), [[viewer.id, '+4930901820', 'on call']])
    await recover()
    assert.deepEqual(await callable(), [])
  })

  it('are those on call by the schedules of its policy, after who has it, each once', async () => {
    const team = await world()
    const { owner, admin, viewer, phones, schedules, id } = team
    const step = { after_minutes: 5, contact_ids: [], schedule_id: schedules[1] }
    const chain = { repeats: 0, repeat_every_minutes: 60, tags: [] }
    const policy = await owner.data(id, 'POST', '/escalation-policies', {
      name: 'P',
      steps: [step],
      ...chain,
    })
    const { incident, callable } = await outage(team, policy.id)
    const why = (person: Person, reason: string) => [person.id, phones.get(person.id), reason]
    assert.deepEqual(await callable(), [why(viewer, 'on call')])
    const path = `/incidents/${incident}/acknowledgement`
    await admin.data(id, 'POST', path, {})
    assert.deepEqual(await callable(), [why(admin, 'acknowledged'), why(viewer, 'on call')])
    await owner.data(id, 'DELETE', path)
    assert.deepEqual(await callable(), [why(viewer, 'on call')])
    // A link acknowledges for the contact of one participant.
    const url = acknowledgementUrl(service.url, service.services.vault, {
      ...{ kind: 'monitor', incidentId: incident, contactId: await team.contactOf(viewer) },
    })
    assert.equal((await ask(url, { method: 'POST' })).status, 200)
    assert.deepEqual(await callable(), [why(viewer, 'acknowledged')])
  })

  it('are shown beside who is on call now', async () => {
    const { id, viewer, admin, phones, schedules } = await world()
    const rows = SCHEDULE_ROWS.parse(await viewer.data(id, 'GET', '/schedules'))
    assert.deepEqual(
      new Set(rows.map(({ on_call }) => on_call.phone)),
      new Set([phones.get(admin.id), phones.get(viewer.id)]),
    )
    const detail = ScheduleDetail.parse(await viewer.data(id, 'GET', `/schedules/${schedules[0]}`))
    assert.equal(detail.on_call.phone, phones.get(admin.id))
  })

  it('give numbers with their country', async () => {
    const { admin } = await people.team()
    assertInvalid(await admin.send('PATCH', '/auth/person', { phone: '030 901820' }), ['phone'])
    await admin.send('PATCH', '/auth/person', { phone: '+1 (555) 867-5310' })
    const { body } = await admin.send('GET', '/auth/session')
    assert.equal(body.data.user.phone, '+15558675310')
  })
})
