import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Delivery } from '../../src/core/alerting/delivery-log.ts'
import { ENGLISH } from '../../src/core/language/translate.ts'
import { sayOrigin } from '../../src/core/on-call/response-words.ts'
import { passTime } from '../support/on-call/escalations.ts'
import { type Receiver, replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import { type People, type Person, peopleOf } from '../support/services/people.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

type Webhook = { event: string; type: string; id: number | null; name: string; target: string | null }

describe('escalation, as receivers see it', { concurrency: true }, () => {
  let service: AskedService
  let people: People

  before(async () => {
    service = await wholeService()
    people = peopleOf(service)
  })

  const eventsOf = ({ requests }: Receiver) =>
    requests.map(({ body }) => `${(JSON.parse(body) as Webhook).event} ${(JSON.parse(body) as Webhook).name}`)
  const idsOf = ({ requests }: Receiver) => new Set(requests.map(({ headers }) => headers['webhook-id']))

  /** The lines of the delivery log. */
  const logOf = async ({ data }: Person, teamId: number): Promise<string[]> =>
    (await data(teamId, 'GET', '/deliveries')).map(({ event, contact_name, origin }: Delivery) =>
      [`${event} ${contact_name}`, ...(origin ? [sayOrigin(origin, ENGLISH.t)] : [])].join(': '),
    )

  async function teamWith(t: Parameters<typeof startReceiver>[0], names: string[]) {
    const team = await people.team()
    const make = (path: string, body?: object) => team.owner.data(team.id, 'POST', path, body)
    const receivers: Receiver[] = []
    const contacts: number[] = []
    for (const name of names) {
      const receiver = await startReceiver(t, replyWith(204))
      receivers.push(receiver)
      const contact = { name, type: 'webhook', config: { url: `${receiver.url}/hook` } }
      contacts.push((await make('/notification-contacts', contact)).id)
    }
    return {
      ...team,
      make,
      receivers: receivers as [Receiver, Receiver],
      contacts: contacts as [number, number],
    }
  }

  it('comes at its minutes, with message ids of its own, until the link of an alert is pressed', async (t) => {
    const { id, owner, make, receivers, contacts } = await teamWith(t, ['Ada', 'Bo'])
    const [ada, bo] = receivers
    const chat = await startReceiver(t, replyWith(200, 'ok'))
    const slack = { name: 'Chat', type: 'slack', config: { webhook_url: `${chat.url}/services/x` } }
    const chatId = (await make('/notification-contacts', slack)).id
    await owner.data(id, 'PATCH', '/on-call-settings', { reminder_minutes: 30 })
    const step = (after_minutes: number, contact_ids: number[]) => ({ after_minutes, contact_ids })
    const policy = await make('/escalation-policies', {
      name: 'Primary',
      steps: [step(0, [contacts[0], contacts[1]]), step(20, [contacts[1]]), step(60, [contacts[1]])],
    })
    const target = await startSwitchTarget(t, 503)
    const shop = { name: 'Shop', type: 'http', url: target.url, check_interval_minutes: 1, is_active: false }
    const monitor = await make('/monitors', { ...shop, notification_contact_ids: [contacts[0], chatId] })
    await owner.data(id, 'PUT', `/monitors/${monitor.id}/escalation-policy`, { policy_id: policy.id })
    await owner.data(id, 'POST', `/monitors/${monitor.id}/toggle`)

    await until('the step of minute 0', () => bo.requests.length === 1)
    const { open_incident } = await owner.data(id, 'GET', `/monitors/${monitor.id}`)
    assert.deepEqual(eventsOf(ada), ['monitor.down Shop'], 'whoever just got the first alert gets no second')
    await passTime(service.services.db, open_incident.id, 20)
    await until('the step of minute 20', () => bo.requests.length === 2)
    await until('its diagnosis', async () => {
      const { state } = await owner.data(id, 'GET', `/incidents/${open_incident.id}/diagnosis`)
      return state === 'done'
    })
    await passTime(service.services.db, open_incident.id, 10)
    await until('the reminder of minute 30', () => ada.requests.length === 2 && chat.requests.length === 2)
    assert.deepEqual(eventsOf(ada), ['monitor.down Shop', 'monitor.down Shop'])
    assert.equal(idsOf(ada).size, 2)
    const [first, reminder] = chat.requests.map(({ body }) => body)
    assert.match(reminder ?? '', /Still down for .*, not acknowledged\./)
    assert.match(reminder ?? '', /Diagnosis.*it answers, but not as expected: HTTP 503/)
    const link = /http[^|"\s]+\/ack\/[\w-]+/.exec(first ?? '')?.[0] ?? ''
    const taken = await ask(link, { method: 'POST', body: '' })
    assert.equal(taken.status, 200)
    await passTime(service.services.db, open_incident.id, 600)

    target.status = 200
    await owner.data(id, 'POST', `/monitors/${monitor.id}/check-now`)
    await until('the recovery', () => [ada, bo, chat].every(({ requests }) => requests.length === 3))
    assert.deepEqual(eventsOf(bo), ['monitor.down Shop', 'monitor.down Shop', 'monitor.recovery Shop'])
    assert.match(chat.requests[2]?.body ?? '', /Chat at \d{4}-/)
    assert.deepEqual((await logOf(owner, id)).toSorted(), [
      'monitor.down Ada',
      'monitor.down Ada: Reminder',
      'monitor.down Bo: Step 1 of Primary',
      'monitor.down Bo: Step 2 of Primary',
      'monitor.down Chat',
      'monitor.down Chat: Reminder',
      'monitor.recovery Ada',
      'monitor.recovery Bo',
      'monitor.recovery Chat',
    ])
  })

  it('is tried by a drill, whose alerts say so and are tests', async (t) => {
    const { id, owner, make, receivers, contacts } = await teamWith(t, ['Ada', 'Bo'])
    const [ada, bo] = receivers
    const policy = await make('/escalation-policies', {
      name: 'Primary',
      steps: [
        { after_minutes: 0, contact_ids: [contacts[0]] },
        { after_minutes: 600, contact_ids: [contacts[1]] },
      ],
    })
    const drill = await make(`/escalation-policies/${policy.id}/drills`)
    await until('the first step', () => ada.requests.length === 1)
    const sent = JSON.parse(ada.requests[0]?.body ?? '{}') as Webhook
    assert.deepEqual(
      [sent.event, sent.type, sent.id, sent.name, sent.target],
      ['test', 'test', null, 'Test alert', null],
    )
    const shown = await until('the page shows it arrive', async () => {
      const { steps } = await owner.data(id, 'GET', `/drills/${drill.id}`)
      return steps[0]?.alerts[0]?.state === 'sent' && steps
    })
    assert.deepEqual(
      [shown[0].is_done, shown[0].alerts[0].contact_name, shown[1].is_done],
      [true, 'Ada', false],
    )
    assert.deepEqual(await logOf(owner, id), ['test Ada: Step 1 of a drill of Primary'])
    await owner.data(id, 'POST', `/drills/${drill.id}/acknowledgement`, {})
    const { steps, acknowledgement } = await owner.data(id, 'GET', `/drills/${drill.id}`)
    assert.deepEqual([steps.length, acknowledgement.by, bo.requests.length], [1, owner.name, 0])
  })

  it('comes once it is due, and not before', async (t) => {
    const { make, receivers, contacts } = await teamWith(t, ['Ada'])
    const { pool } = service.services.db
    const steps = [0, 1, 2, 3, 4, 5].map((after_minutes) => ({ after_minutes, contact_ids: contacts }))
    const policy = await make('/escalation-policies', { name: 'Primary', steps })
    const { id } = await make(`/escalation-policies/${policy.id}/drills`)
    const ofDrill =
      "escalation_id = (SELECT id FROM escalations WHERE kind = 'drill' AND team_incident_id = $1)"
    const soon = `clock_timestamp() + (number * 0.37 + 1) * interval '1 second'`
    await pool.query(
      `UPDATE escalation_steps SET due_at = ${soon}, look_at = ${soon} WHERE number > 1 AND ${ofDrill}`,
      [id],
    )
    const late = await until('all steps are done', async () => {
      const text = `SELECT state, extract(epoch FROM done_at - due_at)::float8 AS seconds FROM escalation_steps WHERE ${ofDrill}`
      const { rows } = await pool.query<{ state: string; seconds: number }>(text, [id])
      return rows.length === steps.length && rows.every(({ state }) => state === 'done') && rows
    })
    // How late depends on the machine.
    t.diagnostic(`at most ${Math.max(...late.map(({ seconds }) => seconds)).toFixed(3)} s late`)
    assert.deepEqual(
      late.filter(({ seconds }) => seconds < 0),
      [],
    )
    assert.ok(receivers[0].requests.length > 0)
  })
})
