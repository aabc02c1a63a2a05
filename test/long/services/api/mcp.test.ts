// npm test leaves this out: it calls every tool by the official client in each revision (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as accounts from '../../../../src/operations/accounts/operator-accounts.ts'
import { HELD_MS, holdWindow } from '../../../support/records/rate-limit-windows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { CONTACTS, MONITORS } from '../../../support/services/api-bodies.ts'
import { assertProblem } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../../../support/services/asked-service.ts'
import {
  type McpClient,
  openMcpClient,
  PATIENT,
  REVISIONS,
  type Revision,
  type ToolAnswer,
} from '../../../support/services/mcp-client.ts'

const WRITES = [
  'create-monitor',
  'update-monitor',
  'delete-monitor',
  'toggle-monitor',
  'create-notification-contact',
]
const NOBODY = 2_147_483_647

describe('MCP', () => {
  const scope = suiteScope()
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  const open = (token: string, revision?: Revision) => openMcpClient(scope, service, token, revision)
  const opened = async (role: 'owner' | 'admin' | 'viewer' = 'owner') =>
    open(await service.createToken(team.id, role))

  /** The answer of a tool: the same as structured content and as text. */
  function dataOf(answer: ToolAnswer) {
    assert.equal(answer.isError, undefined, JSON.stringify(answer.structuredContent))
    assertSaidTwice(answer)
    return answer.structuredContent.data
  }

  function assertSaidTwice({ content, structuredContent }: ToolAnswer) {
    assert.equal(content.length, 1)
    assert.ok(content[0]?.type === 'text')
    assert.deepEqual(JSON.parse(content[0].text), structuredContent)
  }

  /** A refusal is a result with the problem that the API gives. */
  function assertRefused(answer: ToolAnswer, status: number, fields: string[] = []) {
    assert.equal(answer.isError, true, JSON.stringify(answer.structuredContent))
    assertSaidTwice(answer)
    const { errors, ...problem } = answer.structuredContent
    assert.equal(problem.status, status)
    assert.equal(typeof problem.title, 'string')
    assert.deepEqual(Object.keys(errors ?? {}), fields)
    return errors
  }

  for (const revision of Object.keys(REVISIONS) as Revision[]) {
    describe(`in the revision ${revision}`, () => {
      let mcp: McpClient

      before(async () => {
        mcp = await open(await service.createToken(team.id, 'owner'), revision)
      })

      it('is spoken by the official client, and names itself', () => {
        assert.equal(mcp.client.getNegotiatedProtocolVersion(), revision)
        const { name, version } = mcp.client.getServerVersion() ?? {}
        assert.deepEqual([name, version], ['upbeat', '2.0.0'])
        assert.deepEqual(mcp.client.getServerCapabilities(), { tools: {} })
      })

      it('does with each tool what the API does, and answers the same', async () => {
        const called = new Set<string>()
        const data = async (name: string, sent = {}) => {
          called.add(name)
          return dataOf(await mcp.call(name, sent))
        }
        const twin = async (path: string) => (await service.call(team.owner, 'GET', path)).body.data
        const monitor = await data('create-monitor', {
          ...MONITORS.http,
          username: 'deploy',
          password: 'secret',
        })
        const monitor_id = monitor.id
        assert.deepEqual(
          [monitor.status, monitor.has_password, 'password' in monitor],
          ['pending', true, false],
        )
        assert.deepEqual(await data('get-monitor', { monitor_id }), await twin(`/monitors/${monitor_id}`))
        const changed = await data('update-monitor', {
          monitor_id,
          name: 'Renamed',
          url: 'http://127.0.0.1:9/x',
        })
        assert.deepEqual([changed.id, changed.name, changed.username], [monitor_id, 'Renamed', 'deploy'])
        assert.equal((await data('toggle-monitor', { monitor_id })).is_active, false)
        assert.deepEqual(await data('list-monitor-checks', { monitor_id }), [])
        assert.deepEqual(await data('list-incidents', { monitor_id }), [])
        assert.deepEqual(await data('list-incidents'), await twin('/incidents'))
        assert.deepEqual(await data('list-monitors', { type: 'http' }), await twin('/monitors?type=http'))
        const contact = await data('create-notification-contact', CONTACTS.telegram)
        assert.deepEqual(contact.config, CONTACTS.telegram.config)
        const contacts = await data('list-notification-contacts')
        assert.deepEqual(contacts, await twin('/notification-contacts'))
        assert.deepEqual(await data('get-team'), await twin('/team'))
        assert.equal(await data('delete-monitor', { monitor_id }), null)
        assertRefused(await mcp.call('get-monitor', { monitor_id }), 404)
        assert.deepEqual([...called].sort(), (await mcp.tools()).map(({ name }) => name).sort())
      })

      it('pages as the API does, by numbers', async () => {
        for (const name of ['a', 'b', 'c'])
          dataOf(await mcp.call('create-monitor', { ...MONITORS.tcp, name }))
        const sent = { page: 2, per_page: 2, type: 'tcp' }
        const { structuredContent } = await mcp.call('list-monitors', sent)
        const { body } = await service.call(team.owner, 'GET', '/monitors?type=tcp&per_page=2&page=2')
        assert.deepEqual(structuredContent, body)
        assert.equal(structuredContent.meta.current_page, 2)
      })

      it('gives refusals as results that name the arguments', async () => {
        const cases: [name: string, sent: object, status: number, fields: string[]][] = [
          ['create-monitor', {}, 422, ['name', 'type', 'check_interval_minutes']],
          ['create-monitor', { ...MONITORS.http, port: '9' }, 422, ['port']],
          [
            'create-monitor',
            { ...MONITORS.http, request_headers: { Host: 'x' } },
            422,
            ['request_headers.Host'],
          ],
          ['create-notification-contact', { ...CONTACTS.email, config: {} }, 422, ['config.email']],
          ['list-monitors', { page: 0, per_page: 2.5, status: ['up'] }, 422, ['page', 'per_page', 'status']],
          ['get-monitor', {}, 422, ['monitor_id']],
          ['get-monitor', { monitor_id: '1' }, 422, ['monitor_id']],
          ['list-incidents', { monitor_id: null }, 422, ['monitor_id']],
          ['update-monitor', { monitor_id: true, name: '' }, 422, ['monitor_id']],
          ['get-monitor', { monitor_id: NOBODY }, 404, []],
          ['delete-monitor', { monitor_id: 0 }, 404, []],
        ]
        for (const [name, sent, status, fields] of cases) {
          const errors = assertRefused(await mcp.call(name, { ...sent }), status, fields)
          for (const field of fields) assert.ok(errors[field][0].startsWith(`${field} `), errors[field][0])
        }
      })

      it('knows no other tool', async () => {
        await assert.rejects(mcp.call('drop-database'), { code: -32_602 })
      })
    })
  }

  it('names the id that is none, and the tool that tells ids', async () => {
    const mcp = await opened()
    for (const name of ['get-monitor', 'update-monitor', 'list-monitor-checks', 'list-incidents']) {
      const answer = await mcp.call(name, { monitor_id: NOBODY })
      assertRefused(answer, 404)
      assert.equal(
        answer.structuredContent.detail,
        `There is no monitor with the ID ${NOBODY} in this team. list-monitors tells the ids that there are.`,
      )
    }
  })

  it('keeps teams apart', async () => {
    const other = await service.createTeam()
    const { body } = await service.call(other.owner, 'POST', '/monitors', MONITORS.http)
    const mcp = await opened()
    for (const name of [
      'get-monitor',
      'update-monitor',
      'toggle-monitor',
      'delete-monitor',
      'list-incidents',
    ]) {
      assertRefused(await mcp.call(name, { monitor_id: body.data.id }), 404)
    }
  })

  it('offers a viewer what reads, masked, and refuses the rest before it looks at it', async () => {
    await service.call(team.owner, 'POST', '/notification-contacts', CONTACTS.slack)
    const mcp = await opened('viewer')
    const names = (await mcp.tools()).map(({ name }) => name)
    assert.equal(names.length, 6)
    assert.deepEqual(
      names.filter((name) => WRITES.includes(name)),
      [],
    )
    const contacts = dataOf(await mcp.call('list-notification-contacts'))
    const slack = contacts.find(({ type }: { type: string }) => type === 'slack')
    assert.equal(slack.config.webhook_url, 'https://127.0.0.1:8443/********')
    for (const name of WRITES) assertRefused(await mcp.call(name, { monitor_id: 'x' }), 403)
  })

  it('offers all tools to admins, and to a viewer as soon as one became an admin', async () => {
    const { email, token } = await service.createMember(team.id, 'viewer')
    assert.equal((await (await open(token)).tools()).length, 6)
    await accounts.addMember(service.services, { team: team.id, email, role: 'admin' })
    assert.equal((await (await open(token)).tools()).length, 11)
  })

  it('tells the limit of the plan as the API does', async () => {
    const free = await service.createTeam('free')
    for (let made = 0; made < 10; made++) await service.call(free.owner, 'POST', '/monitors', MONITORS.icmp)
    const mcp = await open(free.admin)
    const answer = await mcp.call('create-monitor', MONITORS.icmp)
    assertRefused(answer, 402)
    const { title, plan, max_monitors } = answer.structuredContent
    assert.deepEqual([title, plan, max_monitors], ['Monitor limit reached', 'free', 10])
  })

  it('counts calls of tools towards the rate limit of the user, and nothing else', async () => {
    const { id, token } = await service.createMember(team.id, 'owner')
    const left = async () =>
      Number((await service.call(token, 'GET', '/team')).headers.get('x-ratelimit-remaining'))
    assert.equal(await left(), 59)
    await holdWindow(service, `user:${id}`)
    const mcp = await open(token)
    for (let i = 0; i < 3; i++) await mcp.client.listTools({}, { cacheMode: 'refresh', ...PATIENT })
    assert.equal(await left(), 58)
    dataOf(await mcp.call('get-team'))
    assertRefused(await mcp.call('get-monitor', { monitor_id: NOBODY }), 404)
    assert.equal(await left(), 55)
    await Promise.all(Array.from({ length: 55 }, () => mcp.call('get-team')))
    const refused = await mcp.call('create-monitor', {})
    assertRefused(refused, 429)
    const { title, retry_after_seconds } = refused.structuredContent
    assert.equal(title, 'Too Many Requests')
    assert.ok(retry_after_seconds >= 1 && retry_after_seconds <= 60 + HELD_MS / 1_000)
    assert.equal((await mcp.tools()).length, 11)
    assertProblem(await service.call(token, 'GET', '/team'), 429)
  })

  it('is written in the audit log with its door', async () => {
    const mcp = await opened('admin')
    const { id } = dataOf(await mcp.call('create-monitor', { ...MONITORS.http, name: 'By an assistant' }))
    dataOf(await mcp.call('update-monitor', { monitor_id: id, name: 'By an assistant', port: 80 }))
    const { rows } = await service.services.db.pool.query(
      'SELECT door, action, subject_id, fields FROM audit_entries WHERE team_id = $1 AND subject = $2 ORDER BY id',
      [team.id, 'By an assistant'],
    )
    assert.deepEqual(
      rows.map(({ door, action, subject_id }) => [door, action, subject_id]),
      [
        ['mcp', 'createMonitor', id],
        ['mcp', 'updateMonitor', id],
      ],
    )
    assert.deepEqual(rows[1].fields, ['name', 'port'])
  })
})
