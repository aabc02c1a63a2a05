// npm test leaves this out: it sends requests until every limit is reached (hundreds of them, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Role } from '../../../../src/core/teams/access.ts'
import { createToken, removeMember } from '../../../../src/operations/accounts/operator-accounts.ts'
import { endWindow, HELD_MS, holdWindow, windowOf } from '../../../support/records/rate-limit-windows.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { assertProblem } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { Answer, AskedService, TestTeam } from '../../../support/services/asked-service.ts'
import { documentedAsk } from '../../../support/services/documented.ts'
import { clientAddress } from '../../../support/sign-in/cookie-browser.ts'

const MINUTE_MS = 60_000
const PER_MINUTE = 60
const PINGS_PER_MINUTE = 60
const PINGS_PER_MINUTE_OF_ADDRESS = 300

describe('rate limits', () => {
  let service: AskedService
  let team: TestTeam

  before(async () => {
    // Behind a proxy that says for whom it asks, so that a test can be many addresses.
    service = await apiService()
    team = await service.createTeam()
  })

  const remainingOf = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))

  /** A member who has asked once, in a window that no stall of the machine ends. */
  async function newUser(role: Role) {
    const { id, email, token } = await service.createMember(team.id, role)
    const key = `user:${id}`
    assert.equal(remainingOf(await service.call(token, 'GET', '/team')), PER_MINUTE - 1)
    await holdWindow(service, key)
    return { email, token, key }
  }

  /** Uses up what a token's user has left. */
  async function takeAllOf(token: string): Promise<void> {
    const more = remainingOf(await service.call(token, 'GET', '/team'))
    await Promise.all(Array.from({ length: more }, () => service.call(token, 'GET', '/team')))
  }

  /** A refusal that says when the window ends, as the row of the limit has it. */
  async function assertTooMany(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const askedMs = Date.now()
    const answer = await ask()
    const answeredMs = Date.now()
    assertProblem(answer, 429)
    assert.deepEqual(Object.keys(answer.body), ['type', 'title', 'status'])
    const wait = answer.headers.get('retry-after') ?? ''
    assert.match(wait, /^\d+$/)
    const { endsAtMs } = await windowOf(service, key)
    const [least, most] = [answeredMs, askedMs].map((ms) => Math.max(1, Math.ceil((endsAtMs - ms) / 1_000)))
    assert.ok(Number(wait) >= Number(least) && Number(wait) <= Number(most), `${wait}: ${least} to ${most}`)
    return answer
  }

  it('are told on every answer to a token, and each request counts once, refused or not', async () => {
    const { token: owner } = await newUser('owner')
    const { token: viewer } = await newUser('viewer')
    const monitor = (await service.call(team.owner, 'POST', '/monitors', MONITORS.http)).body.data.id
    const asked: [token: string, status: number, method: string, path: string, body?: unknown][] = [
      [owner, 200, 'GET', '/monitors'],
      [owner, 200, 'HEAD', '/monitors'],
      [owner, 201, 'POST', '/monitors', MONITORS.http],
      [owner, 200, 'PATCH', `/monitors/${monitor}`, {}],
      [owner, 404, 'GET', '/monitors/2147483647'],
      [owner, 404, 'GET', '/monitors/abc'],
      [owner, 422, 'POST', '/monitors', {}],
      [owner, 422, 'GET', '/monitors?page=0'],
      [owner, 422, 'POST', '/monitors', '{'],
      [owner, 413, 'POST', '/monitors', 'x'.repeat(262_145)],
      [owner, 204, 'DELETE', `/monitors/${monitor}`],
      [viewer, 200, 'GET', '/team'],
      [viewer, 403, 'POST', '/monitors', {}],
      [viewer, 403, 'DELETE', '/monitors/abc'],
      [viewer, 200, 'GET', '/incidents'],
    ]
    const left = { [owner]: PER_MINUTE - 1, [viewer]: PER_MINUTE - 1 }
    for (const [token, status, method, path, body] of asked) {
      const answer = await service.call(token, method, path, body)
      assert.equal(answer.status, status, `${method} ${path}`)
      assert.equal(answer.headers.get('x-ratelimit-limit'), String(PER_MINUTE))
      left[token] = (left[token] ?? 0) - 1
      assert.equal(remainingOf(answer), left[token], `${method} ${path}`)
      assert.equal(answer.headers.get('retry-after'), null)
    }
  })

  it('do not count what is asked without a valid token, nor paths and methods that do not exist', async () => {
    const { token } = await newUser('owner')
    assertProblem(await service.call(token, 'GET', '/nothing'), 404)
    assertProblem(await service.call(token, 'DELETE', '/team'), 405)
    assertProblem(await service.call(`${token}x`, 'GET', '/team'), 401)
    assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 58)
  })

  it('let 60 requests through and refuse the 61st, also of those that come at once', async () => {
    const { token, key } = await newUser('owner')
    const answers = await Promise.all(
      Array.from({ length: PER_MINUTE + 4 }, () => service.call(token, 'GET', '/team')),
    )
    const passed = answers.filter(({ status }) => status === 200)
    assert.equal(passed.length, PER_MINUTE - 1)
    assert.deepEqual(
      passed.map(remainingOf).sort((a, b) => b - a),
      Array.from({ length: PER_MINUTE - 1 }, (_, i) => PER_MINUTE - 2 - i),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    refused.push(await assertTooMany(key, () => service.call(token, 'GET', '/team')))
    for (const { status, headers } of refused) {
      assert.equal(status, 429)
      assert.equal(headers.get('x-ratelimit-limit'), String(PER_MINUTE))
      assert.equal(headers.get('x-ratelimit-remaining'), '0')
    }
  })

  it('are shared only by the tokens of a user, in any team', async () => {
    const { email, token, key } = await newUser('admin')
    const input = { team: team.id, email, name: 'second', expires: null }
    const second = (await createToken(service.services, input)).token
    const other = await service.createToken(team.id, 'admin')
    assert.equal(remainingOf(await service.call(second, 'GET', '/team')), 58)
    await takeAllOf(token)
    await assertTooMany(key, () => service.call(second, 'GET', '/team'))
    assert.equal(remainingOf(await service.call(other, 'GET', '/team')), 59)
  })

  it('come after 401 and before 403, 404 and 422', async () => {
    const { token: viewer, key } = await newUser('viewer')
    const left = await newUser('owner')
    await removeMember(service.services, { team: team.id, email: left.email })
    for (let i = 1; i < PER_MINUTE; i++)
      assert.equal((await service.call(left.token, 'GET', '/team')).status, 403)
    await assertTooMany(left.key, () => service.call(left.token, 'GET', '/team'))
    await takeAllOf(viewer)
    for (const [method, path, body] of [
      ['GET', '/team'],
      ['POST', '/monitors', MONITORS.http],
      ['POST', '/monitors', '{'],
      ['GET', '/monitors/abc'],
      ['GET', '/monitors?page=0'],
      ['PATCH', '/monitors/2147483647', 'x'.repeat(262_145)],
    ] as const) {
      await assertTooMany(key, () => service.call(viewer, method, path, body))
    }
    assertProblem(await service.call(viewer, 'GET', '/nothing'), 404)
    assertProblem(await service.call(viewer, 'POST', '/team'), 405)
    assertProblem(await service.call(`${viewer}x`, 'GET', '/team'), 401)
  })

  it('start again a minute after the first request, however often one asks meanwhile', async () => {
    const askedMs = Date.now()
    const { token, key } = await newUser('owner')
    const answeredMs = Date.now()
    const { endsAtMs } = await windowOf(service, key)
    const lastsMs = MINUTE_MS + HELD_MS
    assert.ok(endsAtMs >= askedMs + lastsMs && endsAtMs <= answeredMs + lastsMs)
    await takeAllOf(token)
    for (let i = 0; i < 20; i++) await assertTooMany(key, () => service.call(token, 'GET', '/team'))
    assert.equal((await windowOf(service, key)).endsAtMs, endsAtMs)
    await endWindow(service, key)
    const next = await service.call(token, 'GET', '/team')
    assert.deepEqual([next.status, remainingOf(next)], [200, 59])
  })

  describe('of pings', () => {
    async function heartbeat(): Promise<{ id: number; token: string }> {
      const { data } = (await service.call(team.admin, 'POST', '/monitors', MONITORS.heartbeat)).body
      return { id: data.id, token: data.heartbeat_token }
    }

    async function ping(path: string, address: string, method = 'GET'): Promise<Answer> {
      const headers = { 'x-forwarded-for': address }
      const { text, ...answer } = await documentedAsk(`${service.url}/ping/${path}`, { method, headers })
      return { ...answer, body: text === '' ? null : JSON.parse(text) }
    }

    const pingOften = async (count: number, path: string, address: string) => {
      const statuses = new Map<number, number>()
      for (let done = 0; done < count; done += 20) {
        const batch = Array.from({ length: Math.min(20, count - done) }, () => ping(path, address))
        for (const { status } of await Promise.all(batch))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      return Object.fromEntries(statuses)
    }

    it('are 60 a minute for a token, from wherever they come and whatever they say', async () => {
      const { id, token } = await heartbeat()
      const other = await heartbeat()
      assert.equal((await ping(token, clientAddress())).status, 204)
      await holdWindow(service, `heartbeat:${id}`)
      for (const [path, method] of [
        [token, 'GET'],
        [token, 'HEAD'],
        [token, 'POST'],
        [`${token}/start`, 'GET'],
        [`${token.toUpperCase()}/0`, 'POST'],
      ] as const) {
        assert.equal((await ping(path, clientAddress(), method)).status, 204, `${method} ${path}`)
      }
      const address = clientAddress()
      assert.deepEqual(await pingOften(PINGS_PER_MINUTE - 6, token, address), { 204: PINGS_PER_MINUTE - 6 })
      await assertTooMany(`heartbeat:${id}`, () => ping(token, address))
      await assertTooMany(`heartbeat:${id}`, () => ping(`${token}/fail`, clientAddress(), 'POST'))
      assert.equal((await ping(other.token, address)).status, 204)
    })

    it('are 300 a minute for an address, with wrong ones apart', async () => {
      const jobs = await Promise.all([1, 2, 3, 4, 5, 6].map(heartbeat))
      const address = clientAddress()
      const [right, wrong] = [`address:${address}`, `wrong-ping:${address}`]
      assert.deepEqual(await pingOften(1, 'unknown', address), { 404: 1 })
      await holdWindow(service, wrong)
      for (const job of jobs.slice(0, 5)) {
        assert.deepEqual(await pingOften(1, job.token, address), { 204: 1 })
        if (job === jobs[0]) await holdWindow(service, right)
        await holdWindow(service, `heartbeat:${job.id}`)
        const more = PINGS_PER_MINUTE - 1 - (job === jobs[4] ? 1 : 0)
        assert.deepEqual(await pingOften(more, job.token, address), { 204: more })
      }
      const refused = PINGS_PER_MINUTE_OF_ADDRESS - 4
      assert.deepEqual(await pingOften(refused, 'unknown', address), { 404: refused })
      assertProblem(await ping(`${jobs[5]?.token}/unknown`, address), 404)
      assertProblem(await ping(`${jobs[5]?.token}/start/unknown`, address), 404)
      assertProblem(await ping(jobs[5]?.token ?? '', address, 'DELETE'), 405)
      await assertTooMany(wrong, () => ping('unknown', address))
      await assertTooMany(wrong, () => ping(`${jobs[5]?.token}/start/unknown`, address))
      await assertTooMany(wrong, () => ping(jobs[5]?.token ?? '', address, 'DELETE'))

      assert.equal((await ping(jobs[5]?.token ?? '', address)).status, 204)
      await assertTooMany(right, () => ping(jobs[5]?.token ?? '', address))
      assert.equal((await ping(jobs[5]?.token ?? '', clientAddress())).status, 204)
    })

    it('do not count towards the limit of any user', async () => {
      const { token } = await newUser('owner')
      const job = await heartbeat()
      const answer = await ping(job.token, clientAddress())
      assert.equal(answer.headers.get('x-ratelimit-limit'), null)
      assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 58)
    })
  })
})
