import assert from 'node:assert/strict'
import os from 'node:os'
import { describe, it } from 'node:test'
import {
  NAME_SERVERS_SEEM_DOWN,
  NETWORK_SEEMED_DOWN,
  NETWORK_SEEMS_DOWN,
} from '../../../src/core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { usualSchemeOf } from '../../../src/core/monitors/monitor-types.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { createEvidenceGuard } from '../../../src/engine/evidence/evidence.ts'
import { judgeFailures } from '../../../src/net/dial-failure.ts'
import type { LookUp } from '../../../src/net/names/name-servers.ts'
import { publicNetworkOf } from '../../../src/net/public-network.ts'
import { openEchoSockets } from '../../../src/probes/icmp/echo.ts'
import type { SocketRefusal } from '../../../src/probes/icmp/socket.ts'
import { createIcmpProbe, resolveForEcho } from '../../../src/probes/icmp.ts'
import { createProbes, probeBy } from '../../../src/probes/run.ts'
import { settingsFor, testNetwork } from '../../support/servers/targets-settings.ts'

const FOUR = '20.0.0.1'
const SIX = '2a00:1::1'
const NAME = 'www.shop.test'
const LIMIT_MS = 2 * (60 + 5) * 1_000
const never = new AbortController().signal
const network = testNetwork({ nameServers: ['127.0.0.1:9'] })

/** Everything that the name servers may say. */
const ANSWERS: LookUp[] = [
  { kind: 'not found' },
  { kind: 'no address' },
  ...['SERVFAIL', 'REFUSED', 'NOTIMP', 'FORMERR'].flatMap((code) =>
    [true, false].map((forEveryName) => ({ kind: 'server failed', code, forEveryName }) as const),
  ),
  { kind: 'silent', forEveryName: true },
  { kind: 'silent', forEveryName: false },
  { kind: 'not asked', reason: 'out of file descriptors' },
]

const networkSaying = (answer: LookUp) => ({
  ...network,
  nameServers: { lookUp: async () => answer, isRootDenied: async () => true },
})

/** Every failed look-up and every failed system call, as probes find them. */
async function findAll(): Promise<CheckResult[]> {
  const found: CheckResult[] = []
  const now = () => new Date()
  const icmpOver = (refusal: SocketRefusal | string, answer?: LookUp) =>
    createIcmpProbe({
      resolve: async (host, signal) => {
        if (answer === undefined)
          return {
            kind: 'addresses',
            addresses: [
              { address: FOUR, family: 4 },
              { address: SIX, family: 6 },
            ],
          }
        return resolveForEcho(networkSaying(answer))(host, signal)
      },
      sockets: openEchoSockets(() =>
        typeof refusal === 'string'
          ? {
              kind: 'open',
              socket: {
                mode: 'dgram',
                identifier: 1,
                send: () => ({ kind: 'failed', code: refusal }),
                receive: () => false,
                droppedArrivals: () => 0,
                close() {},
              },
            }
          : refusal,
      ),
      now,
    })
  const icmpSettings = settingsFor('icmp', { url: `icmp://${NAME}` })
  for (const answer of ANSWERS) {
    const icmp = icmpOver('EPERM', answer)
    const probes = createProbes({
      network: networkSaying(answer),
      now,
      icmp,
      onBug: (error) => assert.fail(String(error)),
    })
    for (const type of keysOf(probes)) {
      const url = `${usualSchemeOf(type)}://${NAME}/`
      found.push(await probeBy(probes, settingsFor(type, { url, port: 1 }), never))
    }
  }
  const refusals = (['no way', 'absent', 'trouble'] as const).map((kind) => ({
    kind,
    reason: `${kind} here`,
  }))
  const codes = Object.keys(os.constants.errno)
  const sends = [...refusals, ...codes].map((refusal) => icmpOver(refusal)(icmpSettings, never))
  found.push(...(await Promise.all(sends)))
  for (const code of codes) {
    const { reason, ...judged } = judgeFailures([{ address: FOUR, code }], 443)
    const isOfTheWay = 'isOfTheWay' in judged && judged.isOfTheWay
    const status = judged.kind === 'failed' ? 'down' : 'pending'
    found.push({
      ...resultWithout(status, reason),
      address: FOUR,
      ...(isOfTheWay && { causeIfTheirs: `no route to ${FOUR}` }),
    })
  }
  return found
}

/** Everything else answers over every way all the time, so that all is decided that ever will be. */
async function tellingsOf(found: CheckResult): Promise<CheckResult[]> {
  let nowMs = 5_000_000
  const others = ['21.1.0.1', '22.1.0.1', '2a01:1::1', '2a02:1::1', '10.0.0.1', '10.0.0.2']
  const names = ['www.one.test', 'www.two.test']
  const guard = createEvidenceGuard({
    probe: async ({ url }) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
      if (host === 'target.test') return found
      const answer = { ...resultWithout('down', 'HTTP 503 (expected 200)'), responseTimeMs: 5 }
      return names.includes(host) ? { ...answer, name: host, address: FOUR } : { ...answer, address: host }
    },
    networkOf: publicNetworkOf,
    reach: async (_, address) => address,
    find: async () => [FOUR],
    isRootDenied: async () => true,
    monotonicMs: () => nowMs,
    notify: () => {},
    others: async () => [],
  })
  const look = (host: string) =>
    guard.probe(settingsFor('http', { url: `http://${host.includes(':') ? `[${host}]` : host}/` }), never)
  const told: CheckResult[] = []
  for (const endMs = nowMs + 3 * LIMIT_MS; nowMs < endMs; nowMs += LIMIT_MS / 5) {
    for (const other of [...others, ...names]) await look(other)
    nowMs += 1
    told.push(await look('target.test'))
  }
  return told
}

describe('a check that is down', () => {
  it('never says that the fault is ours, whatever it failed with first', async () => {
    const found = await findAll()
    const ours = new Set<string | null>([NETWORK_SEEMS_DOWN, NETWORK_SEEMED_DOWN, NAME_SERVERS_SEEM_DOWN])
    for (const { status, errorMessage } of found) if (status === 'pending') ours.add(errorMessage)
    assert.ok(ours.size > 12, [...ours].join('\n'))
    const decided = new Set<string | null>()
    for (const one of found) {
      for (const { status, errorMessage, causeIfTheirs } of await tellingsOf(one)) {
        if (status !== 'down') continue
        if (one.status === 'pending') decided.add(errorMessage)
        assert.ok(!ours.has(errorMessage), `${errorMessage} (${one.errorMessage})`)
        assert.doesNotMatch(errorMessage ?? '', /\b(we|us|ours?|this machine|here|out of)\b/)
        assert.equal(causeIfTheirs, undefined)
      }
    }
    assert.deepEqual([...decided].toSorted(), [
      `name server did not answer for ${NAME}`,
      ...['FORMERR', 'NOTIMP', 'REFUSED', 'SERVFAIL'].map(
        (code) => `name server failed for ${NAME} (${code})`,
      ),
      `no route to ${FOUR}`,
      `no route to ${FOUR} and ${SIX}`,
    ])
  })
})
