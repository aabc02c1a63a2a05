import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Answer } from 'dns-packet'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import {
  DNS_RECORD_TYPES,
  DNS_TRANSPORTS,
  type DnsTransport,
} from '../../../src/core/monitors/options/dns.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { CODES, type NameServer, type Said, startNameServer } from '../../support/name-servers/name-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { startDnsServer } from '../../support/servers/dns-server.ts'
import { closedPort, startTcp } from '../../support/servers/targets.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'

const NAME = 'shop.example'
const authority = createAuthority('Name Servers')
const certificate = authority.issue({ names: ['127.0.0.1', 'localhost'] })
const network = testNetwork({ extraAuthorities: [authority.pem] })

const a = (...addresses: string[]): Answer[] => addresses.map((data) => ({ type: 'A', name: NAME, data }))
const expecting = (comparison: Assertion['comparison'], target: Assertion['target']): Assertion[] => [
  { source: 'answer', comparison, target, severity: 'down' },
]

function resolverAt({ port }: NameServer, transport: DnsTransport): string {
  return transport === 'https' ? `https://localhost:${port}/dns-query` : `127.0.0.1:${port}`
}

/** Asks a server that says always the same. */
async function ask(
  t: TestContext,
  said: Said | ((over: DnsTransport) => Said),
  options: MonitorOptions = {},
  url = `dns://${NAME}`,
): Promise<CheckResult & { server: NameServer }> {
  const transport = options.transport ?? 'udp'
  const answer = (_: unknown, over: DnsTransport) => (typeof said === 'function' ? said(over) : said)
  const server = await startNameServer(t, answer, { transport, certificate })
  const settings = { url, options: { resolver: resolverAt(server, transport), ...options } }
  return { ...(await check('dns', settings, { network })), server }
}

/** Reads an answer: the cause of an expectation that none meets has it. */
async function read(t: TestContext, records: Answer[], options: MonitorOptions = {}, url?: string) {
  const { errorMessage } = await ask(
    t,
    { records },
    { ...options, assertions: expecting('equals', 'nothing like that') },
    url,
  )
  return errorMessage
}

describe('a check that asks a name server', () => {
  for (const transport of DNS_TRANSPORTS) {
    it(`over ${transport} is up with a record, and measures the answer`, async (t) => {
      const { server, ...result } = await ask(t, { records: a('192.0.2.7') }, { transport })
      assert.deepEqual([result.status, result.errorMessage], ['up', null])
      assert.notEqual(result.responseTimeMs, null)
      assert.notEqual(result.phases?.firstByteMs ?? null, null)
      const [asked] = server.asked
      assert.deepEqual(asked, { name: NAME, type: 'A', hasExtension: true, wantsProof: false })
    })

    it(`over ${transport} tells a name that does not exist, a failure, and a record that is missing`, async (t) => {
      const cause = async (said: Said) => {
        const { status, errorMessage } = await ask(t, said, { transport, record_type: 'MX' })
        assert.equal(status, 'down')
        return errorMessage
      }
      assert.equal(await cause({ code: CODES.NXDOMAIN }), `DNS: ${NAME} does not exist`)
      assert.equal(await cause({ code: CODES.SERVFAIL }), `DNS: SERVFAIL for ${NAME}`)
      assert.equal(await cause({ code: CODES.REFUSED }), `DNS: REFUSED for ${NAME}`)
      assert.equal(await cause({ records: a('192.0.2.7') }), `DNS: ${NAME} has no MX record`)
    })
  }

  it('reads every type of record as zone files write it, sorted, each on a line', async (t) => {
    const name = NAME
    const host = 'Mail.Shop.Example.'
    const READ: Record<(typeof DNS_RECORD_TYPES)[number], [Answer[], string]> = {
      A: [a('192.0.2.70', '192.0.2.7'), '192.0.2.7 192.0.2.70'],
      AAAA: [[{ type: 'AAAA', name, data: '2001:db8:0:0:0:0:0:7' }], '2001:db8::7'],
      CNAME: [[{ type: 'CNAME', name, data: host }], 'mail.shop.example'],
      MX: [[{ type: 'MX', name, data: { preference: 10, exchange: host } }], '10 mail.shop.example'],
      NS: [[{ type: 'NS', name, data: host }], 'mail.shop.example'],
      TXT: [[{ type: 'TXT', name, data: ['v=spf1 ', '-all'] }], 'v=spf1 -all'],
      SOA: [
        [
          {
            ...{ type: 'SOA', name },
            data: {
              ...{ mname: host, rname: 'root.shop.example', serial: 7, refresh: 60, retry: 30 },
              ...{ expire: 90, minimum: 5 },
            },
          },
        ],
        'mail.shop.example root.shop.example 7 60 30 90 5',
      ],
      SRV: [
        [{ type: 'SRV', name, data: { priority: 1, weight: 5, port: 5060, target: host } }],
        '1 5 5060 mail.shop.example',
      ],
      CAA: [
        [{ type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.example' } }],
        '0 issue ca.example',
      ],
      PTR: [[{ type: 'PTR', name, data: host }], 'mail.shop.example'],
    }
    for (const record_type of DNS_RECORD_TYPES) {
      const [records, text] = READ[record_type]
      const cause = await read(t, records, { record_type })
      // A cause is one line.
      assert.equal(cause, `answer is "${text}" (expected "nothing like that")`)
    }
  })

  it('judges its answer by assertions', async (t) => {
    const said = { records: a('192.0.2.7', '192.0.2.8') }
    const judged = async (assertions: Assertion[]) => {
      const { status, errorMessage } = await ask(t, said, { assertions })
      return [status, errorMessage]
    }
    assert.deepEqual(await judged(expecting('contains', '192.0.2.8')), ['up', null])
    assert.deepEqual(
      await judged([{ source: 'answer', comparison: 'count_equals', target: 2, severity: 'down' }]),
      ['up', null],
    )
    const [missing] = expecting('contains', '192.0.2.9')
    assert.equal((await judged([{ ...(missing as Assertion), severity: 'degraded' }]))[0], 'degraded')
  })

  it('asks for an address by its reverse name', async (t) => {
    const records: Answer[] = [{ type: 'PTR', name: NAME, data: 'shop.example' }]
    const asked = async (url: string) =>
      (await ask(t, { records }, { record_type: 'PTR' }, url)).server.asked[0]?.name
    assert.equal(await asked('dns://192.0.2.7'), '7.2.0.192.in-addr.arpa')
    assert.equal(await asked('dns://[2001:db8::7]'), `7${'.0'.repeat(23)}.8.b.d.0.1.0.0.2.ip6.arpa`)
  })

  it('wants the flag of a verified answer where DNSSEC is required', async (t) => {
    const records = a('192.0.2.7')
    const proven = await ask(t, { records, isAuthentic: true }, { dnssec: true })
    assert.deepEqual([proven.status, proven.server.asked[0]?.wantsProof], ['up', true])
    const unproven = await ask(t, { records }, { dnssec: true })
    assert.equal(unproven.errorMessage, `DNS: the answer for ${NAME} is not authenticated (no AD flag)`)
  })

  it('asks again over TCP for what did not fit a packet', async (t) => {
    const { status, server } = await ask(t, (over) =>
      over === 'udp' ? { records: [], isCut: true } : { records: a('192.0.2.7') },
    )
    assert.deepEqual([status, server.asked.length], ['up', 2])
  })

  it('asks again without an extension where the server knows none', async (t) => {
    let count = 0
    const { status, server } = await ask(t, () =>
      count++ === 0 ? { code: CODES.FORMERR } : { records: a('192.0.2.7') },
    )
    assert.deepEqual([status, server.asked.map(({ hasExtension }) => hasExtension)], ['up', [true, false]])
  })

  it('asks again where a packet was lost', async (t) => {
    let count = 0
    const { status } = await ask(t, () => (count++ === 0 ? 'silence' : { records: a('192.0.2.7') }))
    assert.deepEqual([status, count], ['up', 2])
  })

  it('reads no packet that is no answer to its question', async (t) => {
    let count = 0
    const odd: Said[] = [{ id: 1, records: a('192.0.2.66') }, { bytes: Buffer.from('garbage') }]
    const { errorMessage } = await ask(t, () => odd[count++] ?? { records: a('192.0.2.7') }, {
      assertions: expecting('equals', 'x'),
    })
    assert.match(errorMessage ?? '', /192\.0\.2\.7"/)
  })

  it('tells a server that is closed, hangs up, or says what is no answer', async (t) => {
    const closed = await closedPort(t)
    const at = (transport: DnsTransport) => ({ resolver: `127.0.0.1:${closed}`, transport })
    for (const transport of ['udp', 'tcp', 'tls'] as const) {
      const result = await check('dns', { url: `dns://${NAME}`, options: at(transport) }, { network })
      const cause = `connection refused by 127.0.0.1:${closed}`
      assert.deepEqual([result.status, result.errorMessage, result.address], ['down', cause, '127.0.0.1'])
    }
    const hungUp = await ask(t, 'hang up', { transport: 'tcp' })
    assert.match(hungUp.errorMessage ?? '', /^DNS: 127\.0\.0\.1:\d+ closed the connection without an answer$/)
    const garbage = await ask(t, { bytes: Buffer.from('garbage') }, { transport: 'tcp' })
    assert.match(garbage.errorMessage ?? '', /^DNS: invalid answer from 127\.0\.0\.1:\d+$/)
    const unavailable = await ask(t, 'hang up', { transport: 'https' })
    assert.equal(unavailable.errorMessage, 'DNS: HTTP 503 (expected 200)')
  })

  it('wants a certificate that is trusted, over TLS and HTTPS', async (t) => {
    for (const transport of ['tls', 'https'] as const) {
      const server = await startNameServer(t, () => ({ records: a('192.0.2.7') }), { transport, certificate })
      const options = { resolver: resolverAt(server, transport), transport }
      const result = await check('dns', { url: `dns://${NAME}`, options })
      assert.deepEqual([result.status, server.asked.length], ['down', 0])
      const unchecked = { ...options, tls: { verify: false } }
      assert.equal((await check('dns', { url: `dns://${NAME}`, options: unchecked })).status, 'up')
    }
  })

  it('fails after its limit where the server is silent, at its address', async (t) => {
    const { port } = await startTcp(t)
    const server = await startNameServer(t, () => 'silence')
    for (const [transport, at] of [
      ['udp', server.port],
      ['tcp', port],
      ['tls', port],
    ] as const) {
      const options = { resolver: `127.0.0.1:${at}`, transport }
      const limit = { request_timeout_seconds: 1 }
      const result = await check('dns', { url: `dns://${NAME}`, options, ...limit }, { network })
      assert.equal(result.status, 'down', transport)
      assert.match(result.errorMessage ?? '', /^no answer within 1 s /)
      assert.equal(result.address, '127.0.0.1')
    }
  })

  it('asks no address that the policy refuses', async (t) => {
    const refusing = testNetwork({ privateTargets: 'deny' })
    const server = await startNameServer(t, () => ({ records: a('192.0.2.7') }))
    const udp = { resolver: `127.0.0.1:${server.port}` }
    const https = { resolver: 'https://127.0.0.1/dns-query', transport: 'https' as const }
    for (const options of [udp, { ...udp, transport: 'tcp' as const }, https]) {
      const result = await check('dns', { url: `dns://${NAME}`, options }, { network: refusing })
      assert.deepEqual([result.status, result.errorMessage], ['down', 'address 127.0.0.1 is not allowed'])
    }
    assert.equal(server.asked.length, 0)
  })
})

describe('a check that asks the name servers of this machine', () => {
  const ours = async (t: TestContext, replies: Parameters<typeof startDnsServer>[1], more: string[] = []) => {
    const server = await startDnsServer(t, replies)
    const network = testNetwork({ nameServers: [...more, server.address] })
    return check('dns', { url: `dns://${NAME}` }, { network })
  }

  it('is up with a record, and leaves a server that is closed or fails to the next', async (t) => {
    const failing = await startDnsServer(t, { [NAME]: 'SERVFAIL' })
    const more = [`127.0.0.1:${await closedPort(t)}`, failing.address]
    assert.equal((await ours(t, { [NAME]: ['192.0.2.7'] }, more)).status, 'up')
  })

  it('asks them over TCP at a private address, too, for what did not fit a packet', async (t) => {
    const { port } = await startNameServer(t, (_, over) =>
      over === 'udp' ? { isCut: true } : { records: a('192.0.2.7') },
    )
    const network = testNetwork({ nameServers: [`127.0.0.1:${port}`], privateTargets: 'deny' })
    const { status, errorMessage } = await check('dns', { url: `dns://${NAME}` }, { network })
    assert.deepEqual([status, errorMessage], ['up', null])
  })

  it('tells a name that does not exist as a look-up does: by the name, so that our servers are doubted', async (t) => {
    const { status, errorMessage, responseTimeMs, name, address } = await ours(t, {})
    assert.deepEqual([status, errorMessage], ['down', `DNS: ${NAME} does not exist`])
    assert.deepEqual([responseTimeMs, name, address], [null, NAME, undefined])
  })

  it('does not judge where our servers fail for every name', async (t) => {
    const { status, causeIfTheirs, name } = await ours(t, { [NAME]: 'SERVFAIL', '': 'SERVFAIL' })
    assert.deepEqual([status, causeIfTheirs, name], ['pending', `DNS: SERVFAIL for ${NAME}`, NAME])
  })

  it('tells a name that they fail for alone', async (t) => {
    const { status, errorMessage } = await ours(t, { [NAME]: 'SERVFAIL' })
    assert.deepEqual([status, errorMessage], ['down', `DNS: SERVFAIL for ${NAME}`])
  })
})
