import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { type SecretDoor, WRONG_SECRETS } from '../../src/core/request-limits.ts'
import { createRemoteProbe } from '../../src/operations/probing/remote-probe-tokens.ts'
import { hashToken } from '../../src/store/teams/tokens.ts'
import { agentText } from '../support/records/agent-text.ts'
import { holdWindow } from '../support/records/rate-limit-windows.ts'
import { addRow } from '../support/records/rows.ts'
import { addServer } from '../support/records/servers.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import { peopleOf, type Team } from '../support/services/people.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { clientAddress } from '../support/sign-in/cookie-browser.ts'
import { codeIn, connectionsOf } from '../support/sign-in/oauth-connections.ts'
import type { Program } from '../support/sign-in/oauth-program.ts'
import { until } from '../support/until.ts'

describe('secrets that stand for nothing', () => {
  let service: AskedService
  let team: Team
  let kept: Program['provider']['kept']
  before(async () => {
    service = await wholeService()
    team = await peopleOf(service).team()
  })

  type Asked = { path: string; method?: string; headers?: Record<string, string>; body?: string }

  async function statusOf({ path, headers, ...sent }: Asked, address: string): Promise<number> {
    const told = await ask(service.url + path, {
      method: 'POST',
      ...sent,
      headers: { 'x-forwarded-for': address, ...headers },
    })
    return told.status
  }
  const heartbeat = async (seconds = 3_600) => {
    const body = { ...MONITORS.heartbeat, check_interval_seconds: seconds }
    return await team.owner.data(team.id, 'POST', '/monitors', body)
  }

  /** Requests with a secret at each door, and the statuses of right and wrong ones. */
  const DOORS: Record<
    string,
    {
      door: SecretDoor
      secret: () => Promise<string>
      ask: (secret: string) => Asked
      right: number
      wrong: number
    }
  > = {
    ping: {
      door: 'ping',
      secret: async () => (await heartbeat()).heartbeat_token,
      ask: (token) => ({ path: `/ping/${token}` }),
      right: 204,
      wrong: 404,
    },
    'ping for Healthchecks': {
      door: 'ping',
      secret: async () => (await heartbeat()).heartbeat_token,
      ask: (token) => ({ path: `/hc/${token}/0`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    push: {
      door: 'ping',
      secret: async () => (await heartbeat()).heartbeat_token,
      ask: (token) => ({ path: `/api/push/${token}?status=up`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    badge: {
      door: 'badge',
      secret: async () => {
        const { id } = await heartbeat()
        const { badge_url } = await team.owner.data(team.id, 'GET', `/monitors/${id}/report`)
        return badge_url.split('/').at(-1)
      },
      ask: (badge) => ({ path: `/badge/${badge}/status.json`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    'report of the agent': {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({ path: `/server/${token}`, body: agentText() }),
      right: 200,
      wrong: 404,
    },
    'report by OpenTelemetry': {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({
        path: `/server/${token}/v1/metrics`,
        headers: { 'content-type': 'application/json' },
        body: '{"resourceMetrics":[]}',
      }),
      right: 200,
      wrong: 404,
    },
    'report by Influx': {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({ path: `/server/${token}/write`, body: 'mem,host=web-1 total=8000000000i\n' }),
      right: 204,
      wrong: 404,
    },
    'question of Influx': {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({ path: `/server/${token}/ping`, method: 'GET' }),
      right: 204,
      wrong: 404,
    },
    'report by Prometheus': {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({
        path: `/server/${token}/api/v1/write`,
        headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
        body: '\0',
      }),
      right: 204,
      wrong: 404,
    },
    installation: {
      door: 'report',
      secret: async () => (await addServer(service.services.db)).token,
      ask: (token) => ({ path: `/server/${token}/install`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    calendar: {
      door: 'calendar',
      secret: async () =>
        (await team.owner.data(team.id, 'POST', '/maintenance-calendar')).url.split(/[/.]/).at(-2),
      ask: (token) => ({ path: `/calendars/${token}.ics`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    'link from a letter': {
      door: 'letter',
      secret: async () => {
        const link = randomUUID()
        const row = {
          user_id: team.owner.id,
          token_hash: hashToken(link),
          expires_at: new Date('2100-01-01'),
        }
        await addRow(service.services.db, 'password_links', row)
        return link
      },
      ask: (link) => ({ path: `/set-password/${link}`, method: 'GET' }),
      right: 200,
      wrong: 404,
    },
    'refresh token of a program': {
      door: 'oauth',
      secret: async () => {
        const { program } = await connectionsOf(service).connect()
        kept = program.provider.kept
        return kept.tokens?.refresh_token ?? ''
      },
      ask: (token) => ({
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: kept.client?.client_id ?? '',
          refresh_token: token,
        }).toString(),
      }),
      right: 200,
      wrong: 400,
    },
    'code of a program': {
      door: 'oauth',
      secret: async () => {
        const { newProgram, browserOf } = connectionsOf(service)
        const program = newProgram()
        const browser = await browserOf(team.owner)
        const page = await browser.open((await program.begin())?.href ?? '')
        const { location } = await browser.submit(page, {
          ...{ team: String(team.id), access: 'write', decision: 'allow' },
        })
        kept = program.provider.kept
        return codeIn(location)
      },
      ask: (code) => ({
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: kept.client?.client_id ?? '',
          code_verifier: kept.verifier ?? '',
          redirect_uri: 'http://127.0.0.1:33418/callback',
          code,
        }).toString(),
      }),
      right: 200,
      wrong: 400,
    },
    // An unknown token is revoked as well as it can be: RFC 7009, section 2.2.
    'token that a program revokes': {
      door: 'oauth',
      secret: async () => (await connectionsOf(service).connect()).tokens.refresh_token ?? '',
      ask: (token) => ({
        path: '/oauth/revoke',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      }),
      right: 200,
      wrong: 200,
    },
    'remote probe': {
      door: 'probe',
      secret: async () =>
        (await createRemoteProbe(service.services, { region: 'nyc', name: randomUUID() })).token,
      // The question is wrong, which is found behind the token.
      ask: (token) => ({ path: '/probe/v1/join', headers: { authorization: `Bearer ${token}` }, body: '{}' }),
      right: 422,
      wrong: 401,
    },
  }

  for (const [name, { door, secret, ask: asked, right, wrong }] of Object.entries(DOORS)) {
    it(`are refused at the door of a ${name} from some number on, and stop no right one from the same address`, async () => {
      const known = await secret()
      const address = clientAddress()
      const unknown = () => asked(randomUUID())
      assert.equal(await statusOf(unknown(), address), wrong)
      await holdWindow(service, `wrong-${door}:${address}`, WRONG_SECRETS[door] - 1)
      assert.equal(await statusOf(unknown(), address), wrong)
      for (let count = 0; count < 3; count++) assert.equal(await statusOf(unknown(), address), 429)
      assert.equal(await statusOf(asked(known), address), right)
      assert.equal(await statusOf(asked('none'), address), 429)
      assert.equal(await statusOf(unknown(), clientAddress()), wrong)
    })
  }

  it('count for the network of a client that has more addresses than can be counted', async () => {
    assert.equal(await statusOf({ path: `/ping/${randomUUID()}` }, '2001:db8:77::1'), 404)
    await holdWindow(service, 'wrong-ping:2001:db8:77:0::/64', WRONG_SECRETS.ping)
    assert.equal(await statusOf({ path: `/ping/${randomUUID()}` }, '[2001:db8:77::ffff]:4711'), 429)
    assert.equal(await statusOf({ path: `/ping/${randomUUID()}` }, '2001:db8:77:1::1'), 404)
  })

  it('flood an address and keep no job behind it from being heard, nor its failure from being told', async () => {
    const address = clientAddress()
    const job = await heartbeat()
    assert.equal(await statusOf({ path: '/ping/none' }, address), 404)
    await holdWindow(service, `wrong-ping:${address}`, WRONG_SECRETS.ping - 50)
    let isOver = false
    const flood = Array.from({ length: 10 }, async () => {
      const statuses: number[] = []
      while (!isOver) statuses.push(await statusOf({ path: `/ping/${randomUUID()}` }, address))
      return statuses
    })
    await until('the limit of wrong tokens is used up', async () => {
      return (await statusOf({ path: '/ping/none' }, address)) === 429
    })
    const heard: number[] = []
    for (const signal of ['', '/start', '/log', '/0', '', '/7']) {
      heard.push(await statusOf({ path: `/ping/${job.heartbeat_token}${signal}` }, address))
    }
    isOver = true
    const answers = (await Promise.all(flood)).flat()
    assert.deepEqual(heard, Array(6).fill(204))
    assert.deepEqual([...new Set(answers)].sort(), [404, 429])
    const { data } = await team.owner.ask(team.id, 'GET', `/monitors/${job.id}`).then(({ body }) => body)
    assert.equal(data.status, 'down')
    const { rows } = await service.services.db.pool.query(
      "SELECT event FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 AND team_incident_id IS NOT NULL",
      [job.id],
    )
    assert.deepEqual(rows, [{ event: 'monitor.down' }])
  })
})
