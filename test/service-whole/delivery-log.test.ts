import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Delivery } from '../../src/core/delivery-log.ts'
import type { AskedService } from '../support/asked-service.ts'
import { openLive } from '../support/live-client.ts'
import { replyWith, startReceiver } from '../support/receivers.ts'
import { type SignedIn, signIn } from '../support/signed-in.ts'
import { startSwitchTarget } from '../support/switch-target.ts'
import { type TeamClient, teamClient } from '../support/team-client.ts'
import { until } from '../support/until.ts'
import { wholeService } from '../support/whole-service.ts'

const TESTS_PER_MINUTE = 10
const BEYOND_32_BITS = 9_000_000_000

describe('the delivery log', { concurrency: true }, () => {
  let service: AskedService

  before(async () => {
    service = await wholeService()
    await service.services.db.pool.query(
      `SELECT setval('deliveries_id_seq', ${BEYOND_32_BITS}), setval('incidents_id_seq', ${BEYOND_32_BITS})`,
    )
  })

  async function newTeam(): Promise<[TeamClient, SignedIn]> {
    const client = await teamClient(service)
    return [client, await signIn(service, client.teamId)]
  }

  const untilSettled = (person: SignedIn, id: number): Promise<Delivery> =>
    until(`delivery ${id}`, async () => {
      const { data } = await person.ask('GET', `/deliveries/${id}`)
      return data.state !== 'pending' && data
    })

  it('shows every attempt, and what the receiver answered, until it takes the alert', async (t) => {
    const [client, person] = await newTeam()
    const receiver = await startReceiver(t, (response) => {
      if (receiver.requests.length > 2) response.writeHead(204).end()
      else response.writeHead(503).end(`busy ${receiver.requests.length} <b>&\u202e`)
    })
    const target = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({ url: target.url, notification_contact_ids: [contact.id] })
    const waiting: Delivery = await until('a delivery that waits', async () => {
      const { data } = await person.ask('GET', '/deliveries?state=pending')
      const delivery = data[0] as Delivery | undefined
      // Its row and its attempts are read one after the other: for a moment they may be of two times.
      const isLater = Date.parse(delivery?.next_attempt_at ?? '') > Date.parse(delivery?.created_at ?? '')
      return delivery?.attempts.length === 1 && isLater && delivery
    })
    assert.ok(waiting.id > BEYOND_32_BITS)
    // The wait between attempts is not what is tested here.
    const hurry = () =>
      service.services.db.pool.query('UPDATE deliveries SET next_attempt_at = now() WHERE id = $1', [
        waiting.id,
      ])
    const done = await until('the end of the delivery', async () => {
      await hurry()
      const { data } = await person.ask('GET', `/deliveries/${waiting.id}`)
      return data.state === 'sent' && (data as Delivery)
    })
    assert.deepEqual(
      done.attempts.map(({ attempt, outcome, status_code, detail }) => [
        attempt,
        outcome,
        status_code,
        detail,
      ]),
      [
        [1, 'retry', 503, 'HTTP 503: busy 1 <b>&'],
        [2, 'retry', 503, 'HTTP 503: busy 2 <b>&'],
        [3, 'sent', 204, 'HTTP 204'],
      ],
    )
    const { open_incident } = await client.show(id)
    assert.deepEqual(
      { ...done, attempts: [], created_at: '', finished_at: '' },
      {
        id: waiting.id,
        event: 'monitor.down',
        state: 'sent',
        created_at: '',
        finished_at: '',
        next_attempt_at: null,
        contact_id: contact.id,
        contact_name: 'Ops',
        contact_type: 'webhook',
        monitor_id: id,
        monitor_name: 'Shop',
        incident_id: open_incident?.id,
        attempts: [],
      },
    )
    const story = (await person.ask('GET', `/incidents/${open_incident?.id}`)).data
    assert.deepEqual(story.deliveries, [done], 'the incident tells the same')
    await client.data('DELETE', `/monitors/${id}`)
  })

  it('is listed newest first, by contact, monitor and state, page by page', async () => {
    const [client, person] = await newTeam()
    const [one, two] = [
      await client.webhook({ url: 'http://127.0.0.1:1', port: 1, requests: [], lastJson: () => null }),
      await client.data('POST', '/notification-contacts', {
        name: 'Mail',
        type: 'email',
        config: { email: 'ops@example.com' },
      }),
    ]
    const monitor = await client.monitor({ type: 'heartbeat', is_active: false })
    await service.services.db.pool.query(
      `INSERT INTO deliveries (team_id, contact_id, contact_name, contact_type, monitor_id, event, alert, state,
                               finished_at)
       SELECT $1, CASE n % 2 WHEN 0 THEN $2::int ELSE $3::int END, 'As it was called', 'webhook',
              CASE n % 3 WHEN 0 THEN $4::int END, 'monitor.down', '{}', CASE n % 5 WHEN 0 THEN 'failed' ELSE 'sent' END,
              now() FROM generate_series(1, 30) AS n`,
      [client.teamId, one.id, two.id, monitor.id],
    )
    const list = (query: string) => person.ask('GET', `/deliveries${query}`)
    const all = await list('?per_page=100')
    const ids: number[] = all.data.map(({ id }: Delivery) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    )
    assert.equal(all.meta.total, 30)
    const numberOf = ({ id }: Delivery) => id - (ids.at(-1) ?? 0) + 1
    const filters: [query: string, accept: (n: number) => boolean][] = [
      [`contact=${one.id}`, (n) => n % 2 === 0],
      [`monitor=${monitor.id}`, (n) => n % 3 === 0],
      ['state=failed', (n) => n % 5 === 0],
      [`contact=${two.id}&monitor=${monitor.id}&state=sent`, (n) => n % 2 > 0 && n % 3 === 0 && n % 5 > 0],
      ['contact=2147483647', () => false],
    ]
    for (const [query, accept] of filters) {
      const { data, meta } = await list(`?${query}&per_page=100`)
      const expected = all.data.filter((delivery: Delivery) => accept(numberOf(delivery)))
      assert.deepEqual([data, meta.total], [expected, expected.length], query)
    }
    const second = await list(`?page=2&per_page=7&contact=${one.id}`)
    assert.deepEqual([second.data.length, second.meta.from, second.meta.to], [7, 8, 14])
    assert.equal(
      second.links.next,
      `${service.services.siteUrl}/app/teams/${client.teamId}/deliveries?contact=${one.id}&per_page=7&page=3`,
    )
    assert.deepEqual((await list('?page=9')).data, [])
    for (const [query, field] of [
      ['state=lost', 'state'],
      ['contact=0', 'contact'],
      ['monitor=2147483648', 'monitor'],
      ['per_page=101', 'per_page'],
    ]) {
      const { status, body } = await person.send('GET', `/deliveries?${query}`)
      assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
    }

    const summaries = (await person.ask('GET', '/contact-summaries')).data
    const contacts = (await person.ask('GET', '/notification-contacts')).data
    assert.deepEqual(
      summaries.map(({ id }: { id: number }) => id),
      contacts.map(({ id }: { id: number }) => id),
    )
    await client.ask('PATCH', `/monitors/${monitor.id}`, { notification_contact_ids: [one.id] })
    const [summary] = (await person.ask('GET', '/contact-summaries')).data.filter(
      ({ id }: { id: number }) => id === one.id,
    )
    const [newest] = all.data
    assert.deepEqual(summary, {
      id: one.id,
      monitors_count: 1,
      last_delivery: {
        id: newest.id,
        event: 'monitor.down',
        state: 'failed',
        created_at: newest.created_at,
      },
    })
    await client.ask('DELETE', `/notification-contacts/${one.id}`)
    const orphan = (await person.ask('GET', `/deliveries/${newest.id}`)).data
    assert.deepEqual([orphan.contact_id, orphan.contact_name], [null, 'As it was called'])
    await client.ask('DELETE', `/monitors/${monitor.id}`)
    assert.deepEqual(
      (await person.ask('GET', '/contact-summaries')).data.map(
        (one: { monitors_count: number }) => one.monitors_count,
      ),
      [0, 0],
    )
  })

  it('is a log of the team alone', async (t) => {
    const [[client, person], [, stranger]] = [await newTeam(), await newTeam()]
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const { data } = await person.ask('POST', `/notification-contacts/${contact.id}/test`)
    await untilSettled(person, data.id)
    const asked: [method: string, path: string][] = [
      ['GET', `/deliveries/${data.id}`],
      ['POST', `/notification-contacts/${contact.id}/test`],
    ]
    for (const [method, path] of asked) assert.equal((await stranger.send(method, path)).status, 404)
    for (const query of ['', `?contact=${contact.id}`]) {
      assert.deepEqual((await stranger.ask('GET', `/deliveries${query}`)).data, [])
    }
    for (const id of ['0', '-1', 'x', '9007199254740992', '99999999999999999999']) {
      assert.equal((await person.send('GET', `/deliveries/${id}`)).status, 404)
    }
  })

  it('a test alert arrives, and its delivery shows that', async (t) => {
    const [client, person] = await newTeam()
    const receiver = await startReceiver(t, replyWith(200, 'thanks'))
    const contact = await client.webhook(receiver, { notify_on_down: false, notify_on_recovery: false })
    const stream = await openLive(t, `${service.url}/app/teams/${client.teamId}/events`, {
      cookie: person.browser.cookie(),
    })
    await stream.untilHeard('hello')
    const { data } = await person.ask('POST', `/notification-contacts/${contact.id}/test`)
    assert.deepEqual([data.event, data.state, data.monitor_id, data.attempts], ['test', 'pending', null, []])
    assert.deepEqual(await stream.untilHeard('delivery', ({ state }) => state === 'sent'), {
      id: data.id,
      state: 'sent',
      contact_id: contact.id,
    })
    const sent = await untilSettled(person, data.id)
    assert.deepEqual(
      sent.attempts.map(({ status_code, detail }) => [status_code, detail]),
      [[200, 'HTTP 200: thanks']],
    )
    const { timestamp, ...payload } = receiver.lastJson() as Record<string, unknown>
    assert.deepEqual(payload, { event: 'test', type: 'test', id: null, name: 'Test alert', target: null })
    assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  })

  const failures: [what: string, status: number, outcome: string][] = [
    ['fails', 500, 'retry'],
    ['refuses', 404, 'rejected'],
  ]
  for (const [what, status, outcome] of failures) {
    it(`a test alert to a receiver that ${what} is tried once, and shows the answer without its address`, async (t) => {
      const [client, person] = await newTeam()
      const receiver = await startReceiver(t, (response, { path }) =>
        response.writeHead(status).end(`nope, no ${path}`),
      )
      const contact = await client.webhook(receiver, {
        config: { url: `${receiver.url}/hooks/T0p-s3cret?key=sw0rdf1sh` },
      })
      const { data } = await person.ask('POST', `/notification-contacts/${contact.id}/test`)
      const failed = await untilSettled(person, data.id)
      assert.equal(failed.state, 'failed')
      assert.ok(failed.finished_at)
      assert.deepEqual(
        failed.attempts.map((attempt) => [attempt.outcome, attempt.status_code, attempt.detail]),
        [[outcome, status, `HTTP ${status}: nope, no ********`]],
      )
      assert.equal(receiver.requests[0]?.path, '/hooks/T0p-s3cret?key=sw0rdf1sh')
    })
  }

  it('a viewer sends no test alert, and nobody more than ten a minute', async (t) => {
    const [client, person] = await newTeam()
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const path = `/notification-contacts/${contact.id}/test`
    const viewer = await signIn(service, client.teamId, 'viewer')
    assert.equal((await viewer.send('POST', path)).status, 403)
    assert.equal((await viewer.send('GET', '/deliveries')).status, 200)
    const admin = await signIn(service, client.teamId, 'admin')
    for (let n = 0; n < TESTS_PER_MINUTE; n++) await (n % 2 ? person : admin).ask('POST', path)
    const refused = await person.send('POST', path)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await person.ask('GET', '/deliveries')).meta.total, TESTS_PER_MINUTE)
    await until('all of them', () => receiver.requests.length === TESTS_PER_MINUTE)
  })
})
