import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { hashToken } from '../../../src/store/teams/tokens.ts'
import { addRow, ago, changeRows } from '../../support/records/rows.ts'
import { addTokens } from '../../support/records/teams.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { ask } from '../../support/services/http.ts'
import { clientAddress } from '../../support/sign-in/cookie-browser.ts'
import {
  type Connections,
  codeIn,
  connectionsOf,
  exchangeForm,
} from '../../support/sign-in/oauth-connections.ts'

describe('a program that wants to be let in', () => {
  let service: AskedService
  let connections: Connections

  before(async () => {
    service = await apiService()
    connections = connectionsOf(service)
  })

  it('gets nothing for a code that is not good for it', async () => {
    const grant = await connections.connect()
    const browser = await connections.browserOf(grant.person)
    const asked = grant.program.provider.asked as URL
    const fields = { team: String(grant.teamId), access: 'read', decision: 'allow' }
    const { location } = await browser.submit(await browser.open(asked.href), fields)
    const code = codeIn(location)
    const good: Record<string, string> = { ...exchangeForm(grant), code }
    const other = connections.newProgram({ client_name: 'Other' })
    await other.begin()
    const cases: [what: Record<string, string>, status: number, error: string][] = [
      [{ code_verifier: 'x'.repeat(43) }, 400, 'invalid_grant'],
      [{ code_verifier: 'short' }, 400, 'invalid_grant'],
      [{ code_verifier: '' }, 400, 'invalid_request'],
      [{ redirect_uri: 'http://127.0.0.1:1/callback' }, 400, 'invalid_grant'],
      [{ client_id: other.provider.kept.client?.client_id ?? '' }, 400, 'invalid_grant'],
      [{ client_id: 'nobody' }, 401, 'invalid_client'],
      [{ code: 'x' }, 400, 'invalid_grant'],
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ resource: 'https://elsewhere.example/mcp' }, 400, 'invalid_target'],
    ]
    for (const [wrong, status, error] of cases) {
      const refused = await connections.ask('/oauth/token', { ...good, ...wrong })
      assert.deepEqual([refused.status, refused.body.error], [status, error], JSON.stringify(wrong))
      assert.ok(!JSON.stringify(refused.body).includes(code))
    }
    const twice = new URLSearchParams(good)
    twice.append('code', code)
    assert.equal((await connections.ask('/oauth/token', twice)).body.error, 'invalid_request')
    await changeRows(
      service.services.db,
      'oauth_codes',
      { code_hash: hashToken(code) },
      { expires_at: ago(1_000) },
    )
    assert.equal((await connections.ask('/oauth/token', good)).body.error, 'invalid_grant')
  })

  it('hears at its own address what it asked wrongly, and that its person does not want to', async () => {
    const { program, person } = await connections.connect()
    const browser = await connections.browserOf(person)
    const asked = program.provider.asked as URL
    const cases: [change: [string, string], error: string][] = [
      [['response_type', 'token'], 'unsupported_response_type'],
      [['code_challenge_method', 'plain'], 'invalid_request'],
      [['code_challenge', ''], 'invalid_request'],
      [['code_challenge', 'short'], 'invalid_request'],
      [['scope', 'admin'], 'invalid_scope'],
      [['resource', 'https://elsewhere.example'], 'invalid_target'],
      [['response_mode', 'fragment'], 'invalid_request'],
    ]
    for (const [[name, value], error] of cases) {
      const url = new URL(asked)
      url.searchParams.set(name, value)
      const { status, location } = await browser.open(url.href)
      const answer = new URL(location ?? '')
      assert.equal(status, 303)
      assert.equal(answer.origin + answer.pathname, 'http://127.0.0.1:33418/callback')
      const { searchParams: said } = answer
      assert.deepEqual(
        [said.get('error'), said.get('state'), said.get('iss')],
        [error, 'the state', connections.site],
        name,
      )
    }
    const page = await browser.open(asked.href)
    const { location } = await browser.submit(page, { decision: 'deny' })
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'access_denied')
  })

  it('and is answered elsewhere is not made a link to anywhere: the person goes there, or not', async () => {
    const { person } = await connections.connect()
    const client_name = 'App \u05d0'
    const program = connections.newProgram({ redirect_uris: ['https://app.example/cb'], client_name })
    const asked = (await program.begin()) as URL
    const browser = await connections.browserOf(person)
    assert.match(
      (await browser.open(asked.href)).text,
      /<h1>Connect <bdi>App \u05d0<\/bdi> to Upbeat\?<\/h1>/,
    )
    asked.searchParams.set('scope', 'admin')
    const { status, location, text } = await browser.open(asked.href)
    assert.deepEqual([status, location], [400, null])
    assert.match(text, /“<bdi>App \u05d0<\/bdi>”, .*: The scope must name read or write, not/)
    assert.match(text, /href="https:\/\/app\.example\/cb\?error=invalid_scope&amp;.*<strong>app\.example</)
    const german = await browser.open(asked.href, { 'accept-language': 'de' })
    assert.match(german.text, /gibt: Der Scope muss read oder write nennen, nicht/)
    // The program hears the protocol's words.
    assert.match(german.text, /error_description=scope\+must\+name/)
  })

  it('that is unknown, or wants its answer elsewhere, is refused to the person alone', async () => {
    const { program, person } = await connections.connect()
    const browser = await connections.browserOf(person)
    const asked = program.provider.asked as URL
    const cases: [name: string, value: string, why: RegExp][] = [
      ['client_id', 'nobody', /does not know the program any more/],
      ['client_id', '', /client_id is required/],
      ['redirect_uri', 'https://evil.example/', /an address that it never named/],
      ['redirect_uri', 'http://127.0.0.1.evil.example/callback', /an address that it never named/],
      ['redirect_uri', 'http://127.0.0.1/other', /an address that it never named/],
    ]
    for (const [name, value, why] of cases) {
      const url = new URL(asked)
      url.searchParams.set(name, value)
      const { status, location, text } = await browser.open(url.href)
      assert.deepEqual([status, location], [400, null], name)
      assert.match(text, why)
    }
  })

  it('and named an address before that is refused now, is refused when it asks', async () => {
    const { program, person } = await connections.connect()
    const browser = await connections.browserOf(person)
    const uris = [
      'intent://x/y',
      'chrome://settings/',
      'ms-appinstaller:/?source=x',
      'myapp://cb',
      'file:///x',
    ]
    const id = 'registered-before'
    await addRow(service.services.db, 'oauth_clients', {
      id,
      name: 'Old',
      redirect_uris: [...uris, 'com.example.app:/cb'],
      created_at: ago(1),
    })
    const openAt = (uri: string) => {
      const url = new URL(program.provider.asked as URL)
      url.searchParams.set('client_id', id)
      url.searchParams.set('redirect_uri', uri)
      return browser.open(url.href)
    }
    for (const uri of uris) {
      const { status, location, text } = await openAt(uri)
      assert.deepEqual([status, location], [400, null], uri)
      assert.match(text, /an address that is neither https, nor http to this computer/)
      assert.ok(!text.includes('<form'), uri)
    }
    assert.equal((await openAt('com.example.app:/cb')).status, 200)
  })

  it('is let in by a form of our own page alone, into a team of its person', async () => {
    const { program, person, teamId } = await connections.connect()
    const browser = await connections.browserOf(person)
    const page = await browser.open((program.provider.asked as URL).href)
    const fields = { team: String(teamId), access: 'write', decision: 'allow' }
    const foreign = await browser.submit(page, fields, { origin: 'https://evil.example' })
    assert.equal(foreign.status, 403)
    const stranger = await connections.people.team()
    const refused = await browser.submit(page, { ...fields, team: String(stranger.id) })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /role="alert">The team must be one of yours/)
    const many = Array.from({ length: 100 }, () => ({ team_id: teamId, user_id: person.id }))
    await addTokens(service.services.db, many)
    const full = await browser.submit(page, fields)
    assert.equal(full.status, 422)
    assert.match(full.text, /you have 100 valid tokens in this one, the most; revoke one first/)
  })
  it('introduces itself with addresses that a browser may safely be sent to', async () => {
    const register = (body: unknown) =>
      connections.ask(
        '/oauth/register',
        typeof body === 'string' ? body : JSON.stringify(body),
        'application/json',
      )
    const taken = await register({
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://claude.ai/api/mcp/auth_callback',
      ],
      client_name: 'Cursor <b>',
      token_endpoint_auth_method: 'client_secret_post',
      logo_uri: null,
    })
    assert.equal(taken.status, 201)
    assert.equal(taken.body.token_endpoint_auth_method, 'none')
    assert.deepEqual(taken.body.grant_types, ['authorization_code', 'refresh_token'])
    for (const [body, error, why] of [
      [{}, 'invalid_redirect_uri', /redirect_uris is required/],
      [{ redirect_uris: [] }, 'invalid_redirect_uri', /at least 1 entry/],
      [{ redirect_uris: ['http://example.com/'] }, 'invalid_redirect_uri', /must be https/],
      [{ redirect_uris: ['https://x/', 'intent://x/y'] }, 'invalid_redirect_uri', /must be https/],
      [
        { redirect_uris: ['https://x/'], client_name: 'x'.repeat(101) },
        'invalid_client_metadata',
        /at most 100/,
      ],
      [
        { redirect_uris: ['https://x/'], grant_types: ['implicit'] },
        'invalid_client_metadata',
        /grant_types/,
      ],
      ['{', 'invalid_client_metadata', /valid JSON/],
    ] as const) {
      const refused = await register(body)
      assert.deepEqual([refused.status, refused.body.error], [400, error])
      assert.match(refused.body.error_description, why)
    }
  })

  it('introduces itself at most twenty times an hour from one address', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': clientAddress() }
    const register = () =>
      ask(`${connections.site}/oauth/register`, {
        method: 'POST',
        headers,
        body: '{"redirect_uris": ["https://x.example/"]}',
      })
    const statuses = (await Promise.all(Array.from({ length: 21 }, register))).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [201, 429])
    const limited = await register()
    assert.equal(JSON.parse(limited.text).error, 'temporarily_unavailable')
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  })

  it('is told by the metadata of all that there is, from any page', async () => {
    const read = async (path: string) => {
      const response = await fetch(connections.site + path, {
        headers: { origin: 'https://inspector.example' },
      })
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      return (await response.json()) as Record<string, unknown>
    }
    const server = await read('/.well-known/oauth-authorization-server')
    assert.equal(server.issuer, connections.site)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
    assert.equal(server.authorization_response_iss_parameter_supported, true)
    for (const [path, resource] of [
      ['/mcp', '/mcp'],
      ['/api/v1', '/api/v1'],
      ['', '/mcp'],
    ]) {
      const about = await read(`/.well-known/oauth-protected-resource${path}`)
      assert.deepEqual(
        [about.resource, about.authorization_servers],
        [connections.site + resource, [connections.site]],
      )
    }
    const preflight = await fetch(`${connections.site}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.status, 204)
    assert.equal((await fetch(`${connections.site}/oauth/token`)).status, 405)
  })
})
