import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { DnsRecordType, DnsTransport } from '../../src/core/monitors/options/dns.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const NAME = 'shop.example'
const authority = createAuthority('Unbound')
const network = testNetwork({ extraAuthorities: [authority.pem] })

/** The records of the zone, and how a check reads them. */
const ZONE: [record: DnsRecordType, data: string[], answer: string][] = [
  ['A', ['192.0.2.70', '192.0.2.7'], '192.0.2.7 192.0.2.70'],
  ['AAAA', ['2001:db8:0:0::7'], '2001:db8::7'],
  ['MX', ['10 Mail.Shop.Example.'], '10 mail.shop.example'],
  ['NS', ['ns1.shop.example.'], 'ns1.shop.example'],
  ['TXT', ['"v=spf1 " "-all"'], 'v=spf1 -all'],
  [
    'SOA',
    ['ns1.shop.example. root.shop.example. 7 60 30 90 5'],
    'ns1.shop.example root.shop.example 7 60 30 90 5',
  ],
  ['SRV', ['1 5 5060 sip.shop.example.'], '1 5 5060 sip.shop.example'],
  ['CAA', ['0 issue "ca.example"'], '0 issue ca.example'],
]
/** More than fits a packet. */
const LONG = Array.from({ length: 40 }, (_, index) => `"${index}-${'x'.repeat(60)}"`)

describe('a DNS monitor of a real name server', () => {
  const scope = suiteScope()
  let ports: Record<DnsTransport, number>

  before(async () => {
    const folder = temporaryFolder(scope)
    const [plain, secure] = [await closedPort(scope), await closedPort(scope)]
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    writeFileSync(join(folder, 'cert.pem'), cert)
    writeFileSync(join(folder, 'key.pem'), key)
    const data = [
      ...ZONE.flatMap(([type, values]) => values.map((value) => `${NAME}. IN ${type} ${value}`)),
      ...LONG.map((value) => `long.${NAME}. IN TXT ${value}`),
      `www.${NAME}. IN CNAME ${NAME}.`,
      `7.2.0.192.in-addr.arpa. IN PTR ${NAME}.`,
    ]
    const file = join(folder, 'unbound.conf')
    writeFileSync(
      file,
      [
        'server:',
        ...['chroot: ""', 'username: ""', 'pidfile: ""', 'use-syslog: no', 'do-daemonize: no'],
        ...[`interface: 127.0.0.1@${plain}`, `interface: 127.0.0.1@${secure}`, `tls-port: ${secure}`],
        ...[`tls-service-pem: "${folder}/cert.pem"`, `tls-service-key: "${folder}/key.pem"`],
        ...['num-threads: 1', 'module-config: "iterator"', `local-zone: "${NAME}." static`],
        ...['local-zone: "2.0.192.in-addr.arpa." static', 'local-zone: "refused.example." refuse'],
        ...data.map((record) => `local-data: '${record}'`),
        'remote-control:',
        'control-enable: no',
      ].join('\n'),
    )
    const server = spawn('unbound', ['-d', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    server.stderr.on('data', (piece) => {
      said += piece
    })
    scope.after(async () => {
      server.kill()
      if (server.exitCode === null) await once(server, 'exit')
    })
    ports = { udp: plain, tcp: plain, tls: secure, https: 0 }
    await until('unbound to serve', () => {
      assert.equal(server.exitCode, null, said)
      return said.includes('start of service')
    })
  })

  const ask = (name: string, record_type: DnsRecordType, transport: DnsTransport = 'udp') => {
    const assertions = [
      { source: 'answer', comparison: 'equals', target: 'nothing like that', severity: 'down' } as const,
    ]
    const resolver = `127.0.0.1:${ports[transport]}`
    return check(
      'dns',
      { url: `dns://${name}`, options: { record_type, resolver, transport, assertions } },
      { network },
    )
  }
  const read = ({ status, errorMessage }: CheckResult) => {
    assert.equal(status, 'down')
    return errorMessage
  }
  const answering = (answer: string) => `answer is "${answer}" (expected "nothing like that")`

  for (const transport of ['udp', 'tcp', 'tls'] as const)
    it(`reads every type of record over ${transport}`, async () => {
      for (const [type, , answer] of ZONE)
        assert.equal(read(await ask(NAME, type, transport)), answering(answer), type)
      assert.equal(read(await ask(`www.${NAME}`, 'CNAME', transport)), answering(NAME))
      assert.equal(read(await ask('192.0.2.7', 'PTR', transport)), answering(NAME))
    })

  it('asks again over TCP for what does not fit a packet', async () => {
    const cause = read(await ask(`long.${NAME}`, 'TXT'))
    assert.match(cause ?? '', /^answer is "0-x{60} 1-x+…/)
  })

  it('tells what the server says of a name', async () => {
    assert.equal(read(await ask(`none.${NAME}`, 'A')), `DNS: none.${NAME} does not exist`)
    assert.equal(read(await ask(`www.${NAME}`, 'MX')), `DNS: www.${NAME} has no MX record`)
    assert.equal(read(await ask('refused.example', 'A')), 'DNS: REFUSED for refused.example')
  })
})
