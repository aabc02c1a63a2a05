// npm test leaves this out: it sends text that cannot be stored in every place of every operation (thousands of requests).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Hono } from 'hono'
import type * as z from 'zod'
import { readConfig } from '../../../../src/config.ts'
import { type AccountOperation, accountContract } from '../../../../src/contract/accounts.ts'
import { allOperations } from '../../../../src/contract/contract.ts'
import { fieldsOf } from '../../../../src/contract/fields.ts'
import { fillPath, type Operation } from '../../../../src/contract/operation.ts'
import { PROBE_PATH, probeContract } from '../../../../src/contract/remote-probes.ts'
import { createLog } from '../../../../src/log.ts'
import { createRemoteProbe } from '../../../../src/operations/probing/remote-probe-tokens.ts'
import { API_PATH, type Services } from '../../../../src/operations/services.ts'
import { addHealth } from '../../../../src/pages/health.ts'
import { addRoutes } from '../../../../src/roles/api.ts'
import { openLiveStreams, openRemoteProbeNews } from '../../../../src/roles/services.ts'
import type { Store } from '../../../../src/store/store.ts'
import { sampleOf, sentSchema, textPlaces, withValue } from '../../../support/documents/text-places.ts'
import { MONITORS } from '../../../support/services/api-bodies.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'
import { PASSWORD } from '../../../support/services/people.ts'
import { openBrowser } from '../../../support/sign-in/cookie-browser.ts'
import {
  connectionsOf,
  exchangeForm,
  type Grant,
  refreshForm,
} from '../../../support/sign-in/oauth-connections.ts'

const NUL = 'wo\0rd'
/** As parts of a path and of a query: NUL alone and within a word, and bytes that are no UTF-8. */
const IN_ADDRESSES = ['wo%00rd', '%FF', '%00', '%ED%A0%80']
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_BODY = { 'content-type': 'application/json' }

/** Query parameters that routes read besides those of the contract; every route gets all of them. */
const PARAMETERS = [
  ...[
    'client_id',
    'redirect_uri',
    'response_type',
    'response_mode',
    'code_challenge',
    'code_challenge_method',
  ],
  ...['scope', 'resource', 'state', 'code', 'code_verifier', 'grant_type', 'refresh_token', 'token'],
  ...['rid', 'status', 'msg', 'ping', 'label', 'window', 'q', 'return_to', 'v'],
]
/** The fields that the pages' forms send. */
const FORM_FIELDS = ['decision', 'team', 'access', 'link', 'name', 'email', 'password', 'username']

describe('no text that PostgreSQL cannot hold gets past any route', () => {
  let service: AskedService
  let grant: Grant
  let app: Hono
  let routes: { method: string; path: string }[]
  let authorization: Record<string, string>
  let cookie: Record<string, string>
  let probe: Record<string, string>
  const bugs: unknown[] = []
  /** Values for the parameters of paths that name an existing record. */
  const ids: Record<string, number> = {}

  before(async () => {
    service = await apiService()
    grant = await connectionsOf(service).connect()
    authorization = { authorization: `Bearer ${grant.tokens.access_token}` }
    const browser = openBrowser(service.url)
    await browser.send('POST', '/auth/sign-in', { email: grant.person.email, password: PASSWORD })
    cookie = { cookie: browser.cookie(), origin: service.services.siteUrl }
    const { person, teamId } = grant
    ids.team = teamId
    ids.monitor = (await person.data(teamId, 'POST', '/monitors', MONITORS.heartbeat)).id
    ids.notificationContact = (await person.data(teamId, 'GET', '/notification-contacts'))[0].id
    ids.member = person.id
    const { token } = await createRemoteProbe(service.services, { region: 'nul', name: 'Unstorable' })
    probe = { authorization: `Bearer ${token}` }
    app = await openRoutes(service, bugs)
    // Middleware, and the refusal of other methods, are there for all methods.
    const all = app.routes.filter(({ path }) => !path.includes('*'))
    routes = [...new Map(all.map((route) => [`${route.method} ${route.path}`, route])).values()]
  })

  async function ask(method: string, path: string, headers: Record<string, string>, body?: string) {
    const env = { incoming: { headers: {}, socket: { remoteAddress: '127.0.0.1' } } }
    const sent = { method, headers, ...(body !== undefined && { body }) }
    const response = await app.request(path, sent, env)
    await response.body?.cancel()
    const about = `${method} ${path} ${body ?? ''} answered ${response.status}`
    const found = bugs.splice(0)
    assert.ok(response.status < 500 && found.length === 0, `${about}: ${found}`)
    return response.status
  }

  const methodsOf = (method: string) => (method === 'ALL' ? ['GET', 'POST'] : [method])
  /** Their queries are known, or they have none: what is done there by a session would end it. */
  const isKnown = (path: string) =>
    /^\/(app\/teams|docs|auth(?!\/oidc))\//.test(path) || path.startsWith(`${API_PATH}/`)

  it('in a part of its path', async () => {
    let asked = 0
    for (const { method, path } of routes) {
      const parameters = path.match(/:\w+/g) ?? []
      for (const parameter of parameters) {
        for (const bad of IN_ADDRESSES) {
          const filled = path.replace(parameter, bad).replaceAll(/:\w+/g, (name) => idFor(name))
          for (const each of methodsOf(method)) asked += await count(ask(each, filled, headersOf(path)))
        }
      }
    }
    assert.ok(asked > 125 * IN_ADDRESSES.length, String(asked))
  })

  it('in a query', async () => {
    for (const { method, path } of routes.filter((route) => !isKnown(route.path))) {
      for (const name of PARAMETERS) {
        for (const bad of ['wo%00rd', '%FF']) {
          const filled = path.replaceAll(/:\w+/g, (parameter) => idFor(parameter))
          for (const each of methodsOf(method)) await ask(each, `${filled}?${name}=${bad}`, headersOf(path))
        }
      }
    }
    for (const { method, path, query } of Object.values(allOperations) as Operation[]) {
      for (const { name } of query ? fieldsOf(query) : []) {
        const filled = fillPath(path, (parameter) => idFor(`:${parameter}`))
        for (const bad of ['wo%00rd', '%FF']) {
          await ask(method, `/app/teams/${grant.teamId}${filled}?${name}=${bad}`, cookie)
        }
      }
    }
  })

  it('in a body of JSON', async () => {
    let refused = 0
    for (const [method, path, schema, headers] of jsonBodies()) {
      const shape = sentSchema(schema)
      for (const place of textPlaces(shape)) {
        const sent = JSON.stringify(withValue(sampleOf(shape), place, NUL))
        const status = await ask(method, path, { ...headers, ...JSON_BODY }, sent)
        if (status === 422) refused++
      }
    }
    assert.ok(refused > 50, String(refused))
    assert.equal(await ask('GET', '/auth/session', cookie), 200, 'the session that asked is good still')
  })

  const asked = (method: string, path: string, body: z.ZodType, headers: Record<string, string>) =>
    [method, path, body, headers] as const

  function jsonBodies() {
    const operations = (Object.values(allOperations) as Operation[]).map((operation) => ({
      ...operation,
      path: `/app/teams/${grant.teamId}${fillPath(operation.path, (name) => idFor(`:${name}`))}`,
    }))
    const ofPeople = [...operations, ...(Object.values(accountContract) as AccountOperation[])]
    return [
      ...ofPeople.flatMap(({ method, path, body }) => (body ? [asked(method, path, body, cookie)] : [])),
      ...Object.values(probeContract).map(({ path, input }) =>
        asked('POST', PROBE_PATH + path, input, probe),
      ),
    ]
  }

  it('in a form', async () => {
    const forms: [path: string, known: Record<string, string>, headers: Record<string, string>][] = [
      ['/oauth/token', exchangeForm(grant), {}],
      ['/oauth/token', refreshForm(grant), {}],
      ['/oauth/revoke', { token: 'none', client_id: 'none' }, {}],
      ['/oauth/authorize', authorizationOf(grant), cookie],
      ['/setup', {}, cookie],
      ['/set-password/none', {}, cookie],
      ['/confirm-sign-up/none', {}, cookie],
      ['/verify-email/none', {}, cookie],
    ]
    for (const [path, known, headers] of forms) {
      for (const name of new Set([...Object.keys(known), ...PARAMETERS, ...FORM_FIELDS])) {
        const body = new URLSearchParams({ ...known, [name]: NUL }).toString()
        await ask('POST', path, { ...FORM, ...headers }, body)
      }
    }
    const authorize = authorizationOf(grant)
    for (const name of Object.keys(authorize)) {
      const query = new URLSearchParams({ ...authorize, [name]: NUL })
      // One that says what it wants is shown the page; what is wrong in it is told there, or to the program.
      assert.notEqual(await ask('GET', `/oauth/authorize?${query}`, cookie), 200, name)
    }
    assert.equal(await ask('GET', `/oauth/authorize?${new URLSearchParams(authorize)}`, cookie), 200)
  })

  it('in what programs say of themselves, and AI assistants ask for', async () => {
    const metadata = {
      redirect_uris: ['http://127.0.0.1/'],
      client_name: 'Robot',
      grant_types: ['authorization_code'],
    }
    for (const place of [['redirect_uris', 0], ['client_name'], ['grant_types', 0], ['unknown']]) {
      await ask('POST', '/oauth/register', JSON_BODY, JSON.stringify(withValue(metadata, place, NUL)))
    }
    const headers = {
      ...authorization,
      ...JSON_BODY,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    }
    for (const name of ['url', 'name', 'type', 'expected_keyword', 'username', 'password', 'status']) {
      for (const tool of ['create-monitor', 'update-monitor', 'list-monitors', NUL]) {
        const given = { ...MONITORS.http, monitor_id: 1, [name]: NUL }
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: given } }
        await ask('POST', '/mcp', headers, JSON.stringify(call))
      }
    }
  })

  const headersOf = (path: string) => (path.startsWith(API_PATH) ? authorization : cookie)
  const idFor = (parameter: string) => String(ids[parameter.slice(1)] ?? 1)
})

async function count(work: Promise<unknown>): Promise<number> {
  await work
  return 1
}

/** A program's authorization request, as `exchangeForm` would continue it. */
function authorizationOf(grant: Grant): Record<string, string> {
  return {
    client_id: exchangeForm(grant).client_id,
    redirect_uri: exchangeForm(grant).redirect_uri,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'read',
    state: 'state',
  }
}

/** Every route of the service, without limits; a fault of ours is kept instead of hidden behind an answer. */
async function openRoutes(service: AskedService, bugs: unknown[]): Promise<Hono> {
  const config = readConfig(service.env)
  const onBug = (error: unknown) => void bugs.push(error)
  const take = async () => ({ limit: 1, remaining: 1, retryAfterSeconds: null })
  // Some limits stand in groups.
  const limits: Services['limits'] = new Proxy(service.services.limits, {
    get: (_, name) => (name === 'take' ? take : limits),
  })
  const services: Services = {
    ...service.services,
    limits,
    onBug,
    afterwards: (work) => void work().catch(onBug),
  }
  const app = new Hono({ strict: false })
  addHealth(app, async () => null)
  const live = openLiveStreams({ db: services.db } as Store, createLog('silent', false))
  await addRoutes(app, config, services, live, openRemoteProbeNews())
  app.onError((error, context) => {
    onBug(error)
    return context.text('', 500)
  })
  return app
}
