import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { StoredOAuthTokens } from '@modelcontextprotocol/client'
import { createServices } from '../../src/compose.ts'
import { readConfig } from '../../src/config.ts'
import type { Role } from '../../src/core/access.ts'
import type { Recorder } from '../../src/engine/record.ts'
import { createLog } from '../../src/log.ts'
import * as accounts from '../../src/operations/accounts.ts'
import { hashToken } from '../../src/operations/tokens.ts'
import type { Store } from '../../src/store/store.ts'
import { assertProblem } from '../support/api-problems.ts'
import { createAuthority } from '../support/certificates.ts'
import {
  type ConsentBrowser,
  openConsentBrowser,
  openProgram,
  type Program,
} from '../support/oauth-program.ts'
import { PASSWORD, type People, type Person, peopleOf } from '../support/people.ts'
import { listen } from '../support/receivers.ts'
import { suiteScope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/service.ts'

const CONTACT = { name: 'Ops', type: 'slack', config: { webhook_url: 'https://hooks.example.com/secret' } }

type Grant = { person: Person; teamId: number; program: Program; tokens: StoredOAuthTokens; code: string }

describe('a program that is let in by a sign-in', () => {
  const scope = suiteScope()
  const authority = createAuthority('Upbeat tests')
  let service: TestService
  let people: People
  let site: string

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    scope.after(() => rm(directory, { recursive: true, force: true }))
    const file = join(directory, 'authority.pem')
    await writeFile(file, authority.pem)
    service = await startTestService({ ROLES: 'api', TRUST_PROXY: '1', NODE_EXTRA_CA_CERTS: file })
    scope.after(() => service.close())
    people = peopleOf(service)
    site = service.services.siteUrl
  })

  let addresses = 0
  /** Asks for something from an address of its own, as programs do: without a browser. */
  async function ask(path: string, form: Record<string, string> | URLSearchParams | string, type?: string) {
    const response = await fetch(site + path, {
      method: 'POST',
      headers: {
        'content-type': type ?? 'application/x-www-form-urlencoded',
        'x-forwarded-for': `198.51.100.${++addresses % 250}`,
      },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }

  const browserOf = ({ email }: Person): Promise<ConsentBrowser> =>
    openConsentBrowser(service, { email, password: PASSWORD })

  const newProgram = (metadata = {}) => openProgram(`${site}/api/v1`, metadata)

  const programs = new Map<number, Program>()
  /** One that is registered already: registrations are limited. */
  async function knownProgram(): Promise<Program> {
    const known = programs.get(0)
    const program = newProgram()
    if (known?.provider.kept.client) program.provider.kept.client = known.provider.kept.client
    programs.set(0, program)
    return program
  }

  /** The whole way, by a member of a new team. */
  async function connect(role: Role = 'owner', access = 'write'): Promise<Grant> {
    const team = await people.team()
    const person = team[role]
    const browser = await browserOf(person)
    const program = await knownProgram()
    const page = await browser.open((await program.begin())?.href ?? '')
    const { location } = await browser.submit(page, { team: String(team.id), access, decision: 'allow' })
    const tokens = await program.finish(location)
    const code = new URL(location ?? '').searchParams.get('code') ?? ''
    return { person, teamId: team.id, program, tokens, code }
  }

  const statusOf = async (token: string, method = 'GET', path = '/team', body?: unknown) =>
    (await service.call(token, method, path, body)).status

  const exchangeForm = ({ program, code }: Grant) => ({
    grant_type: 'authorization_code',
    client_id: program.provider.kept.client?.client_id ?? '',
    code,
    code_verifier: program.provider.kept.verifier ?? '',
    redirect_uri: 'http://127.0.0.1:33418/callback',
  })

  const refreshForm = ({ program, tokens }: Grant) => ({
    grant_type: 'refresh_token',
    client_id: program.provider.kept.client?.client_id ?? '',
    refresh_token: tokens.refresh_token ?? '',
  })

  const auditOf = async (teamId: number, owner: Person) =>
    (await owner.data(teamId, 'GET', '/audit-log')).map((entry: Record<string, unknown>) => [
      entry.actor,
      entry.door,
      entry.action,
      entry.subject,
    ])

  it('finds its way from the address of the API to a token, by the official SDK', async () => {
    const team = await people.team()
    const program = newProgram()
    const asked = await program.begin()
    assert.equal(asked?.origin, site)
    assert.equal(asked?.searchParams.get('resource'), `${site}/api/v1`)
    assert.equal(asked?.searchParams.get('scope'), 'read write')

    const stranger = await (await openConsentBrowser(service, null)).open(asked?.href ?? '')
    assert.equal(stranger.status, 303)
    const back = new URL(stranger.location ?? '', site)
    assert.equal(back.pathname, '/sign-in')
    assert.equal(new URL(back.searchParams.get('to') ?? '', site).href, asked?.href)

    const browser = await browserOf(team.owner)
    const page = await browser.open(back.searchParams.get('to') ?? '')
    assert.equal(page.status, 200)
    for (const said of ['Connect Robot to Upbeat?', team.owner.email, 'a program on this computer']) {
      assert.ok(page.text.includes(said), said)
    }
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' http:\/\/127\.0\.0\.1:33418;.*frame-ancestors 'none'/,
    )
    const answer = await browser.submit(page, { team: String(team.id), access: 'write', decision: 'allow' })
    assert.equal(answer.status, 303)
    assert.ok(answer.location?.startsWith('http://127.0.0.1:33418/callback?code='), String(answer.location))
    const tokens = await program.finish(answer.location)
    assert.deepEqual(
      { ...tokens, access_token: '', refresh_token: '', issuer: undefined },
      {
        access_token: '',
        refresh_token: '',
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'read write',
        issuer: undefined,
      },
    )
    assert.match(tokens.access_token, /^upb_[0-9A-Za-z]{46}$/)
    assert.equal(await statusOf(tokens.access_token), 200)
    assert.equal(await statusOf(tokens.access_token, 'POST', '/notification-contacts', CONTACT), 201)

    const [listed] = await team.owner.data(team.id, 'GET', '/api-tokens')
    assert.deepEqual(
      [listed.name, listed.is_yours, listed.connection, listed.last_used_at !== null],
      ['Robot', true, { resource: 'api', access: 'write' }, true],
    )
    assert.deepEqual((await auditOf(team.id, team.owner)).slice(0, 2), [
      [team.owner.name, 'api', 'createContact', 'Ops'],
      [team.owner.name, 'dashboard', 'connectProgram', 'Robot'],
    ])
  })

  it('keeps no key in the database, and none in what it prints', async () => {
    const { tokens, code } = await connect()
    const secrets = [tokens.access_token, tokens.refresh_token ?? '', code]
    const { rows } = await service.services.db.pool.query(
      `SELECT t::text AS row FROM tokens t UNION ALL SELECT c::text FROM oauth_codes c
       UNION ALL SELECT r::text FROM oauth_refresh_tokens r`,
    )
    const kept = rows.map(({ row }) => row).join('\n')
    for (const secret of secrets) {
      assert.ok(!kept.includes(secret) && !service.output().includes(secret))
      assert.ok(kept.includes(hashToken(secret).toString('hex')))
    }
  })

  it('is good at the one place it was let into', async () => {
    const team = await people.team()
    const browser = await browserOf(team.owner)
    const known = await connect()
    const url = await known.program.begin()
    assert.equal(url, null, 'its refresh token is enough')
    const asked = known.program.provider.asked as URL
    asked.searchParams.set('resource', `${site}/mcp`)
    const verifier = 'v'.repeat(43)
    asked.searchParams.set('code_challenge', hashToken(verifier).toString('base64url'))
    const page = await browser.open(asked.href)
    const { location } = await browser.submit(page, {
      team: String(team.id),
      access: 'read',
      decision: 'allow',
    })
    const code = new URL(location ?? '').searchParams.get('code') ?? ''
    const form = { ...exchangeForm(known), code, code_verifier: verifier }
    const elsewhere = await ask('/oauth/token', { ...form, resource: `${site}/api/v1` })
    assert.deepEqual([elsewhere.status, elsewhere.body.error], [400, 'invalid_target'])
    const { body } = await ask('/oauth/token', { ...form, resource: `${site}/mcp/` })
    assert.equal(body.scope, 'read')
    const refused = await service.call(body.access_token, 'GET', '/team')
    assertProblem(refused, 401)
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
    const [listed] = await team.owner.data(team.id, 'GET', '/api-tokens')
    assert.deepEqual(listed.connection, { resource: 'mcp', access: 'read' })
  })

  it('that may only read sees what a viewer sees, and is told what to ask for when it writes', async () => {
    const { person, teamId, tokens } = await connect('owner', 'read')
    assert.equal(tokens.scope, 'read')
    await person.data(teamId, 'POST', '/notification-contacts', CONTACT)
    const { body } = await service.call(tokens.access_token, 'GET', '/notification-contacts')
    const slack = body.data.find(({ type }: { type: string }) => type === 'slack')
    assert.equal(slack.config.webhook_url, 'https://hooks.example.com/********')
    const refused = await service.call(tokens.access_token, 'POST', '/notification-contacts', CONTACT)
    assertProblem(refused, 403)
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer error="insufficient_scope", scope="read write", resource_metadata="${site}/.well-known/oauth-protected-resource/api/v1"`,
    )
  })

  it('acts with the role that its person has now', async () => {
    const { person, teamId, tokens } = await connect('admin')
    assert.equal(await statusOf(tokens.access_token, 'POST', '/notification-contacts', CONTACT), 201)
    await accounts.addMember(service.services, { team: teamId, email: person.email, role: 'viewer' })
    const refused = await service.call(tokens.access_token, 'POST', '/notification-contacts', CONTACT)
    assertProblem(refused, 403)
    assert.equal(refused.headers.get('www-authenticate'), null)
    assert.equal(await statusOf(tokens.access_token), 200)
  })

  it('may only read for a viewer, who sees it in the dashboard and ends it', async () => {
    const { person, teamId, tokens } = await connect('viewer')
    assert.equal(tokens.scope, 'read')
    const [listed] = await person.data(teamId, 'GET', '/api-tokens')
    assert.deepEqual(listed.connection, { resource: 'api', access: 'read' })
    assert.equal((await person.ask(teamId, 'DELETE', `/api-tokens/${listed.id}`)).status, 204)
    assert.equal(await statusOf(tokens.access_token), 401)
  })

  it('renews its token by the official SDK, which ends the one before', async () => {
    const grant = await connect()
    const { access_token: before } = grant.tokens
    const pool = service.services.db.pool
    await pool.query(`UPDATE tokens SET access_expires_at = now() WHERE token_hash = $1`, [hashToken(before)])
    assert.equal(await statusOf(before), 401)
    assert.equal(await grant.program.begin(), null)
    const { tokens } = grant.program.provider.kept
    assert.notEqual(tokens?.refresh_token, grant.tokens.refresh_token)
    assert.equal(await statusOf(tokens?.access_token ?? ''), 200)
    assert.equal((await grant.person.data(grant.teamId, 'GET', '/api-tokens')).length, 1)
  })

  it('is ended when a refresh token comes a second time', async () => {
    const grant = await connect()
    const renewed = await ask('/oauth/token', refreshForm(grant))
    assert.equal(renewed.status, 200)
    assert.equal(renewed.headers.get('cache-control'), 'no-store')
    const again = await ask('/oauth/token', refreshForm(grant))
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await statusOf(renewed.body.access_token), 401)
    const form = { ...refreshForm(grant), refresh_token: renewed.body.refresh_token }
    assert.equal((await ask('/oauth/token', form)).body.error, 'invalid_grant')
    const [entry] = await auditOf(grant.teamId, grant.person)
    assert.deepEqual(entry, [grant.person.name, 'api', 'endStolenConnection', 'Robot'])
  })

  it('gets one token for a code, and loses it when the code comes again', async () => {
    const grant = await connect()
    const again = await ask('/oauth/token', exchangeForm(grant))
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await statusOf(grant.tokens.access_token), 401)
    assert.equal((await ask('/oauth/token', refreshForm(grant))).body.error, 'invalid_grant')
  })

  it('is not let in twice by two that come at once', async () => {
    const [one, other] = [await connect(), await connect()]
    const renewals = await Promise.all([0, 1, 2].map(() => ask('/oauth/token', refreshForm(one))))
    assert.deepEqual(renewals.map(({ status }) => status).sort(), [200, 400, 400])
    const { body } = renewals.find(({ status }) => status === 200) ?? {}
    assert.equal(await statusOf(body.access_token), 401)

    await service.services.db.pool.query('UPDATE oauth_codes SET token_id = NULL WHERE code_hash = $1', [
      hashToken(other.code),
    ])
    const exchanges = await Promise.all([0, 1, 2].map(() => ask('/oauth/token', exchangeForm(other))))
    assert.deepEqual(exchanges.map(({ status }) => status).sort(), [200, 400, 400])
    const given = exchanges.find(({ status }) => status === 200)?.body
    assert.equal(await statusOf(given.access_token), 401)
  })

  const ENDS: [what: string, end: (grant: Grant) => Promise<unknown>][] = [
    [
      'it is revoked in the dashboard',
      async ({ person, teamId }) => {
        const [{ id }] = await person.data(teamId, 'GET', '/api-tokens')
        assert.equal((await person.ask(teamId, 'DELETE', `/api-tokens/${id}`)).status, 204)
      },
    ],
    [
      'its person changes the password',
      async ({ person }) => {
        const body = { current_password: PASSWORD, password: 'another long password' }
        assert.equal((await person.send('POST', '/auth/password', body)).status, 204)
      },
    ],
    [
      'its person leaves the team',
      async ({ person, teamId }) =>
        assert.equal((await person.ask(teamId, 'POST', '/team/leave')).status, 204),
    ],
    [
      'it gives it up itself',
      async ({ tokens, program }) => {
        const client_id = program.provider.kept.client?.client_id ?? ''
        const { status } = await ask('/oauth/revoke', { token: tokens.refresh_token ?? '', client_id })
        assert.equal(status, 200)
      },
    ],
  ]
  for (const [what, end] of ENDS) {
    it(`works no more when ${what}`, async () => {
      const grant = await connect('admin')
      assert.equal(await statusOf(grant.tokens.access_token), 200)
      await end(grant)
      assert.equal(await statusOf(grant.tokens.access_token), 401)
      const refused = await ask('/oauth/token', refreshForm(grant))
      assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    })
  }

  it('gets nothing for a code that was allowed before the password changed', async () => {
    const grant = await connect('admin')
    const browser = await browserOf(grant.person)
    const asked = grant.program.provider.asked as URL
    const page = await browser.open(asked.href)
    const fields = { team: String(grant.teamId), access: 'read', decision: 'allow' }
    const { location } = await browser.submit(page, fields)
    const body = { current_password: PASSWORD, password: 'another long password' }
    assert.equal((await grant.person.send('POST', '/auth/password', body)).status, 204)
    const code = new URL(location ?? '').searchParams.get('code') ?? ''
    const refused = await ask('/oauth/token', { ...exchangeForm(grant), code })
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    assert.equal((await browser.submit(page, fields)).status, 303, 'that browser is signed out')
  })

  it('gets nothing for a code that is not good for it', async () => {
    const grant = await connect()
    const browser = await browserOf(grant.person)
    const asked = grant.program.provider.asked as URL
    const fields = { team: String(grant.teamId), access: 'read', decision: 'allow' }
    const { location } = await browser.submit(await browser.open(asked.href), fields)
    const code = new URL(location ?? '').searchParams.get('code') ?? ''
    const good: Record<string, string> = { ...exchangeForm(grant), code }
    const other = newProgram({ client_name: 'Other' })
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
      const refused = await ask('/oauth/token', { ...good, ...wrong })
      assert.deepEqual([refused.status, refused.body.error], [status, error], JSON.stringify(wrong))
      assert.ok(!JSON.stringify(refused.body).includes(code))
    }
    const twice = new URLSearchParams(good)
    twice.append('code', code)
    assert.equal((await ask('/oauth/token', twice)).body.error, 'invalid_request')
    await service.services.db.pool.query('UPDATE oauth_codes SET expires_at = now() WHERE code_hash = $1', [
      hashToken(code),
    ])
    assert.equal((await ask('/oauth/token', good)).body.error, 'invalid_grant')
  })

  it('hears at its own address what it asked wrongly, and that its person does not want to', async () => {
    const { program, person } = await connect()
    const browser = await browserOf(person)
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
        [error, 'the state', site],
        name,
      )
    }
    const page = await browser.open(asked.href)
    const { location } = await browser.submit(page, { decision: 'deny' })
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'access_denied')
  })

  it('that nobody knows, or that wants its answer elsewhere, is told to the person alone', async () => {
    const { program, person } = await connect()
    const browser = await browserOf(person)
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

  it('is let in by a form of our own page alone, into a team of its person', async () => {
    const { program, person, teamId } = await connect()
    const browser = await browserOf(person)
    const page = await browser.open((program.provider.asked as URL).href)
    const fields = { team: String(teamId), access: 'write', decision: 'allow' }
    const foreign = await browser.submit(page, fields, { origin: 'https://evil.example' })
    assert.equal(foreign.status, 403)
    const stranger = await people.team()
    const refused = await browser.submit(page, { ...fields, team: String(stranger.id) })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /role="alert">team must be one of yours/)
  })

  it('introduces itself with addresses that a browser may safely be sent to', async () => {
    const register = (body: unknown) =>
      ask('/oauth/register', typeof body === 'string' ? body : JSON.stringify(body), 'application/json')
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
    const register = () =>
      fetch(`${site}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.77' },
        body: '{"redirect_uris": ["https://x.example/"]}',
      })
    const statuses = (await Promise.all(Array.from({ length: 21 }, register))).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [201, 429])
    const limited = await register()
    assert.equal(((await limited.json()) as { error: string }).error, 'temporarily_unavailable')
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
  })

  it('may be known by the address at which it describes itself', async (t) => {
    let document: unknown
    let asked = 0
    const server = https.createServer(authority.issue({}), (_request, response) => {
      asked++
      response.end(JSON.stringify(document))
    })
    const port = await listen(server)
    t.after(() => {
      server.closeAllConnections()
      server.close()
    })
    const id = `https://localhost:${port}/program.json`
    const program = openProgram(`${site}/api/v1`, {}, id)
    const url = (await program.begin())?.href ?? ''
    assert.equal(new URL(url).searchParams.get('client_id'), id)
    assert.equal((await (await openConsentBrowser(service, null)).open(url)).status, 303)
    assert.equal(asked, 0, 'strangers make the service ask nobody')

    const team = await people.team()
    const browser = await browserOf(team.owner)
    for (const [wrong, why] of [
      ['{', /names another client_id/],
      [{ client_id: `${id}x`, redirect_uris: [] }, /names another client_id/],
      [{ client_id: id, redirect_uris: [] }, /at least 1 entry/],
      ['x'.repeat(9_000), /is not JSON/],
    ] as const) {
      document = wrong
      const refused = await browser.open(url)
      assert.equal(refused.status, 400)
      assert.match(refused.text, why)
    }
    document = { client_id: id, client_name: 'Described', redirect_uris: ['http://127.0.0.1/callback'] }
    const page = await browser.open(url)
    assert.ok(page.text.includes('Connect Described to Upbeat?') && page.text.includes(`localhost:${port}`))
    const before = asked
    const { location } = await browser.submit(page, {
      team: String(team.id),
      access: 'write',
      decision: 'allow',
    })
    const { access_token } = await program.finish(location)
    assert.equal(await statusOf(access_token), 200)
    assert.equal(asked, before, 'a description is kept for a while')

    const { db, vault } = service.services
    const config = readConfig({ ...service.env, PRIVATE_TARGETS: 'deny' })
    const strict = createServices(config, { db, vault } as Store, {} as Recorder, createLog('silent', false))
    const judged = await strict.fetchDescription(id)
    assert.ok(judged.kind === 'failed' && /not allowed/.test(judged.reason), JSON.stringify(judged))
    assert.equal(asked, before)
  })

  it('is told by the metadata of all that there is, from any page', async () => {
    const read = async (path: string) => {
      const response = await fetch(site + path, { headers: { origin: 'https://inspector.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      return (await response.json()) as Record<string, unknown>
    }
    const server = await read('/.well-known/oauth-authorization-server')
    assert.equal(server.issuer, site)
    assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
    assert.equal(server.authorization_response_iss_parameter_supported, true)
    for (const [path, resource] of [
      ['/mcp', '/mcp'],
      ['/api/v1', '/api/v1'],
      ['', '/mcp'],
    ]) {
      const about = await read(`/.well-known/oauth-protected-resource${path}`)
      assert.deepEqual([about.resource, about.authorization_servers], [site + resource, [site]])
    }
    const preflight = await fetch(`${site}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.status, 204)
    assert.equal((await fetch(`${site}/oauth/token`)).status, 405)
  })
})
