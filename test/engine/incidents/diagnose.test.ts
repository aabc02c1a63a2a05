import assert from 'node:assert/strict'
import { before, describe, it, type TestContext } from 'node:test'
import type { DiagnosisFound, DiagnosisSection } from '../../../src/core/monitors/incidents/diagnosis.ts'
import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { createDiagnoser } from '../../../src/engine/incidents/diagnose.ts'
import type { Network } from '../../../src/net/network.ts'
import type { EchoSockets } from '../../../src/probes/icmp/echo.ts'
import { lookAtTarget } from '../../../src/probes/incidents/look.ts'
import type {
  ClaimedDiagnosis,
  DiagnosisClaims,
  DiagnosisFacts,
} from '../../../src/store/incidents/diagnoses.ts'
import { SPOKEN_DATABASES } from '../../support/databases/spoken.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { speakFtp } from '../../support/line-servers/ftp.ts'
import { speakImap } from '../../support/line-servers/imap.ts'
import {
  type Dialogue,
  type DialogueOptions,
  startLineServer,
} from '../../support/line-servers/line-server.ts'
import { speakPop3 } from '../../support/line-servers/pop3.ts'
import { speakSmtp } from '../../support/line-servers/smtp.ts'
import { resetSocket } from '../../support/reset-socket.ts'
import { type Authority, createAuthority } from '../../support/servers/certificates.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { startHttp, startHttps, startTcp } from '../../support/servers/targets.ts'
import { check, settingsFor, testNetwork } from '../../support/servers/targets-settings.ts'

const CLOSED_PORT = 1
const NO_ECHOES: EchoSockets = {
  open: async () => ({ kind: 'absent', reason: 'ICMP is not permitted here' }),
  send: () => ({ kind: 'failed', code: 'EBADF' }),
  settle: async () => ({ droppedArrivals: 0 }),
  close() {},
}
const BOUNDS = {
  names: HANG_GUARD_MS,
  route: HANG_GUARD_MS,
  connections: HANG_GUARD_MS,
  tls: HANG_GUARD_MS,
}
const NO_FACTS: DiagnosisFacts = {
  ...{ regions: [], lastPassed: null, baseline: null, certificateExpiresAt: null },
}

type Wish = {
  type?: ProbedType
  settings: Partial<ProbeSettings>
  network?: Network
  facts?: DiagnosisFacts
  others?: { name: string; url: string; status: string }[]
  /** How long the fresh check waits; as long as a busy machine needs, unless silence is what is looked at. */
  waitsSeconds?: number
}

/** One diagnosis by all of the engine and the probes but the database. */
async function diagnosed({
  type = 'http',
  settings,
  network = testNetwork(),
  facts = NO_FACTS,
  others = [],
  waitsSeconds = HANG_GUARD_MS / 1_000,
}: Wish): Promise<DiagnosisFound> {
  const { promise, resolve, reject } = Promise.withResolvers<DiagnosisFound>()
  const row = { diagnosis: 1, incidentId: 1, startedAt: new Date('2026-11-30T11:59:00Z'), region: 'lon' }
  const waiting = [{ ...row, monitor: { id: 1, team_id: 7, type } } as ClaimedDiagnosis]
  const claims: DiagnosisClaims = {
    claim: async () => waiting.splice(0),
    readFacts: async () => facts,
    readOthers: async () => others,
    answer: async (_claimed, _membership, found) => resolve(found),
    release: async () => reject(new Error('released')),
  }
  const diagnoser = createDiagnoser({
    claims,
    settingsOf: () => settingsFor(type, settings),
    probe: ({ type: probed, ...asked }, signal) =>
      check(probed, { ...asked, request_timeout_seconds: waitsSeconds } as Partial<ProbeSettings>, {
        network,
        signal,
      }),
    look: (asked, signal) => lookAtTarget(network, NO_ECHOES, asked, signal, BOUNDS),
    onTrouble: reject,
    limitMs: HANG_GUARD_MS,
  })
  diagnoser.assign(1)
  diagnoser.wake()
  const found = await promise
  await diagnoser.close()
  return found
}

function linesOf(found: DiagnosisFound, wanted: DiagnosisSection): string[] {
  return found.sections.find(({ name }) => name === wanted)?.lines ?? []
}

describe('why a monitor is down', () => {
  let trusted: Authority
  before(() => {
    trusted = createAuthority('Upbeat Test Root')
  })

  type Case = {
    name: string
    wish: (t: TestContext) => Promise<Wish>
    outcome?: DiagnosisFound['outcome']
    summary: RegExp
    lines?: Partial<Record<DiagnosisSection, RegExp>>
    without?: DiagnosisSection[]
  }

  const cases: Case[] = [
    {
      name: 'refused',
      wish: async () => ({ settings: { url: `http://127.0.0.1:${CLOSED_PORT}/` } }),
      summary: /^no connection: connection refused by 127\.0\.0\.1:1$/,
      lines: {
        connection: /127\.0\.0\.1:1: connection refused/,
        route: /^not traced: ICMP is not permitted here$/,
      },
    },
    {
      name: 'reset after the connection',
      wish: async (t) => {
        const { port } = await startTcp(t, (socket) => socket.once('data', () => resetSocket(socket)))
        return { settings: { url: `http://127.0.0.1:${port}/` } }
      },
      summary: /^connected, but no answer: connection reset by 127\.0\.0\.1:\d+$/,
      lines: { connection: /takes connections, in \d+ ms/ },
    },
    {
      name: 'an expired certificate',
      wish: async (t) => {
        const leaf = trusted.issue({ commonName: 'shop.example', validForDays: -3.5 })
        const { port } = await startHttps(t, leaf)
        const network = testNetwork({ extraAuthorities: [trusted.pem] })
        return { settings: { url: `https://127.0.0.1:${port}/` }, network }
      },
      summary:
        /^connected, but the certificate is not trusted: certificate expired 3 days ago \(CN=shop\.example\)$/,
      lines: {
        encryption:
          /TLSv1\.3[\s\S]*not trusted: certificate expired[\s\S]*shop\.example, issued by Upbeat Test Root/,
      },
      without: ['answer'],
    },
    {
      name: 'HTTP 500',
      wish: async (t) => {
        const { port } = await startHttp(t, (_, response) => {
          response.writeHead(500, { Server: 'teapot/1' }).end(`Out of tea\n${'x'.repeat(9_000)}`)
        })
        return { settings: { url: `http://127.0.0.1:${port}/` } }
      },
      summary: /^it answers, but not as expected: HTTP 500/,
      lines: { answer: /^HTTP\/1\.1 500 [\s\S]*Server: teapot\/1[\s\S]*Out of tea\nx{499}[\s\S]*…$/ },
    },
    {
      name: 'a name that does not exist',
      wish: async (t) => {
        const server = await startDnsServer(t, { 'gone.example.com': 'NXDOMAIN' })
        return {
          settings: { url: 'http://gone.example.com/' },
          network: testNetwork({ nameServers: [server.address] }),
        }
      },
      summary: /^the name leads nowhere: name not found: gone\.example\.com$/,
      lines: { name: /^gone\.example\.com does not exist/, connection: /name not found/ },
    },
    {
      name: 'silence',
      wish: async (t) => {
        const { port } = await startTcp(t)
        return { settings: { url: `http://127.0.0.1:${port}/` }, waitsSeconds: 0.2 }
      },
      summary:
        /^connected, but no answer: no answer within 0\.2 s \(connected, waiting for the first byte\)$/,
    },
    {
      name: 'an address that the policy refuses',
      wish: async () => ({
        settings: { url: 'http://127.0.0.1/' },
        network: testNetwork({ privateTargets: 'deny' }),
      }),
      summary: /^not connected: address 127\.0\.0\.1 is not allowed$/,
      lines: { connection: /^address 127\.0\.0\.1 is not allowed$/ },
      without: ['route', 'encryption'],
    },
    {
      name: 'name servers of ours that do not answer',
      wish: async () => ({ settings: { url: 'https://shop.example.com/' } }),
      outcome: 'impossible',
      summary: /^could not be diagnosed: no name server of ours answers$/,
      without: ['fresh', 'name', 'route', 'connection', 'encryption', 'answer', 'changes'],
    },
    {
      name: 'a step that cannot be made at all',
      wish: async (t) => {
        const { port } = await startHttp(t, (_, response) => response.end('{"token": "a\\nb"}'))
        const captures = { token: { source: 'json', property: '$.token' } }
        const steps = [
          { name: 'sign in', method: 'GET', url: '/', captures },
          { name: 'look', method: 'GET', url: '/', headers: { 'X-Token': '{{token}}' } },
        ]
        const settings = { url: `http://127.0.0.1:${port}/`, options: { steps } } as Partial<ProbeSettings>
        return { type: 'steps', settings }
      },
      summary:
        /^the check failed: step 2 "look": the request headers contain characters that cannot be sent$/,
      lines: { connection: /takes connections, in \d+ ms$/ },
    },
    {
      name: 'steps of which one may change something are not made again',
      wish: async (t) => {
        const { port } = await startTcp(t)
        const steps = [
          { name: 'look', method: 'GET', url: '/' },
          { name: 'buy', method: 'DELETE', url: '/basket' },
        ]
        const settings = { url: `http://127.0.0.1:${port}/`, options: { steps } } as Partial<ProbeSettings>
        return { type: 'steps', settings }
      },
      summary: /^it takes connections$/,
      lines: { fresh: /^not made: a request by DELETE may change something$/ },
    },
    {
      name: 'a call of gRPC that may change something is not made again',
      wish: async (t) => {
        const { port } = await startTcp(t)
        return {
          type: 'grpc',
          settings: { url: `grpc://127.0.0.1:${port}`, options: { method: 'shop.Orders/Add' } },
        }
      },
      summary: /^it takes connections$/,
      lines: { fresh: /^not made: a call of shop\.Orders\/Add may change something$/ },
    },
    {
      name: 'a request that may change something is not made again',
      wish: async (t) => {
        const { port } = await startTcp(t)
        return {
          settings: { url: `http://127.0.0.1:${port}/`, http_method: 'POST' } as Partial<ProbeSettings>,
        }
      },
      summary: /^it takes connections$/,
      lines: { fresh: /^not made: a request by POST may change something$/ },
    },
    {
      name: 'a container, whose name is none of a host',
      wish: async () => ({
        type: 'docker',
        settings: {
          url: 'docker://web',
          options: { docker_host: `tcp://127.0.0.1:${CLOSED_PORT}` },
        } as Partial<ProbeSettings>,
      }),
      summary: /^the check failed: /,
      without: ['name', 'route', 'connection', 'encryption'],
    },
    {
      name: 'several requests, one of which may change something',
      wish: async (t) => {
        const { port } = await startTcp(t)
        const steps = [
          { name: 'look', method: 'GET', url: '/' },
          { name: 'order', method: 'POST', url: '/orders' },
        ]
        const settings = { url: `http://127.0.0.1:${port}/`, options: { steps } } as Partial<ProbeSettings>
        return { type: 'steps', settings }
      },
      summary: /^it takes connections$/,
      lines: { fresh: /^not made: a request by POST may change something$/ },
    },
    {
      name: 'several hosts in one URL',
      wish: async () => ({ type: 'mongodb', settings: { url: 'mongodb://127.0.0.1:1,127.0.0.2:1' } }),
      summary: /^the check failed: /,
      without: ['name', 'route', 'connection', 'encryption'],
    },
    {
      name: 'a packet that nothing answers',
      wish: async () => ({
        type: 'ntp',
        settings: { url: 'ntp://127.0.0.1:9' } as Partial<ProbeSettings>,
        waitsSeconds: 0.2,
      }),
      summary: /^no answer: /,
      without: ['connection', 'encryption'],
    },
    {
      name: 'a port without an answer of its own',
      wish: async () => ({
        type: 'tcp',
        settings: { url: 'tcp://127.0.0.1', port: CLOSED_PORT } as Partial<ProbeSettings>,
      }),
      summary: /^no connection: connection refused/,
    },
  ]
  for (const { name, wish, outcome = 'diagnosed', summary, lines = {}, without = [] } of cases) {
    it(`tells of ${name}`, async (t) => {
      const found = await diagnosed(await wish(t))
      assert.match(found.summary, summary)
      assert.equal(found.outcome, outcome)
      for (const [section, wanted] of Object.entries(lines))
        assert.match(linesOf(found, section as DiagnosisSection).join('\n'), wanted)
      for (const section of without) assert.deepEqual(linesOf(found, section), [], section)
    })
  }

  const talks: [ProbedType, (options: DialogueOptions) => Dialogue, options?: { query: string }][] = [
    ['smtp', speakSmtp],
    ['imap', speakImap],
    ['pop3', speakPop3],
    ['ftp', speakFtp],
    ...SPOKEN_DATABASES.filter(({ late }) => late !== null).map(
      ({ type, speak, query }): (typeof talks)[number] => [type, speak, { query }],
    ),
  ]
  for (const [type, speak, options] of talks) {
    it(`tells of the chain behind the talk of ${type}, whether it is trusted or not`, async (t) => {
      const user = { name: 'ada', password: 'hunter2-password' }
      const network = testNetwork({ extraAuthorities: [trusted.pem] })
      const seen = async (validForDays: number) => {
        const certificate = trusted.issue({
          ...{ names: ['127.0.0.1'], commonName: 'shop.example', validForDays },
        })
        const { port } = await startLineServer(t, speak, { tls: 'starttls', certificate, user })
        const settings = {
          ...{ url: `${type}://127.0.0.1:${port}`, username: user.name, password: 'wrong' },
          options: { security: 'starttls', ...options },
        } as Partial<ProbeSettings>
        return diagnosed({ type, settings, network })
      }
      const [expired, fine] = [await seen(-3.5), await seen(90)]
      assert.match(
        expired.summary,
        /^connected, but the certificate is not trusted: certificate expired 3 days/,
      )
      assert.match(
        linesOf(expired, 'encryption').join('\n'),
        /not trusted: certificate expired[\s\S]*1 {2}shop/,
      )
      assert.match(fine.summary, /^it answers, but not as expected: /)
      assert.match(
        linesOf(fine, 'encryption').join('\n'),
        /^TLSv1\.[23], \w+\nthe certificate is trusted\n1 {2}shop\.example, issued by Upbeat Test Root/,
      )
    })
  }

  it('follows aliases, and says what changed, what regions see and which other monitors share the host', async (t) => {
    const server = await startDnsServer(t, {
      'www.shop.com': { cname: 'edge.cdn.net' },
      'edge.cdn.net': { addresses: ['127.0.0.1'] },
      'shop.com': { ns: ['ns1.shop.com'] },
    })
    const past = (region: string, status: 'up' | 'down') => ({
      checkedAt: new Date('2026-11-30T12:00:00Z'),
      ...{ status, region, responseTimeMs: 12, httpStatusCode: status === 'up' ? 200 : 503 },
      errorMessage: status === 'up' ? null : 'HTTP 503 (expected 200)',
    })
    const facts = {
      regions: [
        { ...past('ams', 'up'), checkedAt: new Date('2026-11-30T11:58:00Z') },
        past('fra', 'up'),
        past('lon', 'down'),
        past('nyc', 'down'),
      ],
      lastPassed: past('lon', 'up'),
      baseline: null,
      certificateExpiresAt: null,
    }
    const others = [
      { name: 'Port', url: 'tcp://127.0.0.1', status: 'up' },
      { name: 'Start page', url: 'https://WWW.shop.com/', status: 'down' },
      { name: 'Not that', url: 'https://elsewhere.com/?to=www.shop.com', status: 'down' },
    ]
    const found = await diagnosed({
      settings: { url: 'http://www.shop.com/' },
      network: testNetwork({ nameServers: [server.address] }),
      ...{ facts, others },
    })
    assert.match(found.summary, /; seen from lon, nyc, not from 1 other$/)
    const names = linesOf(found, 'name')
    assert.deepEqual(names.slice(0, 2), ['www.shop.com CNAME edge.cdn.net', 'edge.cdn.net A 127.0.0.1'])
    assert.deepEqual(linesOf(found, 'others'), ['Port: up', 'Start page: down'])
    assert.equal(linesOf(found, 'regions').length, 4)
    assert.deepEqual(linesOf(found, 'changes'), ['the last check that passed was at 2026-11-30 12:00:00 UTC'])
  })

  it('compares with how the target looked, by what its own check showed of it', async (t) => {
    const { port } = await startHttp(t, (request, response) => {
      if (request.url?.startsWith('/?')) response.writeHead(302, { Location: '/login?ticket=7' }).end()
      else response.writeHead(503, { Server: 'cloud/2', 'Content-Length': 4 }).end('Busy')
    })
    const settings = { url: `http://127.0.0.1:${port}/?ask` }
    const { traits } = await check('http', { ...settings, shows_traits: true })
    const redirect = `http://127.0.0.1:${port}/login?********`
    assert.deepEqual(traits, { server: 'cloud/2', bytes: 4, redirect })
    assert.equal((await check('http', settings)).traits, undefined)
    const baseline = {
      ...{ seenAt: new Date('2026-11-30T11:58:00Z'), region: 'lon', address: '127.0.0.9' },
      ...{ server: 'nginx', bytes: 18_204, redirect, fingerprint: null },
    }
    const found = await diagnosed({ settings, facts: { ...NO_FACTS, baseline } })
    assert.deepEqual(linesOf(found, 'changes'), [
      'beside the check that passed at 2026-11-30 11:58:00 UTC:',
      'address: 127.0.0.9 before, 127.0.0.1 now',
      'server: nginx before, cloud/2 now',
      'size: 18,204 bytes before, 4 bytes now',
      'as at 2026-11-30 11:58:00 UTC: redirect',
    ])
  })

  it('repeats no secret, wherever it was sent or comes back', async (t) => {
    const secrets = {
      password: 'hunter2-password',
      header: 'hunter2-header',
      query: 'hunter2-query-token',
      cookie: 'hunter2-cookie',
      location: 'hunter2-location',
      challenge: 'hunter2-challenge',
    }
    const { port } = await startHttp(t, (request, response) => {
      response.writeHead(500, {
        'Set-Cookie': `sid=${secrets.cookie}`,
        'Content-Location': `/next?token=${secrets.location}`,
        'WWW-Authenticate': `Bearer token="${secrets.challenge}"`,
        'X-Seen': String(request.headers.authorization),
      })
      response.end(`${request.url} ${JSON.stringify(request.headers)} ${secrets.password}`)
    })
    const url = `http://127.0.0.1:${port}/?key=${secrets.query}`
    const found = await diagnosed({
      settings: {
        ...{ url, username: 'ada', password: secrets.password },
        request_headers: { 'X-Key': secrets.header },
      } as Partial<ProbeSettings>,
    })
    const text = JSON.stringify(found)
    assert.match(text, /HTTP\/1\.1 500/)
    assert.match(text, /"Set-Cookie: sid=\*+"/i)
    for (const secret of Object.values(secrets)) assert.ok(!text.includes(secret), secret)
    assert.ok(!text.includes(Buffer.from(`ada:${secrets.password}`).toString('base64')))
  })
})
