import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { contract } from '../../src/contract/contract.ts'
import { removeMember } from '../../src/operations/accounts/operator-accounts.ts'
import { generateToken } from '../../src/operations/teams/tokens.ts'
import { hashToken } from '../../src/store/teams/tokens.ts'
import { CONTACTS, MONITORS } from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import {
  bodyOf,
  bothIds,
  OPERATIONS,
  type PathIds,
  pathOf,
  WITH_ID,
  WRITES,
} from '../support/services/api-operations.ts'
import { assertProblem } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { sideBySide } from '../support/side-by-side.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describe('every operation of the contract', () => {
  let service: AskedService
  let team: TestTeam
  let api: ApiClient
  let ids: PathIds

  before(async () => {
    service = await apiService()
    // Its monitor and contact have the ids 1 and up; the team that is asked for comes after it.
    await createRecords(apiClient(service, (await service.createTeam()).id))
    team = await service.createTeam()
    api = apiClient(service, team.id)
    ids = await createRecords(api)
  })

  async function createRecords(as: ApiClient): Promise<PathIds> {
    const monitor = await as.post('/monitors', MONITORS.http)
    const contact = await as.post('/notification-contacts', CONTACTS.webhook)
    return { monitor: monitor.body.data.id, notificationContact: contact.body.data.id }
  }

  /** The team's records, to see that a refusal changed none. */
  const recordsOf = async () => [
    (await api.get('/monitors')).body.data,
    (await api.get('/notification-contacts')).body.data,
  ]

  const tokenRow = (token: string) =>
    service.services.db.query.updateTable('tokens').where('token_hash', '=', hashToken(token))

  it('answers an owner and an admin as the contract describes', async () => {
    for (const role of ['owner', 'admin'] as const) {
      const as = apiClient(service, team.id, role)
      for (const operation of OPERATIONS) {
        const fresh = operation.access === 'read' ? ids : await createRecords(api)
        const answer = await as.send(operation.method, pathOf(operation, fresh), bodyOf(operation))
        assert.equal(answer.status, operation.status, `${operation.id}: ${JSON.stringify(answer.body)}`)
        if (!operation.output) {
          assert.deepEqual([answer.body, answer.headers.get('content-type')], [null, null])
          continue
        }
        assert.equal(answer.headers.get('content-type'), 'application/json', operation.id)
        // Parsing drops members that the schema does not know.
        assert.deepEqual(operation.output.parse(answer.body), answer.body, operation.id)
      }
    }
  })

  it('lets a viewer read what it lets an owner read', async () => {
    const viewer = apiClient(service, team.id, 'viewer')
    for (const operation of OPERATIONS.filter(({ access }) => access === 'read')) {
      const answer = await viewer.get(pathOf(operation, ids))
      assert.equal(answer.status, 200, operation.id)
      assert.deepEqual(operation.output?.parse(answer.body), answer.body, operation.id)
    }
  })

  it('refuses a token that is missing, garbage, unknown, revoked or expired', async () => {
    const [revoked, expired, valid] = (await Promise.all(
      [1, 2, 3].map(() => service.createToken(team.id, 'owner')),
    )) as [string, string, string]
    await tokenRow(revoked).set({ revoked_at: new Date() }).execute()
    await tokenRow(expired)
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    const headers: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer garbage' },
      { authorization: `Bearer ${generateToken()}` },
      { authorization: `Bearer ${revoked}` },
      { authorization: `Bearer ${expired}` },
      { authorization: `Bearer ${valid}x` },
      { authorization: `Bearer ${valid.toLowerCase()}` },
      { authorization: `Bearer ${valid} ${valid}` },
      { authorization: valid },
      { authorization: `Basic ${Buffer.from(`${valid}:`).toString('base64')}` },
      { cookie: `token=${valid}` },
    ]
    for (const operation of OPERATIONS) {
      await sideBySide(headers, async (sent) => {
        const answer = await service.call(null, operation.method, pathOf(operation, ids), undefined, sent)
        assertProblem(answer, 401)
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
        assert.deepEqual(Object.keys(answer.body), ['type', 'title', 'status'])
      })
    }
    assert.equal((await service.call(valid, 'GET', '/team')).status, 200)
    assert.equal((await service.call(null, 'GET', `/team?token=${valid}`)).status, 401)
  })

  it('refuses a write of a viewer before it looks at the id or the body', async () => {
    const before = await recordsOf()
    const viewer = apiClient(service, team.id, 'viewer')
    for (const operation of WRITES) {
      await sideBySide([null, 2_147_483_647, 1, 'abc', '99999999999999999999'], async (id) => {
        const path = pathOf(operation, id === null ? ids : bothIds(id))
        assertProblem(await viewer.send(operation.method, path, bodyOf(operation)), 403)
      })
      const path = pathOf(operation, ids)
      const large = JSON.stringify({ name: 'x'.repeat(300_000) })
      const bodies = [
        undefined,
        { name: '', type: 'x', port: 'x' },
        '{"name":',
        '[]',
        '"\ud800',
        'null',
        large,
      ]
      await sideBySide(bodies, async (body) => {
        assertProblem(await viewer.send(operation.method, path, body), 403)
      })
      assertProblem(await viewer.send(operation.method, path, 'text', { 'content-type': 'text/plain' }), 403)
    }
    assert.deepEqual(await recordsOf(), before)
  })

  it('refuses a token that is pinned to no team, and one whose creator has left', async () => {
    const unpinned = await service.createToken(team.id, 'owner')
    await tokenRow(unpinned).set({ team_id: null }).execute()
    const left = await service.createMember(team.id, 'owner')
    await removeMember(service.services, { team: team.id, email: left.email })
    for (const operation of OPERATIONS) {
      const cases = [unpinned, left.token].flatMap((token) =>
        [ids, bothIds('abc')].map((id) => [token, id] as const),
      )
      await sideBySide(cases, async ([token, id]) => {
        const answer = await service.call(token, operation.method, pathOf(operation, id), bodyOf(operation))
        assertProblem(answer, 403)
      })
    }
  })

  it('knows no record of another team, whatever is sent', async () => {
    const before = await recordsOf()
    const stranger = apiClient(service, (await service.createTeam()).id)
    for (const operation of WITH_ID) {
      const path = pathOf(operation, ids)
      await sideBySide(operation.body ? [bodyOf(operation), { name: 5 }, '{'] : [undefined], async (body) => {
        assertProblem(await stranger.send(operation.method, path, body), 404)
      })
    }
    assert.deepEqual(await recordsOf(), before)
  })

  it('knows no record by an id that is unknown or malformed', async () => {
    const malformed = [
      'abc',
      '0',
      '-1',
      '1.5',
      '2147483648',
      '99999999999999999999',
      '1e3',
      '0x1',
      '%31',
      '1%00',
    ]
    const more = [
      '2147483647',
      '%zz',
      '%ff',
      `0${ids.monitor}`,
      `${ids.monitor}abc`,
      `+${ids.monitor}`,
      '١',
      '%20',
      ' 1',
    ]
    for (const operation of WITH_ID) {
      await sideBySide([...malformed, ...more], async (id) => {
        const answer = await api.send(operation.method, pathOf(operation, bothIds(id)), bodyOf(operation))
        assertProblem(answer, 404)
        assert.deepEqual(Object.keys(answer.body), ['type', 'title', 'status'], `${operation.id} ${id}`)
      })
    }
  })

  it('refuses any other method with 405 and names those there are, with a token and without', async () => {
    const allowed = new Map<string, string[]>()
    for (const { path, method } of Object.values(contract)) {
      allowed.set(path, [...(allowed.get(path) ?? []), method])
    }
    for (const [path, methods] of allowed) {
      const known = methods.includes('GET') ? [...methods, 'HEAD'] : methods
      const tokens = [null, 'garbage', await api.token()]
      const cases = METHODS.filter((method) => !known.includes(method)).flatMap((method) =>
        tokens.map((token) => [method, token] as const),
      )
      await sideBySide(cases, async ([method, token]) => {
        const asked = path.replace(/\{\w+\}/, '1')
        const answer = await service.call(token, method, asked)
        assert.equal(answer.status, 405, `${method} ${asked}`)
        assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), [...known].sort())
        if (method !== 'HEAD') assertProblem(answer, 405)
      })
    }
  })

  it('refuses a path that does not exist with 404, with a token and without', async () => {
    const paths = [
      '',
      '/',
      '/nothing',
      '/monitor',
      '/Monitors',
      '//monitors',
      '/monitors/1/nothing',
      '/team/1',
    ]
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const token of [null, 'garbage', team.owner]) {
        await sideBySide(paths, async (path) => {
          assertProblem(await service.call(token, method, path, method === 'POST' ? '{' : undefined), 404)
        })
      }
    }
  })

  it('answers HEAD wherever it answers GET, with the same status and headers and no body', async () => {
    for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
      const cases: [token: string | null, path: string][] = [
        [await api.token(), pathOf(operation, ids)],
        [null, pathOf(operation, ids)],
        [await api.token(), pathOf(operation, bothIds('abc'))],
        [await api.token(), `${pathOf(operation, ids)}?page=0`],
      ]
      await sideBySide(cases, async ([token, path]) => {
        const get = await service.call(token, 'GET', path)
        const head = await service.call(token, 'HEAD', path)
        assert.deepEqual([head.status, head.body], [get.status, null], `${operation.id} ${path}`)
        for (const name of ['content-type', 'www-authenticate', 'x-ratelimit-limit']) {
          assert.equal(head.headers.get(name), get.headers.get(name), `${operation.id} ${name}`)
        }
      })
    }
  })
})
