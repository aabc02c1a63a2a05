import { randomUUID } from 'node:crypto'
import { accountContract } from '../../src/contract/accounts.ts'
import { contract } from '../../src/contract/contract.ts'
import { PROBE_PATH, probeContract } from '../../src/contract/remote-probes.ts'
import { OAUTH_PATHS } from '../../src/core/sign-in/oauth-metadata.ts'
import { MACHINE_PATHS } from '../../src/core/status-pages/documents/machine-documents.ts'
import { casesOf } from '../support/access/cases.ts'
import { recordsOf } from '../support/access/team-records.ts'
import { sampleOf, sentSchema } from '../support/documents/text-places.ts'
import { INPUTS } from '../support/inputs/mutations.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { peopleOf } from '../support/services/people.ts'

/** A request that the service takes, to make others of. */
export type Living = {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
  /** Instead of a body in JSON. */
  bytes?: Uint8Array
}

/** A request of every route, with the records of a new team and the credentials of its owner. */
export async function livingRequests(service: AskedService): Promise<Living[]> {
  const people = peopleOf(service)
  const [team, other] = [await people.team(), await people.team()]
  const [ours, theirs] = [recordsOf(service, people, team), recordsOf(service, people, other)]
  const cases = await casesOf(ours, theirs)
  const cookie = { origin: service.url, cookie: team.owner.cookie() }
  const bearer = { authorization: `Bearer ${await service.createToken(team.id, 'owner')}` }
  const own = cases.map(
    ({ id, operation, path, body }): Living => ({
      ...{ name: id, method: operation.method, path: `/app/teams/${team.id}${path}`, headers: cookie, body },
    }),
  )
  const open = cases
    .filter(({ id }) => id in contract)
    .map(
      ({ id, operation, path, body }): Living => ({
        ...{ name: `API ${id}`, method: operation.method, path: `/api/v1${path}`, headers: bearer, body },
      }),
    )
  const accounts = Object.entries(accountContract).map(
    ([id, operation]): Living => ({
      name: id,
      method: operation.method,
      path: operation.path.replace('{id}', randomUUID()),
      headers: cookie,
      ...('body' in operation && operation.body && { body: sampleOf(sentSchema(operation.body)) }),
    }),
  )
  const probes = Object.entries(probeContract).map(
    ([id, { path, input }]): Living => ({
      ...{ name: `probe ${id}`, method: 'POST', path: PROBE_PATH + path, headers: bearer },
      body: sampleOf(sentSchema(input)),
    }),
  )
  return [
    ...own,
    ...open,
    ...accounts,
    ...probes,
    ...(await secretAddresses(service, ours)),
    ...pages(bearer),
  ]
}

/** Addresses that are known by their secret, and what is public of the team. */
async function secretAddresses(service: AskedService, ours: ReturnType<typeof recordsOf>): Promise<Living[]> {
  const { heartbeat_token: token } = await ours.data('POST', '/monitors', MONITORS.heartbeat)
  const { address } = await ours.data('GET', `/servers/${await ours('server')}/install`)
  const server = new URL(address).pathname
  const page = await ours.data('POST', '/status-pages', {
    name: 'Shop',
    slug: `fuzz-${randomUUID().slice(0, 12)}`,
  })
  const items = [{ component: { monitor_id: await ours('monitor'), name: 'Cart' } }]
  await ours.data('PUT', `/status-pages/${page.id}/layout`, { items })
  await ours.data('POST', `/status-pages/${page.id}/publish`)
  const status = `/status/${page.slug}`
  const get = (path: string): Living => ({ name: path, method: 'GET', path, headers: {} })
  const form = (path: string, body: string): Living => ({
    name: path,
    method: 'POST',
    path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url },
    bytes: Buffer.from(body),
  })
  return [
    ...['', '/start', '/fail', '/0', '/log'].map((signal) =>
      get(`/ping/${token}${signal}?rid=${randomUUID()}`),
    ),
    get(`/api/push/${token}?status=up&msg=OK&ping=12`),
    ...inputs(server),
    ...['', '/history/2026-11', '/logo', '?lang=de', ...MACHINE_PATHS.map((path) => `/${path}`)].map(
      (below) => get(status + below),
    ),
    form(`${status}/subscribe`, 'email=reader%40example.com'),
    form(`${status}/sign-in`, 'password=correct'),
    ...['badge', 'ack', 'agree', 'confirm-sign-up', 'set-password', 'verify-email', 'report-mails'].map(
      (door) => get(`/${door}/${token}`),
    ),
    ...['ack', 'agree', 'confirm-sign-up', 'set-password', 'verify-email', 'report-mails'].map((door) =>
      form(`/${door}/${token}`, 'action=confirm&name=Ada&password=correct+horse+battery'),
    ),
    form(
      OAUTH_PATHS.token,
      'grant_type=authorization_code&code=x&client_id=y&redirect_uri=http%3A%2F%2Flocalhost',
    ),
    form(OAUTH_PATHS.revoke, 'token=x&client_id=y'),
    {
      ...{ name: 'register', method: 'POST', path: OAUTH_PATHS.register, headers: {} },
      body: { redirect_uris: ['http://localhost/back'], client_name: 'Client' },
    },
  ]
}

/** What is there for everybody, and for programs. */
function pages(bearer: Record<string, string>): Living[] {
  const paths = [
    ...[
      '/',
      '/health',
      '/health/live',
      '/setup',
      '/metrics',
      '/docs',
      '/docs/search?q=ping',
      '/llms.txt',
      '/robots.txt',
    ],
    ...[
      '/api/v1/openapi.json',
      OAUTH_PATHS.server,
      OAUTH_PATHS.resource,
      '/.well-known/security.txt',
      '/auth/oidc',
    ],
    ...[
      `${OAUTH_PATHS.authorize}?client_id=x&response_type=code`,
      '/api/v1/metrics',
      '/sign-in',
      '/monitors',
    ],
  ]
  const ask = (method: string, params: unknown): Living => ({
    name: `MCP ${method}`,
    method: 'POST',
    path: '/mcp',
    headers: { ...bearer, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  return [
    ...paths.map((path): Living => ({ name: path, method: 'GET', path, headers: bearer })),
    ask('tools/list', {}),
    ask('tools/call', { name: 'list-monitors', arguments: { per_page: 5 } }),
    ask('tools/call', { name: 'create-monitor', arguments: MONITORS.http }),
    ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
  ]
}

/** What senders send to a server, each in its protocol. */
function inputs(server: string): Living[] {
  const bodies = new Map(INPUTS.map(([name, body]) => [name, body]))
  const send = (name: string, path: string, headers: Record<string, string>): Living => {
    const bytes = bodies.get(name)
    if (!bytes) throw new Error(`no input ${name}`)
    return { name, method: 'POST', path: `${server}/${path}`, headers, bytes }
  }
  const [protobuf, json, snappy] = ['application/x-protobuf', 'application/json', 'snappy']
  return [
    send('OTLP in protobuf', 'v1/metrics', { 'content-type': protobuf }),
    send('OTLP in JSON', 'v1/metrics', { 'content-type': json }),
    send('Influx lines', 'api/v2/write', { 'content-type': 'text/plain' }),
    send('a Snappy block', 'api/v1/write', { 'content-type': protobuf, 'content-encoding': snappy }),
  ]
}
