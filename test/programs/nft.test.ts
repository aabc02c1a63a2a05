import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ProberFindings, ProberTask } from '../support/prober.ts'
import { runProgram } from '../support/programs.ts'

const PROBER = join(import.meta.dirname, '../support/prober.ts')
const FOUR = '46.1.1.1'
const PRIVATE = '10.77.2.4'
const SIX = '2a00::1'

/** What a router answers for one host, as nftables says it, and what a check makes of it. */
const ANSWERS: [family: 'ip' | 'ip6', host: string, reject: string, cause: RegExp][] = [
  ['ip', FOUR, 'icmp net-unreachable', /^no route to 46\.1\.1\.1$/],
  ['ip', PRIVATE, 'icmp net-unreachable', /^no route to 10\.77\.2\.4$/],
  ['ip', FOUR, 'icmp host-unreachable', /^no route to 46\.1\.1\.1$/],
  ['ip', FOUR, 'icmp admin-prohibited', /^no route to 46\.1\.1\.1$/],
  ['ip', FOUR, 'icmp port-unreachable', /^connection refused by 46\.1\.1\.1:80$/],
  ['ip', FOUR, 'tcp reset', /^connection refused by 46\.1\.1\.1:80$/],
  ['ip6', SIX, 'icmpv6 no-route', /^no route to 2a00::1$/],
  ['ip6', SIX, 'icmpv6 addr-unreachable', /^no route to 2a00::1$/],
]

/** A network of its own whose routes lead nowhere but to these rules. */
function checkBehind(rules: string[], hosts: string[], routes: string[]): ProberFindings['fed'] {
  const task: ProberTask = {
    nameServers: ['127.0.0.1:53'],
    starve: false,
    checks: hosts.flatMap((host) => {
      const written = host.includes(':') ? `[${host}]` : host
      return [
        { type: 'http' as const, url: `http://${written}/` },
        { type: 'tcp' as const, url: `tcp://${written}`, port: 80 },
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
  return JSON.parse(runProgram('unshare', args, { env: process.env }).stdout).fed
}

describe('a host that a router calls unreachable', () => {
  for (const [family, host, reject, cause] of ANSWERS) {
    it(`is down by ${reject}, for ${host}`, () => {
      // A reset answers nothing but TCP.
      const rule = `${family} daddr ${host} meta l4proto tcp reject with ${reject}`
      const found = checkBehind([rule], [host], ['default', '::/0'])
      assert.deepEqual(
        found.map(({ status }) => status),
        ['down', 'down'],
        JSON.stringify(found),
      )
      for (const { errorMessage } of found) assert.match(errorMessage ?? '', cause)
    })
  }

  it('is not judged where this machine has no route to it', () => {
    const found = checkBehind([], [FOUR, SIX], [])
    assert.deepEqual(
      found.map(({ status, errorMessage }) => `${status}: ${errorMessage}`),
      Array(4).fill('pending: no network here'),
    )
  })
})
