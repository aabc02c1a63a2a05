import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Delivery } from '../../src/core/alerting/delivery-log.ts'
import { addDeliveries } from '../support/records/alerting.ts'
import { deliveriesOf, hurryDelivery, messagesOf } from '../support/records/delivery-log.ts'
import { holdWindow } from '../support/records/rate-limit-windows.ts'
import { raiseIds } from '../support/records/sequences.ts'
import { replyWith, startReceiver } from '../support/servers/receivers.ts'
import { startSwitchTarget } from '../support/servers/switch-target.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { openLive } from '../support/services/live-client.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { SELDOM, type TeamClient, teamClient } from '../support/services/team-client.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { until } from '../support/until.ts'

const TESTS_PER_MINUTE = 10
const BEYOND_32_BITS = 9_000_000_000

describe('the delivery log', { concurrency: true }, () => {
  let service: AskedService

  before(async () => {
    service = await wholeService()
    for (const table of ['deliveries', 'team_incidents']) await raiseIds(service, table, BEYOND_32_BITS)
  })

  async function newTeam(): Promise<[TeamClient, SignedIn]> {
    const client = await teamClient(service)
    return [client, await signIn(service, client.teamId)]
  }

  /** Attempts that were answered: one that took too long, for want of a processor, says nothing. */
  const answersTo = ({ attempts }: Delivery) => attempts.filter(({ status_code }) => status_code !== null)

  const untilSettled = (person: SignedIn, id: number): Promise<Delivery> =>
    until(`delivery ${id}`, async () => {
      const { data } = await person.ask('GET', `/deliveries/${id}`)
      return data.state !== 'pending' && data
    })

  it('shows every attempt, and what the receiver answered, until it takes the alert', async (t) => {
    const [client, person] = await newTeam()
    let isReady = false
    const receiver = await startReceiver(t, (response) => {
      if (isReady) response.writeHead(204).end()
      else response.writeHead(503).end(`busy ${receiver.requests.length} <b>&\u202e`)
    })
    const target = await startSwitchTarget(t, 503)
    const contact = await client.webhook(receiver)
    const { id } = await client.monitor({
      ...SELDOM,
      url: target.url,
      notification_contact_ids: [contact.id],
    })
    const waiting: Delivery = await until('a delivery that waits', async () => {
      const { data } = await person.ask('GET', '/deliveries?state=pending')
      const delivery = data[0] as Delivery | undefined
      // Its row and its attempts are read one after the other: for a moment they may be of two times.
      const isLater = Date.parse(delivery?.next_attempt_at ?? '') > Date.parse(delivery?.created_at ?? '')
      return delivery && answersTo(delivery).length > 0 && isLater && delivery
    })
    assert.ok(waiting.id > BEYOND_32_BITS)
    const [{ messageId } = { messageId: '' }] = await deliveriesOf(service, id)
    const untilShown = (what: string, accept: (delivery: Delivery) => boolean): Promise<Delivery> =>
      until(what, async () => {
        // The wait between attempts is not what is tested here.
        await hurryDelivery(service, messageId)
        const { data } = await person.ask('GET', `/deliveries/${waiting.id}`)
        return accept(data) && data
      })
    await untilShown('another answer', (delivery) => answersTo(delivery).length > 1)
    isReady = true
    const done = await untilShown('the end of the delivery', ({ state }) => state === 'sent')
    assert.deepEqual(
      done.attempts.map(({ attempt }) => attempt),
      done.attempts.map((_, index) => index + 1),
    )
    const answers = answersTo(done)
    assert.ok(answers.length >= 3)
    assert.deepEqual(
      answers.map(({ outcome, status_code }) => [outcome, status_code]),
      answers.map((_, index) => (index < answers.length - 1 ? ['retry', 503] : ['sent', 204])),
    )
    assert.equal(answers.at(-1)?.detail, 'HTTP 204')
    const said = answers.slice(0, -1).map(({ detail }) => /^HTTP 503: busy (\d+) <b>&$/.exec(detail)?.[1])
    assert.deepEqual(
      said.map(Number),
      said.map(Number).toSorted((a, b) => a - b),
    )
    const { open_incident } = await client.show(id)
    assert.deepEqual(
      { ...done, attempts: [], created_at: '', finished_at: '' },
      {
        id: waiting.id,
        event: 'monitor.down',
        origin: null,
        state: 'sent',
        created_at: '',
        finished_at: '',
        next_attempt_at: null,
        held_until: null,
        contact_id: contact.id,
        contact_name: 'Ops',
        contact_type: 'webhook',
        monitor_id: id,
        monitor_name: 'Shop',
        incident_id: open_incident?.id,
        server_id: null,
        server_name: null,
        site_id: null,
        site_name: null,
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
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1)
    await addDeliveries(
      service.services.db,
      numbers.map((n) => ({
        team_id: client.teamId,
        contact_id: n % 2 === 0 ? one.id : two.id,
        contact_name: 'As it was called',
        ...(n % 3 === 0 && { kind: 'monitor' as const, subject_id: monitor.id }),
        event: 'monitor.down',
        state: n % 5 === 0 ? 'failed' : 'sent',
        finished_at: new Date(),
      })),
    )
    const list = (query: string) => person.ask('GET', `/deliveries${query}`)
    const all = await list('?per_page=100')
    const ids: number[] = all.data.map(({ id }: Delivery) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    )
    assert.equal(all.meta.total, 30)
    // Others tell of their monitors meanwhile, so ids have gaps.
    const numberOf = ({ id }: Delivery) => ids.length - ids.indexOf(id)
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
      ['server_incident=0', 'server_incident'],
      ['site=0', 'site'],
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
      servers_count: 0,
      sites_count: 0,
      alerted_by: { monitor: null, server: null, site: null },
      awaits_agreement: null,
      last_delivery: {
        id: newest.id,
        event: 'monitor.down',
        state: 'failed',
        created_at: newest.created_at,
        next_attempt_at: null,
        held_until: null,
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
    let isShown = Promise.resolve()
    const receiver = await startReceiver(t, async (response) => {
      await isShown
      response.writeHead(200).end('thanks')
    })
    const contact = await client.webhook(receiver, { notify_on_down: false, notify_on_recovery: false })
    const stream = await openLive(t, `${service.url}/app/teams/${client.teamId}/events`, {
      cookie: person.browser.cookie(),
    })
    await stream.untilHeard('hello')
    const sent = await until('a test alert that is answered in time', async () => {
      const shown = Promise.withResolvers<void>()
      isShown = shown.promise
      const { data } = await person.ask('POST', `/notification-contacts/${contact.id}/test`)
      shown.resolve()
      const settled = await untilSettled(person, data.id)
      if (answersTo(settled).length === 0) return false
      assert.deepEqual(
        [data.event, data.state, data.monitor_id, data.attempts],
        ['test', 'pending', null, []],
      )
      return settled
    })
    assert.deepEqual(await stream.untilHeard('delivery', ({ state }) => state === 'sent'), {
      id: sent.id,
      state: 'sent',
      contact_id: contact.id,
      incident_id: null,
    })
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
      const failed = await until('a test alert that is answered in time', async () => {
        const { data } = await person.ask('POST', `/notification-contacts/${contact.id}/test`)
        const settled = await untilSettled(person, data.id)
        return answersTo(settled).length > 0 && settled
      })
      assert.equal(failed.state, 'failed')
      assert.ok(failed.finished_at)
      assert.deepEqual(
        failed.attempts.map((attempt) => [attempt.outcome, attempt.status_code, attempt.detail]),
        [[outcome, status, `HTTP ${status}: nope, no ********`]],
      )
      assert.equal(receiver.requests[0]?.path, '/hooks/T0p-s3cret?key=sw0rdf1sh')
    })
  }

  it('a viewer sends no test alert, and no member more than ten a minute', async (t) => {
    const [client, person] = await newTeam()
    const receiver = await startReceiver(t, replyWith(204))
    const contact = await client.webhook(receiver)
    const path = `/notification-contacts/${contact.id}/test`
    const viewer = await signIn(service, client.teamId, 'viewer')
    assert.equal((await viewer.send('POST', path)).status, 403)
    assert.equal((await viewer.send('GET', '/deliveries')).status, 200)
    const admin = await signIn(service, client.teamId, 'admin')
    for (let n = 0; n < TESTS_PER_MINUTE; n++) {
      await (n % 2 ? person : admin).ask('POST', path)
      if (n === 0) await holdWindow(service, `test-alert:${client.teamId}`)
    }
    const refused = await person.send('POST', path)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await person.ask('GET', '/deliveries')).meta.total, TESTS_PER_MINUTE)
    await until('all of them', () => messagesOf(receiver).size === TESTS_PER_MINUTE)
  })
})
