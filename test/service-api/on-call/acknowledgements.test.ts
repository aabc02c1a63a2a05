import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Alert } from '../../../src/core/alerting/alert.ts'
import type { Delivery } from '../../../src/core/alerting/delivery-log.ts'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { IncidentStory } from '../../../src/core/monitors/incident-story.ts'
import { Acknowledged, MAX_INCIDENT_NOTE_LENGTH } from '../../../src/core/on-call/acknowledgement.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { acknowledgementUrl } from '../../../src/store/on-call/acknowledgement-links.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { assertInvalid, assertProblem } from '../../support/services/api-problems.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { type People, peopleOf, type Team } from '../../support/services/people.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')

let service: AskedService
let people: People
let recorder: Recorder

before(async () => {
  service = await apiService()
  people = peopleOf(service)
  recorder = createRecorder(service.services.db, assert.ifError)
})
after(() => recorder.close())

type World = Team & { contact: number; incident: number; recover(): Promise<void> }

/** A team whose monitor has just gone down. */
async function outage(): Promise<World> {
  const team = await people.team()
  const { db } = service.services
  const webhook = { name: 'Ada, phone', type: 'webhook', config: { url: 'https://hooks.example.com/x' } }
  const contact = (await team.owner.data(team.id, 'POST', '/notification-contacts', webhook)).id
  const shop = { name: 'Shop', type: 'tcp', url: 'tcp://localhost', port: 1, check_interval_minutes: 60 }
  const { id } = await team.owner.data(team.id, 'POST', '/monitors', shop)
  const { rows } = await db.pool.query<{ revision: number }>('SELECT revision FROM monitors WHERE id = $1', [
    id,
  ])
  const about = { monitorId: id, revision: rows[0]?.revision ?? 0, region: null, heartbeat: null, ping: null }
  const record = (result: typeof DOWN) => recorder.record({ ...about, checkedAt: new Date(), result })
  await record(DOWN)
  const { open_incident } = await team.owner.data(team.id, 'GET', `/monitors/${id}`)
  return {
    ...team,
    contact,
    incident: open_incident.id,
    async recover() {
      await record(UP)
    },
  }
}

const storyOf = async ({ viewer, id, incident }: World) =>
  IncidentStory.parse(await viewer.data(id, 'GET', `/incidents/${incident}`))
const linkOf = ({ contact, incident }: Pick<World, 'contact' | 'incident'>) =>
  acknowledgementUrl(service.url, service.services.vault, {
    ...{ kind: 'monitor', incidentId: incident, contactId: contact },
  })
const post = (url: string, body = '') =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })

describe('an acknowledgement in the dashboard', () => {
  for (const type of ['pagerduty', 'pushover'] as const) {
    it(`is told to ${type}, which would go on calling people, once`, async () => {
      const world = await outage()
      const { id, admin, owner, incident, contact } = world
      const { query } = service.services.db
      const told = () =>
        query
          .selectFrom('deliveries')
          .select(['event', 'alert', 'contact_name'])
          .where('team_incident_id', '=', incident)
          .where('step', '=', -1)
          .execute()
      await query.updateTable('contacts').set({ type }).where('id', '=', contact).execute()
      const path = `/incidents/${incident}/acknowledgement`
      await admin.data(id, 'POST', path, { note: 'restarting it' })
      const seen = (await told()).map(({ event, contact_name, alert }) => {
        const { name, acknowledged } = Alert.parse(alert)
        return [event, contact_name, name, acknowledged?.by, acknowledged?.note]
      })
      assert.deepEqual(seen, [['monitor.down', 'Ada, phone', 'Shop', admin.name, 'restarting it']])
      const origins = (await owner.data(id, 'GET', '/deliveries')).map(({ origin }: Delivery) => origin)
      assert.deepEqual(origins.filter(Boolean), [{ kind: 'acknowledgement' }])
      assert.equal((await owner.ask(id, 'DELETE', path)).status, 200)
      await owner.data(id, 'POST', path, {})
      assert.equal((await told()).length, 1)
    })
  }

  it('says who has the incident, and tells whoever comes second', async () => {
    const world = await outage()
    const { id, admin, owner, viewer, incident } = world
    const path = `/incidents/${incident}/acknowledgement`
    assertProblem(await viewer.ask(id, 'POST', path, {}), 403)
    const first = Acknowledged.parse(await admin.data(id, 'POST', path, { note: 'restarting it' }))
    assert.equal(first.is_new, true)
    const { by, via, note } = first.acknowledgement
    assert.deepEqual([by, via, note], [admin.name, 'dashboard', 'restarting it'])
    const second = Acknowledged.parse(await owner.data(id, 'POST', path, {}))
    assert.deepEqual(second, { ...first, is_new: false })
    const { response } = await storyOf(world)
    assert.deepEqual(response.acknowledgement, first.acknowledgement)
    const audit = (await owner.data(id, 'GET', '/audit-log')).filter(
      ({ action }: { action: string }) => action === 'acknowledgeIncident',
    )
    assert.deepEqual(
      audit.map(({ subject, fields }: { subject: string; fields: string[] }) => [subject, fields]),
      [
        ['Shop', []],
        ['Shop', ['note']],
      ],
    )
  })

  it('can be taken back, and stands with the notes in the timeline', async () => {
    const world = await outage()
    const { id, admin, owner, viewer, incident } = world
    const path = `/incidents/${incident}`
    assert.equal((await owner.ask(id, 'DELETE', `${path}/acknowledgement`)).status, 409)
    await admin.data(id, 'POST', `${path}/acknowledgement`, {})
    assertProblem(await viewer.ask(id, 'DELETE', `${path}/acknowledgement`), 403)
    await owner.data(id, 'DELETE', `${path}/acknowledgement`)
    assertProblem(await viewer.ask(id, 'POST', `${path}/notes`, { text: 'x' }), 403)
    await owner.data(id, 'POST', `${path}/notes`, { text: '  The disk was full.\nAgain. ' })
    assertInvalid(await owner.ask(id, 'POST', `${path}/notes`, { text: ' ' }), ['text'])
    const long = '𝄞'.repeat(MAX_INCIDENT_NOTE_LENGTH)
    assertInvalid(await owner.ask(id, 'POST', `${path}/notes`, { text: `${long}!` }), ['text'])
    await world.recover()
    await owner.data(id, 'POST', `${path}/notes`, { text: long })
    assert.equal((await owner.ask(id, 'POST', `${path}/acknowledgement`, {})).status, 409)
    const { response } = await storyOf(world)
    assert.deepEqual(
      response.events.map((event) => [event.kind, 'by' in event ? event.by : null]),
      [
        ['acknowledged', admin.name],
        ['withdrawn', owner.name],
        ['note', owner.name],
        ['note', owner.name],
      ],
    )
    const [first] = response.events.flatMap((event) => (event.kind === 'note' ? event.text : []))
    assert.equal(first, 'The disk was full.\nAgain.')
    assert.equal(response.acknowledgement, null)
  })

  it('is of no other team, and of no public API', async () => {
    const [world, other] = [await outage(), await people.team()]
    for (const path of ['acknowledgement', 'notes']) {
      const asked = `/incidents/${world.incident}/${path}`
      assertProblem(await other.owner.ask(other.id, 'POST', asked, { text: 'x' }), 404)
    }
    const token = await service.createToken(world.id, 'owner')
    const path = `/incidents/${world.incident}/acknowledgement`
    assert.equal((await service.call(token, 'POST', path, {})).status, 404)
  })
})

describe('the link in an alert', () => {
  it('shows the incident to a scanner and changes nothing, and acknowledges by its button', async () => {
    const world = await outage()
    const url = linkOf(world)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await ask(url, { method })
      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/)
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
    }
    const shown = await ask(url)
    assert.match(shown.text, /Shop is down/)
    assert.match(shown.text, /HTTP 503 \(expected 200\)/)
    // The note is read before the button.
    assert.match(shown.text, /<textarea.*<button>Acknowledge as Ada, phone<\/button>/s)
    assert.ok(
      shown.text.includes(`href="${service.services.siteUrl}/teams/${world.id}/incidents/${world.incident}"`),
    )
    assert.doesNotMatch(shown.text, /<script/)
    assert.equal((await storyOf(world)).response.acknowledgement, null)

    const done = await post(url, 'note=on+my+way')
    assert.equal(done.status, 200)
    assert.match(done.text, /Incident acknowledged/)
    const { acknowledgement } = (await storyOf(world)).response
    assert.deepEqual(
      [acknowledgement?.by, acknowledgement?.via, acknowledgement?.note],
      ['Ada, phone', 'link', 'on my way'],
    )
    for (const again of [await post(url, 'note=me+too'), await ask(url)]) {
      assert.equal(again.status, 200)
      assert.match(again.text, /already acknowledged by Ada, phone at \d{4}-/)
    }
    assert.equal((await storyOf(world)).response.events.length, 1)
    const [newest] = await world.owner.data(world.id, 'GET', '/audit-log')
    assert.deepEqual(
      [newest.action, newest.subject, newest.door, newest.fields],
      ['acknowledgeIncident', 'Shop', 'address', ['note']],
    )
  })

  it('gives times in the zone of its contact, or of the team', async () => {
    const world = await outage()
    const { pool } = service.services.db
    const times = async () =>
      (await ask(linkOf(world))).text.match(/\d{4}-\d\d-\d\d [\d:]+ UTC[+:\d]*/)?.[0] ?? ''
    assert.match(await times(), / UTC$/)
    await pool.query(`UPDATE teams SET time_zone = 'Asia/Kolkata' WHERE id = $1`, [world.id])
    assert.match(await times(), / UTC\+05:30$/)
    await pool.query(`UPDATE contacts SET time_zone = 'Asia/Kathmandu' WHERE id = $1`, [world.contact])
    assert.match(await times(), / UTC\+05:45$/)
  })

  it('speaks the language of its reader', async () => {
    const shown = await ask(linkOf(await outage()), { headers: { 'accept-language': 'de' } })
    assert.match(shown.text, /Als Ada, phone bestätigen/)
  })

  it('is refused with the reason when it was altered, is over, or is of others', async () => {
    const [world, other] = [await outage(), await outage()]
    const url = linkOf(world)
    const altered = `${url.slice(0, -1)}${url.endsWith('0') ? '1' : '0'}`
    const signature = url.slice(-32)
    const refused: [what: string, url: string, status: number, reason: RegExp][] = [
      ['altered', altered, 404, /not valid/],
      ['cut off', url.slice(0, -5), 404, /not valid/],
      ['of another incident', url.replace(`m${world.incident}-`, `m${other.incident}-`), 404, /not valid/],
      ['of another kind', url.replace('/ack/m', '/ack/s'), 404, /not valid/],
      [
        'of another contact',
        `${service.url}/ack/m${world.incident}-${other.contact}-${signature}`,
        404,
        /not valid/,
      ],
      ['of two teams', linkOf({ ...world, contact: other.contact }), 404, /no longer exists/],
      ['of nothing', linkOf({ ...world, incident: 999_999 }), 404, /no longer exists/],
    ]
    for (const [what, refusedUrl, status, reason] of refused) {
      for (const answer of [await ask(refusedUrl), await post(refusedUrl)]) {
        assert.equal(answer.status, status, what)
        assert.match(answer.text, reason, what)
      }
    }
    const long = await post(url, `note=${'x'.repeat(MAX_INCIDENT_NOTE_LENGTH + 1)}`)
    assert.equal(long.status, 422)
    assert.match(long.text, /too long/)
    assert.deepEqual((await storyOf(world)).response.events, [])

    await world.recover()
    for (const answer of [await ask(url), await post(url)]) {
      assert.equal(answer.status, 410)
      assert.match(answer.text, /This incident is over/)
    }
    await other.owner.ask(other.id, 'DELETE', `/notification-contacts/${other.contact}`)
    assert.equal((await post(linkOf(other))).status, 404)
    assert.deepEqual((await storyOf(other)).response.events, [])
  })
})
