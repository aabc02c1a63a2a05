import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { MAX_INCIDENT_NOTE_LENGTH } from '../../../src/core/on-call/acknowledgement.ts'
import type { Recorder } from '../../../src/engine/recording/finding.ts'
import { createRecorder } from '../../../src/engine/recording/recorder.ts'
import { acknowledgementUrl } from '../../../src/store/on-call/acknowledgement-links.ts'
import { UP } from '../../support/probing/schedule-world.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { type People, peopleOf } from '../../support/services/people.ts'

const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const NAMES = ['Cart', 'Mail', 'Shop <b>&']

let service: AskedService
let people: People
let recorder: Recorder

before(async () => {
  service = await apiService()
  people = peopleOf(service)
  recorder = createRecorder(service.services.db, assert.ifError)
})
after(() => recorder.close())

const post = (url: string, body = '') =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })

/** A team whose monitors have gone down, of which a contact was told in one message. */
async function outages() {
  const team = await people.team()
  const { db, vault } = service.services
  const slack = { name: 'Ada, phone', type: 'slack', config: { webhook_url: 'https://hooks.example.com/x' } }
  const contact = (await team.owner.data(team.id, 'POST', '/notification-contacts', slack)).id
  const monitors = new Map<string, (result: typeof DOWN) => Promise<unknown>>()
  for (const name of NAMES) {
    const settings = { name, type: 'tcp', url: 'tcp://localhost', port: 1, check_interval_minutes: 60 }
    const { id } = await team.owner.data(team.id, 'POST', '/monitors', settings)
    const { rows } = await db.pool.query('SELECT revision FROM monitors WHERE id = $1', [id])
    const about = {
      monitorId: id,
      revision: rows[0]?.revision ?? 0,
      region: null,
      heartbeat: null,
      ping: null,
    }
    monitors.set(name, (result) => recorder.record({ ...about, checkedAt: new Date(), result }))
    await monitors.get(name)?.(DOWN)
  }
  // As the sender of alerts leaves a group that was told.
  const { rows } = await db.pool.query<{ id: number }>(
    `UPDATE deliveries SET state = 'sent', digest = (SELECT message_id FROM deliveries WHERE contact_id = $1 ORDER BY id LIMIT 1)
     WHERE contact_id = $1 RETURNING id`,
    [contact],
  )
  const leader = Math.min(...rows.map(({ id }) => id))
  return {
    ...team,
    contact,
    leader,
    url: acknowledgementUrl(service.url, vault, { kind: 'group', incidentId: leader, contactId: contact }),
    recover: (name: string) => monitors.get(name)?.(UP),
    incidentOf: async (name: string) => {
      const { rows } = await db.pool.query(
        `SELECT i.id FROM team_incidents i JOIN monitors m ON m.id = i.subject_id
         WHERE i.kind = 'monitor' AND m.team_id = $1 AND m.name = $2`,
        [team.id, name],
      )
      return rows[0]?.id
    },
  }
}

const holders = async (teamId: number) => {
  const { rows } = await service.services.db.pool.query(
    `SELECT m.name, c.name AS by, a.note FROM acknowledgements a JOIN team_incidents i ON i.kind = a.kind AND i.id = a.team_incident_id
     JOIN monitors m ON m.id = i.subject_id LEFT JOIN contacts c ON c.id = a.contact_id
     WHERE a.team_id = $1 ORDER BY m.name`,
    [teamId],
  )
  return rows.map(({ name, by, note }) => [name, by, note])
}

describe('the link in a message about several incidents', () => {
  it('shows all of them to a scanner and changes nothing, and acknowledges them by its button', async () => {
    const world = await outages()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await ask(world.url, { method })
      assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    }
    const { text } = await ask(world.url)
    assert.match(text, /<h1>3 incidents not acknowledged<\/h1>/)
    for (const name of ['Cart', 'Mail', 'Shop &lt;b&gt;&amp;'])
      assert.ok(text.includes(`<strong>${name}</strong>`))
    assert.match(text, /<button>Acknowledge all 3 as Ada, phone<\/button>/)
    assert.doesNotMatch(text, /<script/)
    assert.deepEqual(await holders(world.id), [])

    const done = await post(world.url, 'note=on+my+way')
    assert.equal(done.status, 200)
    assert.match(done.text, /<h1>3 incidents acknowledged<\/h1>/)
    const taken = [
      ['Cart', 'Ada, phone', 'on my way'],
      ['Mail', 'Ada, phone', 'on my way'],
      ['Shop <b>&', 'Ada, phone', 'on my way'],
    ]
    assert.deepEqual(await holders(world.id), taken)
    for (const again of [await post(world.url, 'note=me+too'), await ask(world.url)]) {
      assert.equal(again.status, 200)
      assert.match(again.text, /<h1>Already acknowledged<\/h1>.*acknowledged by Ada, phone/s)
    }
    assert.deepEqual(await holders(world.id), taken)
    const audit = await world.owner.data(world.id, 'GET', '/audit-log')
    const lines = audit.filter(({ action }: { action: string }) => action === 'acknowledgeIncident')
    assert.deepEqual(
      lines.map(({ subject, door }: { subject: string; door: string }) => [subject, door]).sort(),
      NAMES.map((name) => [name, 'address']),
    )
  })

  it('leaves out what others have and what is over, and ends with the last incident', async () => {
    const world = await outages()
    await world.recover('Mail')
    const path = `/incidents/${await world.incidentOf('Cart')}/acknowledgement`
    await world.owner.data(world.id, 'POST', path, {})
    const { text } = await ask(world.url)
    assert.match(text, /<button>Acknowledge it as Ada, phone<\/button>/)
    assert.match(text, /Already acknowledged or over/)
    assert.match((await post(world.url)).text, /<h1>1 incident acknowledged<\/h1>/)
    assert.deepEqual(await holders(world.id), [
      ['Cart', null, null],
      ['Shop <b>&', 'Ada, phone', null],
    ])
    await world.recover('Cart')
    assert.equal((await ask(world.url)).status, 200)
    await world.recover('Shop <b>&')
    for (const answer of [await ask(world.url), await post(world.url)]) {
      assert.equal(answer.status, 410)
      assert.match(answer.text, /These incidents are over/)
    }
  })

  it('is refused with the reason when it was altered, or is of others', async () => {
    const [world, other] = [await outages(), await outages()]
    const signed = (incidentId: number, contactId: number) =>
      acknowledgementUrl(service.url, service.services.vault, { kind: 'group', incidentId, contactId })
    const refused: [what: string, url: string, reason: RegExp][] = [
      ['altered', world.url.replace(`g${world.leader}-`, `g${other.leader}-`), /not valid/],
      ['of another kind', world.url.replace('/ack/g', '/ack/m'), /not valid/],
      ['of two teams', signed(world.leader, other.contact), /no longer exists/],
      ['of nothing', signed(999_999_999, world.contact), /no longer exists/],
    ]
    for (const [what, url, reason] of refused) {
      for (const answer of [await ask(url), await post(url)]) {
        assert.equal(answer.status, 404, what)
        assert.match(answer.text, reason, what)
      }
    }
    const long = await post(world.url, `note=${'x'.repeat(MAX_INCIDENT_NOTE_LENGTH + 1)}`)
    assert.equal(long.status, 422)
    await other.owner.ask(other.id, 'DELETE', `/notification-contacts/${other.contact}`)
    assert.equal((await post(other.url)).status, 404)
    assert.deepEqual([...(await holders(world.id)), ...(await holders(other.id))], [])
  })

  it('speaks the language of its reader', async () => {
    const shown = await ask((await outages()).url, { headers: { 'accept-language': 'de' } })
    assert.match(shown.text, /Alle 3 als Ada, phone bestätigen/)
  })
})
