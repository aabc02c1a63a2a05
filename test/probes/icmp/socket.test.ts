import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import os from 'node:os'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type EchoOutcome, type EchoSockets, openEchoSockets } from '../../../src/probes/icmp/echo.ts'
import { NOT_PERMITTED } from '../../../src/probes/icmp/socket.ts'
import { icmpSupport } from '../../../src/probes/icmp/support.ts'
import { createIcmpProbe } from '../../../src/probes/icmp.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { CALM_LOOP } from '../../support/servers/targets-settings.ts'
import { standStill } from '../../support/time/stand-still.ts'
import { until } from '../../support/until.ts'

const MANY = 500
const STALL_MS = 200

const support = icmpSupport()
const machineHasIpv6 = Object.values(os.networkInterfaces()).some((own) =>
  own?.some((a) => a.address === '::1'),
)

test('loopback answers, or the check says exactly why it cannot ask', async () => {
  const { probe, close } = realProbe()
  for (const [url, mode] of [
    ['ping://127.0.0.1', support.v4],
    ['ping://[::1]', machineHasIpv6 ? support.v6 : 'none'],
  ] as const) {
    const result = await probe(url)
    if (mode === 'none') {
      assert.equal(result.status, 'pending')
      assert.equal(result.responseTimeMs, null)
      assert.ok(result.errorMessage)
      if (support.reason?.includes(NOT_PERMITTED)) assert.equal(result.errorMessage, NOT_PERMITTED)
    } else {
      assert.equal(result.status, 'up', result.errorMessage ?? '')
      assert.ok(Number.isInteger(result.responseTimeMs))
    }
  }
  close()
})

test('five hundred at once all have the same verdict', async () => {
  const { probe, close } = realProbe()
  const urls = Array.from({ length: MANY }, (_, i) => `ping://127.1.${i >> 8}.${i & 255}`)
  const results = await Promise.all(urls.map(probe))
  const expected = support.v4 === 'none' ? 'pending' : 'up'
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([expected]))
  close()
})

test('a stall of our own does not lengthen the time', { timeout: HANG_GUARD_MS }, async () => {
  const sockets = openEchoSockets()
  const opened = await sockets.open(4)
  assert.equal(opened.kind === 'open', support.v4 !== 'none')
  if (support.v4 === 'none') return assert.equal((await stalledEcho(sockets)).outcome, null)
  // Linux turns its timestamps on in the background, which may take a while where others want the processor, too.
  await until('a time without the stall', async () => {
    const { outcome, sendingMs } = await stalledEcho(sockets)
    assert.ok(outcome?.kind === 'answered')
    return process.platform !== 'linux' || outcome.roundTripMs < sendingMs + STALL_MS / 2
  })
  sockets.close()
})

/** The kernel answers while it takes the request: what comes after the sending is ours alone. */
async function stalledEcho(sockets: EchoSockets) {
  let sendingMs = 0
  const outcome = await new Promise<EchoOutcome | null>((resolve) => {
    const beganMs = performance.now()
    const sent = sockets.send({ address: '127.0.0.1', family: 4 }, resolve)
    sendingMs = performance.now() - beganMs
    if (sent.kind === 'failed') return resolve(null)
    standStill(STALL_MS)
  })
  return { outcome, sendingMs }
}

test('closed sockets can be closed again and send nothing', async () => {
  const sockets = openEchoSockets()
  await sockets.open(4)
  sockets.close()
  sockets.close()
  const sent = sockets.send({ address: '127.0.0.1', family: 4 }, () => assert.fail('nothing was sent'))
  assert.deepEqual(sent, { kind: 'failed', code: 'EBADF' })
})

test('a missing permission comes with how to grant it', () => {
  const isComplete = support.v4 !== 'none' && support.v6 !== 'none'
  assert.equal(support.reason === null, isComplete)
  const denied = icmpSupport(() => ({ kind: 'absent', reason: NOT_PERMITTED, isForbidden: true }))
  assert.deepEqual([denied.v4, denied.v6], ['none', 'none'])
  assert.ok(
    denied.reason?.startsWith(
      `${NOT_PERMITTED}. To allow it, run as root: sysctl -w net.ipv4.ping_group_range=`,
    ),
  )
  assert.ok(denied.reason?.includes(`setcap cap_net_raw+ep ${process.execPath}`))
})

test('an open socket does not keep the process alive', async () => {
  const source = new URL('../../../src/probes/icmp/echo.ts', import.meta.url)
  const program = `
    import { openEchoSockets } from ${JSON.stringify(source.href)}
    const sockets = openEchoSockets()
    await sockets.open(4)
    await sockets.open(6)
    console.log('open')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: HANG_GUARD_MS,
  })
  assert.equal(stdout, 'open\n')
})

function realProbe() {
  const sockets = openEchoSockets()
  const probe = createIcmpProbe({
    sockets,
    now: () => new Date(),
    loop: CALM_LOOP,
    resolve: async (host) => ({
      kind: 'addresses',
      addresses: [{ address: host, family: host.includes(':') ? 6 : 4 }],
    }),
  })
  const { signal } = new AbortController()
  return {
    probe: (url: string) => probe({ url, request_timeout_seconds: HANG_GUARD_MS / 1_000 }, signal),
    close: sockets.close,
  }
}
