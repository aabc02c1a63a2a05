// npm test leaves this out: it starts a remote probe as a process, and waits for a check of each option (seconds).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { before, describe, it } from 'node:test'
import type { TLSSocket } from 'node:tls'
import type { GROUPS } from '../../../src/core/monitors/options/groups.ts'
import type { HEARTBEATS } from '../../../src/core/monitors/options/heartbeats.ts'
import type { PATIENCE } from '../../../src/core/monitors/options/patience.ts'
import { createRemoteProbe } from '../../../src/operations/probing/remote-probe-tokens.ts'
import { type BrokerServer, startBroker } from '../../support/brokers/broker-server.ts'
import { speakMqtt } from '../../support/brokers/mqtt.ts'
import { chromiumScript } from '../../support/browser/chromium-script.ts'
import { speakPostgresql } from '../../support/databases/postgresql.ts'
import { startEcho } from '../../support/line-servers/echo.ts'
import { type LineServer, startLineServer } from '../../support/line-servers/line-server.ts'
import { speakSmtp } from '../../support/line-servers/smtp.ts'
import { type NameServer, startNameServer } from '../../support/name-servers/name-server.ts'
import { type ProxyServer, startHttpProxy, startSocksProxy } from '../../support/net/proxies.ts'
import { startDockerApi } from '../../support/protocols/docker-api.ts'
import { startGrpcServer } from '../../support/protocols/grpc-server.ts'
import { startLdapServer } from '../../support/protocols/ldap-server.ts'
import { beAgent, beRadius, beSourceServer, tellTime } from '../../support/protocols/packet-answers.ts'
import type { SetOption } from '../../support/records/option-samples.ts'
import { suiteScope } from '../../support/scope.ts'
import { createAuthority, selfSigned } from '../../support/servers/certificates.ts'
import { type DnsServer, startDnsServer } from '../../support/servers/dns-server.ts'
import { startHttp, startHttps } from '../../support/servers/targets.ts'
import { startRemoteProbe } from '../../support/services/remote-probe.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { SELDOM, type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { startWebSocketServer, type WebSocketServer } from '../../support/web-sockets/web-socket-server.ts'

/** The options that a probe reads, and `attempts`, for which it checks again. The service alone reads the others. */
type Probed =
  | Exclude<SetOption, keyof typeof GROUPS | keyof typeof HEARTBEATS | keyof typeof PATIENCE>
  | 'attempts'

type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
/** The servers around the probe, and the requests that they got. */
type World = {
  web: string
  port: number
  secure: (kind: 'ours' | 'named' | 'stranger') => string
  asked: (path: string) => Asked[]
  tlsSeen: { name: unknown; certificate: unknown }[]
  dns: DnsServer
  nameServer: NameServer
  mail: LineServer
  rows: LineServer
  broker: BrokerServer
  sockets: WebSocketServer
  http: ProxyServer
  socks: ProxyServer
  grpc: number
  ldap: number
  docker: number
  packets: Record<'ntp' | 'snmp' | 'radius' | 'game', number>
}
/** A monitor that has the option, how it must be found, and that the servers have seen it. */
type Try = {
  what: string
  settings: Record<string, unknown>
  options: Record<string, unknown>
  found?: [status: string, message: string | RegExp | null]
  seen?: () => void
}

const own = createAuthority('Authority of Ours')
const RECORD = { type: 'A', name: 'shop.example', data: '192.0.2.7' } as const
const UP: Try['found'] = ['up', null]
const databaseAt = ({ port }: LineServer) => ({
  ...{ type: 'postgresql', url: `postgresql://127.0.0.1:${port}` },
  ...{ username: 'ada', password: 'very-secret' },
})
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const TRIES: Record<Probed, (world: World) => Try[]> = {
  assertions: ({ web }) => [
    {
      what: 'that is not met',
      settings: { url: `${web}/ok` },
      options: {
        assertions: [{ source: 'json', property: '$.status', comparison: 'equals', target: 'late' }],
      },
      found: ['down', '$.status is "ok" (expected "late")'],
    },
  ],
  steps: ({ web, asked }) => [
    {
      what: 'one after the other, and how each went',
      settings: { type: 'steps', url: web },
      options: {
        steps: [
          {
            ...{ name: 'one', method: 'GET', url: '/ok' },
            captures: { status: { source: 'json', property: '$.status' } },
          },
          { name: 'two', method: 'GET', url: '/step/{{status}}' },
        ],
      },
      found: UP,
      seen: () => assert.equal(asked('/step/ok').length, 1),
    },
  ],
  browser_steps: ({ web }) => [
    {
      what: 'in a browser of the probe',
      settings: { type: 'browser', url: `${web}/ok`, request_timeout_seconds: 60 },
      options: { browser_steps: [{ name: 'one', action: 'expect_text', value: 'ok' }] },
    },
  ],
  secrets: ({ web, asked }) => [
    {
      what: 'in a header',
      settings: { type: 'steps', url: web },
      options: {
        steps: [
          { name: 'one', method: 'GET', url: '/ok' },
          { name: 'two', method: 'GET', url: '/secret', headers: { 'X-Key': '{{secret.KEY}}' } },
        ],
        secrets: { KEY: 'sesame-7' },
      },
      found: UP,
      seen: () => assert.equal(asked('/secret')[0]?.headers['x-key'], 'sesame-7'),
    },
  ],
  request_body: ({ web, asked }) => [
    {
      what: 'of a POST',
      settings: { url: `${web}/body`, http_method: 'POST' },
      options: { request_body: '{"ü": 1}' },
      seen: () =>
        assert.deepEqual([asked('/body')[0]?.method, asked('/body')[0]?.body], ['POST', '{"ü": 1}']),
    },
  ],
  follow_redirects: ({ web }) => [
    {
      what: 'that are not followed',
      settings: { url: `${web}/redirect`, expected_status_codes: [302] },
      options: { follow_redirects: 0 },
    },
  ],
  cache_buster: ({ web, asked }) => [
    {
      what: 'in the address',
      settings: { url: `${web}/cached` },
      options: { cache_buster: true },
      seen: () => assert.match(asked('/cached')[0]?.url ?? '', /[?]_upbeat=./),
    },
  ],
  record_type: ({ dns }) => [
    {
      what: 'MX',
      settings: { type: 'dns', url: 'dns://mail.example' },
      options: { record_type: 'MX', resolver: dns.address },
      seen: () => assert.ok(dns.questions.includes('mail.example MX'), dns.questions.join()),
    },
  ],
  transport: ({ nameServer }) => [
    {
      what: 'TCP',
      settings: { type: 'dns', url: 'dns://shop.example' },
      options: { transport: 'tcp', resolver: `127.0.0.1:${nameServer.port}` },
      seen: () => assert.equal(nameServer.asked[0]?.name, 'shop.example'),
    },
  ],
  dnssec: ({ dns }) => [
    {
      what: 'that nothing vouches for',
      settings: { type: 'dns', url: 'dns://named.example' },
      options: { dnssec: true, resolver: dns.address },
      found: ['down', /no AD flag/],
    },
  ],
  warning_days: () => [
    {
      what: 'of a name that has no registry to ask',
      settings: { type: 'domain', url: 'domain://printer.local' },
      options: { warning_days: 45 },
      found: ['down', /private, so that it has no registration/],
    },
  ],
  subprotocol: ({ sockets }) => [
    {
      what: 'that the server does not take',
      settings: { type: 'websocket', url: `ws://127.0.0.1:${sockets.port}/` },
      options: { subprotocol: 'chat' },
      found: ['down', 'WebSocket: the server took no subprotocol (expected chat)'],
    },
  ],
  send: ({ sockets, mail }) => [
    {
      what: 'over a WebSocket',
      settings: { type: 'websocket', url: `ws://127.0.0.1:${sockets.port}/` },
      options: {
        send: 'hello',
        assertions: [{ source: 'answer', comparison: 'equals', target: 'hello' }],
      },
    },
    {
      what: 'that is answered',
      settings: { type: 'tcp', url: 'tcp://127.0.0.1', port: mail.port },
      options: {
        send: 'HELO there\r\n',
        assertions: [{ source: 'answer', comparison: 'contains', target: '250 mail.example' }],
      },
    },
  ],
  service: ({ grpc }) => [
    {
      what: 'that is not there',
      settings: { type: 'grpc', url: `grpc://127.0.0.1:${grpc}` },
      options: { service: 'shop.Nothing' },
      found: ['down', 'gRPC error 5 NOT_FOUND ("unknown service")'],
    },
  ],
  method: ({ grpc }) => [
    {
      what: 'that is not there',
      settings: { type: 'grpc', url: `grpc://127.0.0.1:${grpc}` },
      options: { method: 'shop.Orders/Lose' },
      found: ['down', 'gRPC: the server has no method shop.Orders/Lose'],
    },
  ],
  request: ({ grpc }) => [
    {
      what: 'that comes back',
      settings: { type: 'grpc', url: `grpc://127.0.0.1:${grpc}` },
      options: {
        ...{ method: 'shop.Orders/Get', request: '{"id": 7}' },
        assertions: [{ source: 'json', property: '$.id', comparison: 'equals', target: 7 }],
      },
    },
  ],
  oid: ({ packets }) => [
    {
      what: 'of an agent',
      settings: { type: 'snmp', url: `snmp://127.0.0.1:${packets.snmp}` },
      options: { oid: '1.3.6.1.2.1.1.1.0', community: 'private' },
    },
  ],
  snmp_version: ({ packets }) => [
    {
      what: '1',
      settings: { type: 'snmp', url: `snmp://127.0.0.1:${packets.snmp}` },
      options: { oid: '1.3.6.1.2.1.1.1.0', community: 'private', snmp_version: '1' },
    },
  ],
  community: ({ packets }) => [
    {
      what: 'that the agent has',
      settings: { type: 'snmp', url: `snmp://127.0.0.1:${packets.snmp}` },
      options: { oid: '1.3.6.1.2.1.1.1.0', community: 'private' },
    },
  ],
  // A real agent is asked with them (test/programs/snmpd.test.ts).
  auth_protocol: () => [],
  privacy_password: () => [],
  shared_secret: ({ packets }) => [
    {
      what: 'of another client',
      settings: { type: 'radius', url: `radius://127.0.0.1:${packets.radius}`, username: 'ada' },
      options: { shared_secret: 'another' },
      found: ['down', 'RADIUS: the answer is not signed with the shared secret'],
    },
  ],
  // The same (test/programs/freeradius.test.ts).
  called_station_id: () => [],
  calling_station_id: () => [],
  base_dn: ({ ldap }) => [
    {
      what: 'that is not there',
      settings: { type: 'ldap', url: `ldap://127.0.0.1:${ldap}` },
      options: { base_dn: 'dc=example', security: 'none' },
      found: ['down', 'LDAP: answer about dc=example is "32 noSuchObject" (expected 0 success)'],
    },
  ],
  game: ({ packets }) => [
    {
      what: 'of Valve',
      settings: { type: 'game', url: `game://127.0.0.1:${packets.game}` },
      options: { game: 'css' },
    },
  ],
  docker_host: ({ docker }) => [
    {
      what: 'without that container',
      settings: { type: 'docker', url: 'docker://lost' },
      options: { docker_host: `http://127.0.0.1:${docker}` },
      found: ['down', 'there is no container lost'],
    },
  ],
  max_offset_ms: ({ packets }) => [
    {
      what: 'that is less',
      settings: { type: 'ntp', url: `ntp://127.0.0.1:${packets.ntp}` },
      options: { max_offset_ms: 1_000 },
      found: ['down', /^NTP: the clock is [\d,]+ ms ahead \(expected at most 1,000 ms\)$/],
    },
  ],
  max_stratum: ({ packets }) => [
    {
      what: 'that is less',
      settings: { type: 'ntp', url: `ntp://127.0.0.1:${packets.ntp}` },
      options: { max_offset_ms: 86_400_000, max_stratum: 1 },
      found: ['down', 'NTP: stratum is 2 (expected at most 1)'],
    },
  ],
  max_dispersion_ms: ({ packets }) => [
    {
      what: 'that is less',
      settings: { type: 'ntp', url: `ntp://127.0.0.1:${packets.ntp}` },
      options: { max_offset_ms: 86_400_000, max_dispersion_ms: 1 },
      found: ['down', 'NTP: root dispersion is 3 ms (expected at most 1 ms)'],
    },
  ],
  query: ({ rows }) => [
    {
      what: 'of a database',
      settings: databaseAt(rows),
      options: {
        query: 'SELECT count(*) FROM jobs',
        assertions: [{ source: 'answer', comparison: 'equals', target: 8 }],
      },
      found: ['down', 'answer is "7" (expected 8)'],
    },
  ],
  database: ({ rows }) => [
    {
      what: 'by its name',
      settings: databaseAt(rows),
      options: { database: 'shop-of-ada', security: 'none' },
      seen: () => assert.ok(rows.heard.some(({ line }) => line.includes('shop-of-ada'))),
    },
  ],
  topic: ({ broker }) => [
    {
      what: 'on which a message lies',
      settings: { type: 'mqtt', url: `mqtt://127.0.0.1:${broker.port}` },
      options: { topic: 'hall', assertions: [{ source: 'answer', comparison: 'equals', target: 'kept' }] },
    },
  ],
  publish: ({ broker }) => [
    {
      what: 'that comes back',
      settings: { type: 'mqtt', url: `mqtt://127.0.0.1:${broker.port}` },
      options: {
        ...{ topic: 'hall', publish: 'ready' },
        assertions: [{ source: 'answer', comparison: 'equals', target: 'ready' }],
      },
    },
  ],
  auth: ({ web }) => [
    {
      what: 'by a bearer token',
      settings: { url: `${web}/bearer` },
      options: { auth: { type: 'bearer', token: 'sesame' } },
    },
    {
      what: 'by OAuth 2',
      settings: { url: `${web}/granted` },
      options: {
        auth: { type: 'oauth2', token_url: `${web}/token`, client_id: 'ada', client_secret: 'very-secret' },
      },
    },
    {
      what: 'by Digest',
      settings: { url: `${web}/digest`, username: 'ada', password: 'pass:word' },
      options: { auth: { type: 'digest' } },
    },
  ],
  tls: ({ secure, tlsSeen }) => {
    const { cert, key } = own.issue({ commonName: 'The Probe' })
    return [
      {
        what: 'with an own authority and a client certificate',
        settings: { url: secure('ours') },
        options: { tls: { ca: own.pem, client_certificate: cert, client_key: key } },
        seen: () => assert.ok(tlsSeen.some(({ certificate }) => certificate === 'The Probe')),
      },
      {
        what: 'with another name',
        settings: { url: secure('named') },
        options: { tls: { ca: own.pem, server_name: 'named.example' } },
        seen: () => assert.ok(tlsSeen.some(({ name }) => name === 'named.example')),
      },
      {
        what: 'without verification',
        settings: { url: secure('stranger') },
        options: { tls: { verify: false } },
      },
      {
        what: 'with nothing that vouches',
        settings: { url: secure('stranger') },
        options: { tls: { ca: own.pem } },
        found: ['down', /^certificate is/],
      },
    ]
  },
  security: ({ mail }) => [
    {
      what: 'that the server does not have',
      settings: { type: 'smtp', url: `smtp://127.0.0.1:${mail.port}` },
      options: { security: 'starttls' },
      found: ['down', /^SMTP: answer to STARTTLS is "502 /],
    },
  ],
  ip_version: ({ port, dns }) => [
    {
      what: '4',
      settings: { url: `http://both.example:${port}/ok` },
      options: { ip_version: 4, resolver: dns.address },
    },
    {
      what: '6',
      settings: { url: `http://four.example:${port}/ok` },
      options: { ip_version: 6, resolver: dns.address },
      found: ['down', /four\.example/],
    },
  ],
  resolver: ({ port, dns }) => [
    {
      what: 'that alone knows the name',
      settings: { url: `http://named.example:${port}/ok` },
      options: { resolver: dns.address },
      seen: () => assert.ok(dns.questions.includes('named.example A'), dns.questions.join()),
    },
  ],
  proxy: ({ web, port, http, socks }) => [
    {
      what: 'of HTTP',
      settings: { url: `${web}/ok` },
      options: { proxy: `http://ada:pass@127.0.0.1:${http.port}` },
      seen: () => assert.deepEqual(http.asked[0], { to: `127.0.0.1:${port}`, credentials: 'ada:pass' }),
    },
    {
      what: 'of SOCKS 5',
      settings: { url: `${web}/ok` },
      options: { proxy: `socks5://127.0.0.1:${socks.port}` },
      seen: () => assert.deepEqual(socks.asked[0], { to: `127.0.0.1:${port}`, credentials: null }),
    },
  ],
  attempts: ({ web, asked }) => [
    {
      what: 'before the check fails',
      settings: { url: `${web}/failing` },
      options: { attempts: 2, retry_seconds: 1 },
      found: ['down', 'HTTP 503 (expected 200)'],
      seen: () => assert.ok(asked('/failing').length >= 2),
    },
  ],
}

describe('what a remote probe is asked to do', () => {
  const scope = suiteScope()
  let client: TeamClient
  let world: World

  before(async () => {
    world = await startWorld(scope)
    const service = await startServiceHere({ ROLES: 'api,scheduler,alerts' })
    scope.after(() => service.close())
    client = await teamClient(service)
    const { token } = await createRemoteProbe(service.services, { region: 'nyc', name: 'Newark' })
    const BROWSER_PATH = await chromiumScript()
    startRemoteProbe(scope, { PROBE_URL: service.url, PROBE_TOKEN: token, REGION: 'nyc', BROWSER_PATH })
  })

  for (const [option, triesIn] of Object.entries(TRIES))
    it(`it does: ${option}`, async () => {
      for (const { what, settings, options, found = UP, seen } of triesIn(world)) {
        const { id } = await client.monitor({ ...SELDOM, name: `${option} ${what}`, ...settings, options })
        const [status, message] = found as NonNullable<Try['found']>
        const check = await client.untilJudged(id)
        assert.deepEqual([check.status, check.region], [status, 'nyc'], check.error_message ?? what)
        if (message instanceof RegExp) assert.match(check.error_message ?? '', message, what)
        else assert.equal(check.error_message, message, what)
        seen?.()
        await client.data('DELETE', `/monitors/${id}`)
      }
    })
})

async function startWorld(scope: ReturnType<typeof suiteScope>): Promise<World> {
  const requests: Asked[] = []
  const { port } = await startHttp(scope, (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      requests.push({ method, url, headers, body })
      const [path = ''] = url.split('?')
      const {
        status = 200,
        more = {},
        text = '{"status": "ok"}',
      } = ANSWERS[path]?.({ method, url, headers, body }) ?? {}
      response.writeHead(status, more).end(text)
    })
  })
  const tlsSeen: World['tlsSeen'] = []
  const secured = async (options: object) => {
    const target = await startHttps(scope, options as never, (request, response) => {
      const socket = request.socket as TLSSocket & { servername?: string }
      tlsSeen.push({ name: socket.servername, certificate: socket.getPeerCertificate()?.subject?.CN })
      response.end('OK')
    })
    return `https://localhost:${target.port}/`
  }
  const secure = {
    ours: await secured({ ...own.issue({}), ca: own.pem, requestCert: true }),
    named: await secured(own.issue({ names: ['named.example'] })),
    stranger: await secured(selfSigned({})),
  }
  return {
    ...{ port, web: `http://127.0.0.1:${port}`, tlsSeen },
    secure: (kind) => secure[kind],
    asked: (path) => requests.filter(({ url }) => url.split('?')[0] === path),
    dns: await startDnsServer(scope, {
      'named.example': ['127.0.0.1'],
      'both.example': ['::1', '127.0.0.1'],
      'four.example': ['127.0.0.1'],
      'mail.example': { mx: ['mx.example'] },
    }),
    mail: await startLineServer(scope, speakSmtp),
    rows: await startLineServer(scope, speakPostgresql, { user: { name: 'ada', password: 'very-secret' } }),
    broker: await startBroker(scope, speakMqtt, { kept: ['kept'] }),
    nameServer: await startNameServer(scope, () => ({ records: [RECORD] }), { transport: 'tcp' }),
    sockets: await startWebSocketServer(scope),
    http: await startHttpProxy(scope),
    socks: await startSocksProxy(scope),
    grpc: (await startGrpcServer(scope)).port,
    ldap: (await startLdapServer(scope)).port,
    docker: (await startDockerApi(scope)).port,
    packets: {
      ntp: (await startEcho(scope, tellTime({ offsetMs: 60_000 }))).port,
      snmp: (await startEcho(scope, beAgent({ community: 'private' }))).port,
      radius: (await startEcho(scope, beRadius({ secret: 'shared', name: 'ada', password: '' }))).port,
      game: (await startEcho(scope, beSourceServer)).port,
    },
  }
}

type Answer = { status?: number; more?: Record<string, string>; text?: string }

/** Pages that answer otherwise than with 200 and JSON. */
const ANSWERS: Record<string, (asked: Asked) => Answer> = {
  '/failing': () => ({ status: 503 }),
  '/redirect': () => ({ status: 302, more: { location: '/ok' } }),
  '/bearer': ({ headers }) => ({ status: headers.authorization === 'Bearer sesame' ? 200 : 401 }),
  '/granted': ({ headers }) => ({ status: headers.authorization === 'Bearer granted' ? 200 : 401 }),
  '/token': ({ headers }) =>
    headers.authorization === `Basic ${Buffer.from('ada:very-secret').toString('base64')}`
      ? { text: JSON.stringify({ access_token: 'granted', expires_in: 60 }) }
      : { status: 401 },
  '/digest': ({ method, url, headers }) => {
    const parts = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)="?([^",]*)"?/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    const { nc, cnonce, response } = parts
    const wanted = md5(`${md5('ada:r:pass:word')}:n0nce:${nc}:${cnonce}:auth:${md5(`${method}:${url}`)}`)
    if (response === wanted) return {}
    return { status: 401, more: { 'www-authenticate': 'Digest realm="r", nonce="n0nce", qop="auth"' } }
  },
}
