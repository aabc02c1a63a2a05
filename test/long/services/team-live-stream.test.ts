// npm test leaves this out: it waits for news of real checks in streams, in services of its own (seconds).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../src/operations/accounts/operator-accounts.ts'
import { startSession } from '../../../src/operations/sign-in/sessions.ts'
import { findUserByEmail } from '../../../src/store/accounts/users.ts'
import { announceNews } from '../../../src/store/news.ts'
import { deleteSessionsOf } from '../../../src/store/sign-in/sessions.ts'
import { type Scope, suiteScope } from '../../support/scope.ts'
import { replyWith, startReceiver } from '../../support/servers/receivers.ts'
import { startSwitchTarget } from '../../support/servers/switch-target.ts'
import { type LiveClient, openLive } from '../../support/services/live-client.ts'
import { createQuickAccount } from '../../support/services/quick-account.ts'
import { type ServiceHere, startServiceHere } from '../../support/services/service-here.ts'
import { type SignedIn, signIn } from '../../support/services/signed-in.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { until } from '../../support/until.ts'

const MANY = 500
const STREAMS_OF_A_USER = 20
const CONTACT = { name: 'Ops', type: 'email', config: { email: 'ops@example.com' } }

describe('the live stream of a team', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let client: TeamClient
  let other: TeamClient
  let person: SignedIn

  before(async () => {
    service = await startServiceHere({ DATABASE_URL: '', LOG_LEVEL: 'silent' })
    scope.after(() => service.close())
    client = await teamClient(service)
    other = await teamClient(service)
    person = await signIn(service, client.teamId)
  })

  const pathOf = (teamId: number) => `${service.url}/app/teams/${teamId}/events`
  const watch = (t: Scope, by: SignedIn, headers: Record<string, string> = {}): Promise<LiveClient> =>
    openLive(t, pathOf(by.teamId), { cookie: by.browser.cookie(), ...headers })

  const tell = (teamId: number, id: number) =>
    announceNews(service.services.db.query, {
      team_id: teamId,
      event: 'monitor',
      data: { id, status: 'down', is_active: true },
    })

  describe('while all is well', { concurrency: true }, () => {
    it('greets who connects, and says how to connect again', async (t) => {
      const stream = await watch(t, person, { origin: service.url, 'sec-fetch-site': 'same-origin' })
      const { at } = await stream.untilHeard('hello')
      assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      assert.equal(stream.status, 200)
      assert.equal(stream.headers['content-type'], 'text/event-stream')
      assert.equal(stream.headers['cache-control'], 'no-store, no-transform')
      assert.equal(stream.headers['content-encoding'], undefined)
      assert.match(stream.text(), /^retry: 2000\n\nevent: hello\n/)
    })

    it('tells of an outage, its incident, its alert and its end, and of nothing while all is as it was', async (t) => {
      const mine = await teamClient(service)
      const stream = await watch(t, await signIn(service, mine.teamId))
      const elsewhere = await watch(t, await signIn(service, other.teamId))
      const receiver = await startReceiver(t, replyWith(204))
      const target = await startSwitchTarget(t)
      const contact = await mine.webhook(receiver)
      const { id } = await mine.monitor({ url: target.url, notification_contact_ids: [contact.id] })
      const first = await stream.untilHeard('monitor', (data) => data.id === id)
      assert.deepEqual(first, { id, status: 'up', is_active: true })
      const quiet = stream.heard.length
      const asked = target.asked
      await until('steady checks', () => target.asked >= asked + 3)
      assert.deepEqual(stream.heard.slice(quiet), [])

      target.status = 503
      assert.deepEqual(await stream.untilHeard('monitor', (data) => data.id === id, quiet), {
        id,
        status: 'down',
        is_active: true,
      })
      const opened = await stream.untilHeard('incident', (data) => data.monitor_id === id)
      const sent = await stream.untilHeard('delivery', ({ state }) => state === 'sent', quiet)
      const pending = await stream.untilHeard('delivery', ({ state }) => state === 'pending', quiet)
      assert.deepEqual(sent, {
        id: pending.id,
        state: 'sent',
        contact_id: contact.id,
        incident_id: opened.id,
      })
      const down = stream.heard.length
      target.status = 200
      await stream.untilHeard('monitor', (data) => data.id === id && data.status === 'up', down)
      const resolved = await stream.untilHeard('incident', ({ state }) => state === 'resolved', down)
      assert.deepEqual(resolved, { ...opened, state: 'resolved' })
      const [incident] = await mine.incidents(id)
      assert.deepEqual(opened, { id: incident?.id, monitor_id: id, state: 'open' })

      const up = stream.heard.length
      target.status = 503
      const again = await stream.untilHeard('incident', ({ state }) => state === 'open', up)
      await mine.data('POST', `/monitors/${id}/toggle`)
      const paused = await stream.untilHeard('incident', ({ state }) => state === 'resolved', up)
      assert.deepEqual(paused, { ...again, state: 'resolved' }, 'a pause ends it, too')
      await mine.data('DELETE', `/monitors/${id}`)

      await tell(other.teamId, 77)
      await elsewhere.untilHeard('monitor', (data) => data.id === 77)
      assert.deepEqual(
        elsewhere.heard.map(({ event }) => event),
        ['hello', 'monitor'],
        "another team's news never arrive",
      )
    })

    it('tells what people change, and not what they were refused', async (t) => {
      const mine = await teamClient(service)
      const member = await signIn(service, mine.teamId)
      const newcomer = 'newcomer@example.com'
      await createQuickAccount(service.services, { email: newcomer, name: 'New', password: 'correct horse' })
      const stream = await watch(t, member)
      await stream.untilHeard('hello')
      const changes: [event: string, change: () => Promise<unknown>][] = [
        ['monitors', () => mine.monitor({ type: 'heartbeat', is_active: false })],
        ['contacts', () => mine.data('POST', '/notification-contacts', CONTACT)],
        [
          'team',
          () => accounts.addMember(service.services, { team: mine.teamId, email: newcomer, role: 'viewer' }),
        ],
        ['team', () => member.ask('PATCH', '/team', { name: 'Renamed' })],
        ['team', () => accounts.setPlan(service.services, mine.teamId, 'business')],
      ]
      for (const [event, change] of changes) {
        const before = stream.heard.length
        await change()
        assert.deepEqual(await stream.untilHeard(event, undefined, before), {})
      }
      const [monitor] = await mine.data('GET', '/monitors')
      const [contact] = await mine.data('GET', '/notification-contacts')
      const later: [event: string, method: string, path: string, body?: unknown][] = [
        ['monitors', 'PATCH', `/monitors/${monitor.id}`, { name: 'Renamed' }],
        ['monitors', 'POST', `/monitors/${monitor.id}/toggle`],
        ['monitors', 'DELETE', `/monitors/${monitor.id}`],
        ['contacts', 'PATCH', `/notification-contacts/${contact.id}`, { name: 'Renamed' }],
        ['contacts', 'DELETE', `/notification-contacts/${contact.id}`],
      ]
      for (const [event, method, path, body] of later) {
        const before = stream.heard.length
        const refused = await mine.ask(method, `${path}0000`, body)
        assert.equal(refused.status, 404)
        await mine.ask(method, path, body)
        await stream.untilHeard(event, undefined, before)
      }
    })

    const ends: [what: string, end: (person: SignedIn) => Promise<unknown>][] = [
      ['it is signed out', ({ browser }) => browser.send('POST', '/auth/sign-out')],
      ['all other sessions are ended', (one) => endFromElsewhere(one)],
      [
        'its role changes',
        ({ email, teamId }) => accounts.addMember(service.services, { team: teamId, email, role: 'admin' }),
      ],
      [
        'its membership ends',
        ({ email, teamId }) => accounts.removeMember(service.services, { team: teamId, email }),
      ],
    ]
    for (const [what, end] of ends) {
      it(`ends when ${what}, and is refused from then on`, async (t) => {
        const leaving = await signIn(service, client.teamId, 'viewer')
        const [stream, staying] = [await watch(t, leaving), await watch(t, person)]
        await stream.untilHeard('hello')
        await end(leaving)
        await until('the end of the stream', () => stream.ended())
        assert.ok(stream.complete())
        assert.equal((await watch(t, leaving)).status, 401)
        assert.equal(staying.ended(), false)
      })
    }

    async function endFromElsewhere({ email }: SignedIn) {
      const { query } = service.services.db
      await deleteSessionsOf(query, (await findUserByEmail(query, email))?.id ?? 0)
    }

    const refused: [what: string, status: number, headers: Record<string, string>][] = [
      ['a page of another site', 403, { origin: 'https://evil.example' }],
      ['a page without an origin', 403, { origin: 'null' }],
      ['a request across sites', 403, { 'sec-fetch-site': 'cross-site' }],
      ['a request from a sibling site', 403, { 'sec-fetch-site': 'same-site' }],
      ['who is not signed in', 401, { cookie: 'upbeat_session=nobody' }],
    ]
    for (const [what, status, headers] of refused) {
      it(`is refused to ${what}`, async (t) => {
        assert.equal((await watch(t, person, headers)).status, status)
      })
    }

    it('is refused in teams of others, and does nothing but GET and HEAD', async (t) => {
      for (const team of [other.teamId, 999_999]) {
        const stream = await openLive(t, pathOf(team), { cookie: person.browser.cookie() })
        assert.equal(stream.status, 404)
      }
      const post = await person.send('POST', '/events')
      assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
      const head = await person.send('HEAD', '/events')
      assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
    })

    it('is held open a limited number of times by one user', async (t) => {
      const busy = await signIn(service, client.teamId, 'viewer')
      const streams: LiveClient[] = []
      for (let n = 0; n < STREAMS_OF_A_USER; n++) streams.push(await watch(t, busy))
      const refusedOne = await watch(t, busy)
      assert.deepEqual([refusedOne.status, refusedOne.headers['retry-after']], [429, '30'])
      assert.equal((await watch(t, person)).status, 200)
      streams[0]?.close()
      await until('room for another', async () => (await watch(t, busy)).status === 200)
    })

    it('gives up a client that does not read, and takes no harm from it', async (t) => {
      const { teamId } = await teamClient(service)
      const stuck = await signIn(service, teamId, 'viewer')
      const reading = await watch(t, await signIn(service, teamId))
      const streams: LiveClient[] = []
      for (let n = 0; n < STREAMS_OF_A_USER; n++) streams.push(await watch(t, stuck))
      for (const stream of streams) {
        await stream.untilHeard('hello')
        stream.pause()
      }
      // How much the kernel takes is not in our hands: so much is told until there is room for another stream.
      await until('one to be given up', async () => {
        const texts = Array.from({ length: 90 }, (_, n) => `${performance.now()}-${n}-`.padEnd(7_000, 'x'))
        await service.services.db.pool.query(
          `SELECT pg_notify('upbeat_news', json_build_object('team_id', $1::int, 'event', 'team', 'data',
                    json_build_object('x', x))::text) FROM unnest($2::text[]) AS t (x)`,
          [teamId, texts],
        )
        const another = await watch(t, stuck)
        another.close()
        return another.status === 200
      })
      for (const stream of streams) stream.resume()
      await until('its end', () => streams.some((stream) => stream.ended() && !stream.complete()))
      await tell(teamId, 79)
      await reading.untilHeard('monitor', ({ id }) => id === 79)
      for (const stream of streams) stream.close()
    })

    it('tells five hundred at once, each of them', async (t) => {
      const people = await Promise.all(
        Array.from({ length: MANY / STREAMS_OF_A_USER }, () => signInWithoutForm(client.teamId)),
      )
      const streams = await Promise.all(
        people.flatMap((cookie) =>
          Array.from({ length: STREAMS_OF_A_USER }, () => openLive(t, pathOf(client.teamId), { cookie })),
        ),
      )
      assert.ok(streams.every(({ status }) => status === 200))
      await tell(client.teamId, 500)
      await until('the event in every stream', () =>
        streams.every(({ heard }) => heard.some(({ data }) => data.id === 500)),
      )
      for (const stream of streams) stream.close()
    })

    /** A session without the form, whose uses are limited by address. */
    async function signInWithoutForm(teamId: number): Promise<string> {
      const { email } = await service.createMember(teamId, 'viewer')
      const { query } = service.services.db
      const user = await findUserByEmail(query, email)
      const visitor = { address: '127.0.0.1', userAgent: 'Tests', language: 'en' as const }
      const cookie = await startSession(service.services, query, user?.id ?? 0, visitor)
      return cookie.split(';')[0] ?? ''
    }
  })

  it('asks to start over when news may have been missed: after the database was killed', async (t) => {
    const stream = await watch(t, person)
    await stream.untilHeard('hello')
    const postmaster = () => {
      try {
        return Number.parseInt(
          readFileSync(join(service.env.DATA_DIR ?? '', 'postgres/postmaster.pid'), 'utf8'),
          10,
        )
      } catch {
        return 0
      }
    }
    const pid = postmaster()
    process.kill(pid, 'SIGKILL')
    await until('another server', () => postmaster() !== pid)
    assert.match((await stream.untilHeard('resync')).at, /Z$/)
    await until('the service to be well', async () => (await fetch(`${service.url}/health`)).ok)
    await tell(person.teamId, 78)
    await stream.untilHeard('monitor', ({ id }) => id === 78)
  })

  it('ends at once when the service stops', async (t) => {
    const stream = await watch(t, person)
    await stream.untilHeard('hello')
    await service.stop()
    await until('the end of the stream', () => stream.ended())
    // One that is left open is cut off when requests under way have had their time.
    assert.ok(stream.complete())
  })
})
