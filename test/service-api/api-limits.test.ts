import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from 'kysely'
import { createToken, removeMember } from '../../src/operations/accounts.ts'
import { MONITORS } from '../support/api-bodies.ts'
import { assertProblem } from '../support/api-problems.ts'
import { apiService } from '../support/api-service.ts'
import type { Answer, AskedService, TestTeam } from '../support/asked-service.ts'
import { clientAddress } from '../support/browser.ts'
import { documentedFetch } from '../support/documented.ts'

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

  /** Uses up what a token's user has left, but for `left` requests. */
  async function takeAllOf(token: string, left = 0): Promise<void> {
    const used = await service.call(token, 'GET', '/team')
    const more = remainingOf(used) - left
    await Promise.all(Array.from({ length: more }, () => service.call(token, 'GET', '/team')))
  }

  function assertTooMany(answer: Answer): number {
    assertProblem(answer, 429)
    assert.deepEqual(Object.keys(answer.body), ['type', 'title', 'status'])
    const wait = answer.headers.get('retry-after') ?? ''
    assert.match(wait, /^\d+$/)
    assert.ok(Number(wait) >= 1 && Number(wait) <= 60, wait)
    return Number(wait)
  }

  it('are told on every answer to a token, and each request counts once, refused or not', async () => {
    const owner = await service.createToken(team.id, 'owner')
    const viewer = await service.createToken(team.id, 'viewer')
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
    const left = { [owner]: PER_MINUTE, [viewer]: PER_MINUTE }
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
    const token = await service.createToken(team.id, 'owner')
    assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 59)
    assertProblem(await service.call(token, 'GET', '/nothing'), 404)
    assertProblem(await service.call(token, 'DELETE', '/team'), 405)
    assertProblem(await service.call(`${token}x`, 'GET', '/team'), 401)
    assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 58)
  })

  it('let 60 requests through and refuse the 61st, also of those that come at once', async () => {
    const token = await service.createToken(team.id, 'owner')
    const answers = await Promise.all(
      Array.from({ length: PER_MINUTE + 5 }, () => service.call(token, 'GET', '/team')),
    )
    const passed = answers.filter(({ status }) => status === 200)
    assert.equal(passed.length, PER_MINUTE)
    assert.deepEqual(
      passed.map(remainingOf).sort((a, b) => b - a),
      Array.from({ length: PER_MINUTE }, (_, i) => PER_MINUTE - 1 - i),
    )
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      assertTooMany(refused)
      assert.equal(refused.headers.get('x-ratelimit-limit'), String(PER_MINUTE))
      assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
    }
  })

  it('are shared by the tokens of a user, in whatever team, and by nobody else', async () => {
    const { email, token } = await service.createMember(team.id, 'admin')
    const input = { team: team.id, email, name: 'second', expires: null }
    const second = (await createToken(service.services, input)).token
    const other = await service.createToken(team.id, 'admin')
    assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 59)
    assert.equal(remainingOf(await service.call(second, 'GET', '/team')), 58)
    await takeAllOf(token)
    assertTooMany(await service.call(second, 'GET', '/team'))
    assert.equal(remainingOf(await service.call(other, 'GET', '/team')), 59)
  })

  it('come after 401 and before 403, 404 and 422', async () => {
    const viewer = await service.createToken(team.id, 'viewer')
    const left = await service.createMember(team.id, 'owner')
    await removeMember(service.services, { team: team.id, email: left.email })
    for (let i = 0; i < PER_MINUTE; i++)
      assert.equal((await service.call(left.token, 'GET', '/team')).status, 403)
    assertTooMany(await service.call(left.token, 'GET', '/team'))
    await takeAllOf(viewer)
    for (const [method, path, body] of [
      ['GET', '/team'],
      ['POST', '/monitors', MONITORS.http],
      ['POST', '/monitors', '{'],
      ['GET', '/monitors/abc'],
      ['GET', '/monitors?page=0'],
      ['PATCH', '/monitors/2147483647', 'x'.repeat(262_145)],
    ] as const) {
      assertTooMany(await service.call(viewer, method, path, body))
    }
    assertProblem(await service.call(viewer, 'GET', '/nothing'), 404)
    assertProblem(await service.call(viewer, 'POST', '/team'), 405)
    assertProblem(await service.call(`${viewer}x`, 'GET', '/team'), 401)
  })

  it('do not wait longer for asking again, and start anew a minute after the first request', async () => {
    const token = await service.createToken(team.id, 'owner')
    await takeAllOf(token)
    const first = assertTooMany(await service.call(token, 'GET', '/team'))
    for (let i = 0; i < 20; i++) {
      assert.ok(assertTooMany(await service.call(token, 'GET', '/team')) <= first)
    }
    // What the next minute brings, without waiting for it.
    await sql`UPDATE rate_limits SET expire = expire - 60000`.execute(service.services.db.query)
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
      const response = await documentedFetch(`${service.url}/ping/${path}`, { method, headers })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : JSON.parse(text),
      }
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
      const { token } = await heartbeat()
      const other = await heartbeat()
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
      assert.deepEqual(await pingOften(PINGS_PER_MINUTE - 5, token, address), { 204: PINGS_PER_MINUTE - 5 })
      assertTooMany(await ping(token, address))
      assertTooMany(await ping(`${token}/fail`, clientAddress(), 'POST'))
      assert.equal((await ping(other.token, address)).status, 204)
    })

    it('are 300 a minute for an address, those that are refused included', async () => {
      const jobs = await Promise.all([1, 2, 3, 4].map(heartbeat))
      const address = clientAddress()
      const refused = PINGS_PER_MINUTE_OF_ADDRESS - 3 * PINGS_PER_MINUTE - 4
      for (const job of jobs.slice(0, 3)) {
        assert.deepEqual(await pingOften(PINGS_PER_MINUTE, job.token, address), { 204: PINGS_PER_MINUTE })
      }
      assert.deepEqual(await pingOften(refused, 'unknown', address), { 404: refused })
      assertTooMany(await ping(jobs[0]?.token ?? '', address))
      assertProblem(await ping(`${jobs[3]?.token}/unknown`, address), 404)
      assertProblem(await ping(jobs[3]?.token ?? '', address, 'DELETE'), 405)
      assert.equal((await ping(jobs[3]?.token ?? '', address)).status, 204)

      assertTooMany(await ping(jobs[3]?.token ?? '', address))
      assertTooMany(await ping('unknown', address))
      assert.equal((await ping(jobs[3]?.token ?? '', clientAddress())).status, 204)
    })

    it('do not count towards the limit of any user', async () => {
      const token = await service.createToken(team.id, 'owner')
      assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 59)
      const job = await heartbeat()
      const answer = await ping(job.token, clientAddress())
      assert.equal(answer.headers.get('x-ratelimit-limit'), null)
      assert.equal(remainingOf(await service.call(token, 'GET', '/team')), 58)
    })
  })
})
