import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { ProberFindings, ProberTask } from '../support/probing/prober.ts'
import { runProgram } from '../support/programs.ts'

const PROBER = join(import.meta.dirname, '../support/probing/prober.ts')
const OWN_TROUBLE = join(import.meta.dirname, '../hostile/own-trouble/command.ts')
/** One of some thirty troubles whose failures come at once, and a way to fail that does: the rest is a run of its own. */
const AT_ONCE = { only: ['NXDOMAIN for every name'], failing: ['is a net-unreachable'] }

/** A router's answer for one host, as an nftables verdict, and the result of a check. */
const ANSWERS: [family: 'ip' | 'ip6', host: string, reject: string, cause: RegExp][] = [
  ['ip', '46.1.1.1', 'icmp net-unreachable', /^no route to 46\.1\.1\.1$/],
  ['ip', '10.77.2.4', 'icmp net-unreachable', /^no route to 10\.77\.2\.4$/],
  ['ip', '46.1.1.2', 'icmp host-unreachable', /^no route to 46\.1\.1\.2$/],
  ['ip', '46.1.1.3', 'icmp admin-prohibited', /^no route to 46\.1\.1\.3$/],
  ['ip', '46.1.1.4', 'icmp port-unreachable', /^connection refused by 46\.1\.1\.4:80$/],
  ['ip', '46.1.1.5', 'tcp reset', /^connection refused by 46\.1\.1\.5:80$/],
  ['ip6', '2a00::1', 'icmpv6 no-route', /^no route to 2a00::1$/],
  ['ip6', '2a00::2', 'icmpv6 addr-unreachable', /^no route to 2a00::2$/],
]
/** The host whose packets are dropped, and how long its answer is waited for. */
const SILENT = '46.1.1.6'
const SILENT_SECONDS = 1

type Findings = ProberFindings['fed']

/** The findings about each host, over HTTP and TCP, in a network of its own whose routes lead nowhere but to these rules. */
function checkBehind(rules: string[], hosts: string[], routes: string[]): Map<string, Findings> {
  const task: ProberTask = {
    nameServers: ['127.0.0.1:53'],
    starve: null,
    checks: hosts.flatMap((host) => {
      const written = host.includes(':') ? `[${host}]` : host
      const limits = host === SILENT ? { request_timeout_seconds: SILENT_SECONDS } : {}
      return [
        { type: 'http' as const, url: `http://${written}/`, ...limits },
        { type: 'tcp' as const, url: `tcp://${written}`, port: 80, ...limits },
      ]
    }),
  }
  const script = [
    'set -e',
    'ip link set lo up',
    'ip link add out type veth peer name other',
    'ip link set out up',
    'ip link set other up',
    'ip addr add 198.51.100.1/24 dev out',
    'ip addr add 2001:db8::1/64 dev out nodad',
    ...routes.map((route) => `ip ${route.includes(':') ? '-6 ' : ''}route add ${route} dev out`),
    `nft -f - <<'END'\ntable inet router {\n chain out {\n type filter hook output priority 0;\n ${rules.join('\n ')}\n }\n}\nEND`,
    'exec "$@"',
  ].join('\n')
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', PROBER, JSON.stringify(task)]
  const args = ['--user', '--map-root-user', '--net', '/bin/sh', '-c', script, 'sh', ...node]
  const { fed } = JSON.parse(runProgram('unshare', args, { env: process.env }).stdout) as ProberFindings
  assert.equal(fed.length, 2 * hosts.length)
  return new Map(hosts.map((host, i) => [host, fed.slice(2 * i, 2 * i + 2)]))
}

const said = (findings: Findings | undefined) =>
  findings?.map(({ status, errorMessage }) => `${status}: ${errorMessage}`)

describe('a host that a router calls unreachable', () => {
  let found: Map<string, Findings>

  before(() => {
    // A reset answers nothing but TCP.
    const rules = ANSWERS.map(
      ([family, host, reject]) => `${family} daddr ${host} meta l4proto tcp reject with ${reject}`,
    )
    // One process for all of them: each would load the probes anew.
    const hosts = [...ANSWERS.map(([, host]) => host), SILENT]
    found = checkBehind([...rules, `ip daddr ${SILENT} drop`], hosts, ['default', '::/0'])
  })

  for (const [, host, reject, cause] of ANSWERS) {
    it(`is down by ${reject}, for ${host}`, () => {
      const findings = found.get(host) ?? []
      assert.deepEqual(
        findings.map(({ status }) => status),
        ['down', 'down'],
        JSON.stringify(findings),
      )
      for (const { errorMessage } of findings) assert.match(errorMessage ?? '', cause)
    })
  }

  it('is down by silence where its packets are dropped', () => {
    const silence = `down: no answer within ${SILENT_SECONDS} s (connecting)`
    assert.deepEqual(said(found.get(SILENT)), [silence, silence])
  })

  it('is not judged where this machine has no route to it', () => {
    const unjudged = checkBehind([], ['46.1.1.1', '2a00::1'], [])
    assert.deepEqual(said([...unjudged.values()].flat()), Array(4).fill('pending: no network here'))
  })
})

describe('own trouble of a whole service, with twenty networks at the other end of its cable', () => {
  it('is blamed on no target, and hides no target that fails in the middle of it', () => {
    // A slow machine is no silent target.
    const args = ['--monitors', '20', '--timeout', '60', '--seconds', '3', '--beside', 'nothing']
    const chosen = ['--only', AT_ONCE.only.join(','), '--failing', AT_ONCE.failing.join(',')]
    const node = ['--disable-warning=ExperimentalWarning', OWN_TROUBLE, ...args, ...chosen]
    const { stdout } = runProgram(process.execPath, node, { env: process.env })
    for (const name of AT_ONCE.only) assert.match(stdout, new RegExp(`^\\| .*${name}.*\\| 0 \\| 0 \\|`, 'm'))
  })
})
