import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import * as accounts from '../../src/operations/accounts/operator-accounts.ts'
import { EXCEPTIONS, type Exception, LATE_FOR_THE_SUITE } from '../mcp/conformance-exceptions.ts'
import { describeAtLength } from '../support/at-length.ts'
import { type Check, runConformance } from '../support/documents/mcp-conformance.ts'
import { suiteScope } from '../support/scope.ts'
import { openTokenProxy } from '../support/servers/token-proxy.ts'
import { assertProblem } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { ask } from '../support/services/http.ts'
import type { Revision } from '../support/services/mcp-client.ts'

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get-team', arguments: {} } }

describe('MCP over HTTP', () => {
  const scope = suiteScope()
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  async function post(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
    const { text, ...answer } = await ask(`${service.url}/mcp`, {
      method,
      headers: {
        authorization: `Bearer ${team.owner}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isEvents = answer.headers.get('content-type') === 'text/event-stream'
    const json = isEvents ? text.replace(/^.*^data: /ms, '') : text
    return { ...answer, body: json === '' ? null : JSON.parse(json) }
  }

  it('answers 405 to everything but POST, with a token and without', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      for (const headers of [{}, { authorization: '' }]) {
        const answer = await post(null, headers, method)
        assertProblem(answer, 405)
        assert.equal(answer.headers.get('allow'), 'POST')
      }
    }
  })

  it('asks for a token, and says where one is found', async () => {
    const { siteUrl } = service.services
    const revoked = await service.createMember(team.id, 'owner')
    const made = await accounts.createToken(service.services, {
      team: team.id,
      email: revoked.email,
      name: 'revoked',
      expires: null,
    })
    await accounts.revokeToken(service.services, made.id)
    for (const authorization of ['', 'Bearer', 'Basic eDp5', 'Bearer upb_unknown', `Bearer ${made.token}`]) {
      for (const message of [LIST, CALL, '{']) {
        const answer = await post(message, { authorization })
        assertProblem(answer, 401)
        assert.equal(
          answer.headers.get('www-authenticate'),
          `Bearer resource_metadata="${siteUrl}/.well-known/oauth-protected-resource/mcp"`,
        )
      }
    }
  })

  it('takes requests only of its own pages and of programs', async () => {
    const own = service.services.siteUrl
    assert.equal((await post(LIST, { origin: own })).status, 200)
    const foreign = [
      'https://evil.example',
      'null',
      own.replace('http:', 'https:'),
      `${own}0`,
      'http://127.0.0.1:1',
    ]
    for (const origin of foreign) assertProblem(await post(LIST, { origin }), 403)
  })

  it('tells who left the team so, and answers a call by a result', async () => {
    const { email, token } = await service.createMember(team.id, 'admin')
    await accounts.removeMember(service.services, { team: team.id, email })
    const headers = { authorization: `Bearer ${token}` }
    assertProblem(await post(LIST, headers), 403)
    const { status, body } = await post(CALL, headers)
    assert.deepEqual([status, body.result.isError, body.result.structuredContent.status], [200, true, 403])
  })

  it('refuses what is no message of the protocol, in its words', async () => {
    const cases: [body: unknown, headers: Record<string, string>, status: number, code: number][] = [
      ['{', {}, 400, -32_700],
      ['', {}, 400, -32_600],
      ['"text"', {}, 400, -32_600],
      [{ jsonrpc: '1.0', id: 1, method: 'ping' }, {}, 400, -32_600],
      [[], {}, 400, -32_600],
      [[CALL, CALL], {}, 400, -32_600],
      [LIST, { 'mcp-protocol-version': '1999-01-01' }, 400, -32_000],
      [LIST, { accept: 'application/json' }, 406, -32_000],
    ]
    for (const [sent, headers, status, code] of cases) {
      const { body, ...answer } = await post(sent, headers)
      assert.deepEqual([answer.status, body.error.code], [status, code], JSON.stringify(sent))
    }
  })

  it('serves clients whose Accept leaves the types unnamed, in a type that they take', async () => {
    const types: [accept: string, type: string][] = [
      ['*/*', 'text/event-stream'],
      ['application/*, text/*', 'text/event-stream'],
      ['application/*', 'application/json'],
      ['*/*, text/event-stream;q=0', 'application/json'],
      ['text/html, */*;q=0.1', 'text/event-stream'],
    ]
    for (const [accept, type] of types) {
      for (const message of [LIST, CALL]) {
        const { status, headers, body } = await post(message, { accept })
        assert.deepEqual([status, headers.get('content-type'), body.id], [200, type, 7], accept)
        assert.equal(body.error, undefined, accept)
      }
    }
    for (const accept of ['text/html', 'application/json;q=0, */*']) {
      assert.equal((await post(LIST, { accept })).status, 406, accept)
    }
  })

  it('serves a request without Accept, which takes every type', async () => {
    const headers = { authorization: `Bearer ${team.owner}`, 'content-type': 'application/json' }
    // Unlike fetch, it adds no header of its own.
    const sent = request(`${service.url}/mcp`, { method: 'POST', headers }).end(JSON.stringify(LIST))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(answer.statusCode, 200)
    assert.match(await text(answer), /"tools":\[/)
  })

  it('says with a monitor who is alerted about it, and that mail is not set up', async () => {
    const mine = await service.createTeam()
    const headers = { authorization: `Bearer ${mine.owner}` }
    const tool = async (name: string, sent: object) =>
      (await post({ ...CALL, params: { name, arguments: sent } }, headers)).body.result.structuredContent
    const settings = { name: 'Shop', type: 'http', url: 'https://example.com', check_interval_minutes: 5 }
    const alone = await tool('create-monitor', settings)
    assert.match(alone.note, /^No one is alerted .* Owner \d+ \(email\) cannot be reached .* sets up mail\.$/)
    const ada = { name: 'Ada', type: 'email', config: { email: 'ada@example.com' } }
    const contact = await tool('create-notification-contact', ada)
    const changes = { monitor_id: alone.data.id, notification_contact_ids: [contact.data.id] }
    assert.match(
      (await tool('update-monitor', changes)).note,
      /^No one .* Ada \(email\) cannot .* sets up mail\.$/,
    )
    assert.equal((await tool('get-monitor', { monitor_id: alone.data.id })).note, undefined)
  })

  it('names the revisions it speaks to who asks in another', async () => {
    const revision = '2099-01-01'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' }
    const { status, body } = await post({ ...LIST, params: { _meta } }, headers)
    assert.deepEqual([status, body.id, body.error.data.supported], [400, 7, ['2026-07-28']])
  })

  it('acknowledges a stream of news first, and says whose it is', async (t) => {
    const revision = '2026-07-28'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const given = new AbortController()
    t.after(() => given.abort())
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      signal: given.signal,
      headers: {
        authorization: `Bearer ${team.owner}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'news',
        method: 'subscriptions/listen',
        params: { _meta, notifications: { toolsListChanged: true } },
      }),
    })
    let said = ''
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      said += Buffer.from(chunk).toString()
      if (/^data: .*\n/m.test(said)) break
    }
    const { method, params } = JSON.parse(/^data: (.*)$/m.exec(said)?.[1] ?? 'null')
    assert.equal(method, 'notifications/subscriptions/acknowledged')
    assert.equal(params._meta['io.modelcontextprotocol/subscriptionId'], 'news')
  })

  it('bounds a message, and takes JSON only', async () => {
    const large = { ...CALL, params: { name: 'get-team', arguments: { x: 'x'.repeat(256 * 1_024) } } }
    assertProblem(await post(large), 413)
    assertProblem(await post(LIST, { 'content-type': 'text/plain' }), 415)
  })

  // npm test leaves this out: it starts the suite as a program of its own for each scenario (seconds of a core).
  describeAtLength('in the eyes of the official conformance suite', () => {
    /** Scenarios in which every check must pass. */
    const WHOLE = {
      '2026-07-28': [
        'tools-list',
        'http-header-validation',
        'dns-rebinding-protection',
        'server-sse-multiple-streams',
      ],
      '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
    } satisfies Record<Revision, string[]>

    const found = {} as Record<Revision, Check[]>
    const failuresOf = (revision: Revision) =>
      found[revision].filter(
        ({ status, errorMessage = '' }) => status === 'FAILURE' && !LATE_FOR_THE_SUITE.test(errorMessage),
      )
    const excuses = ({ scenario, message }: Exception, check: Check) =>
      scenario.test(check.scenario) && message.test(check.errorMessage ?? '')

    before(async () => {
      const url = `${await openTokenProxy(scope, service, team.owner)}/mcp`
      const runs = (Object.keys(WHOLE) as Revision[]).map(async (revision) => {
        found[revision] = await runConformance(url, revision)
      })
      await Promise.all(runs)
    })

    for (const [revision, whole] of Object.entries(WHOLE) as [Revision, string[]][]) {
      it(`speaks the revision ${revision}`, () => {
        const failures = failuresOf(revision)
        const unexpected = failures.filter((check) => !EXCEPTIONS.some((known) => excuses(known, check)))
        assert.deepEqual(unexpected, [])
        const passed = found[revision].filter(({ status }) => status === 'SUCCESS')
        for (const scenario of whole) {
          assert.ok(
            passed.some((check) => check.scenario === scenario),
            scenario,
          )
          assert.ok(!failures.some((check) => check.scenario === scenario), scenario)
        }
      })
    }

    it('is excused from nothing that it does', () => {
      const failures = [...failuresOf('2026-07-28'), ...failuresOf('2025-11-25')]
      const stale = EXCEPTIONS.filter((known) => !failures.some((check) => excuses(known, check)))
      assert.deepEqual(stale, [])
    })
  })
})
