import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CHECK_CANCELLED, TOO_BUSY } from '../../src/core/monitors/cause.ts'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { openEchoSockets, roundTripMs } from '../../src/probes/icmp/echo.ts'
import type { IcmpMessage } from '../../src/probes/icmp/packet.ts'
import { type Arrival, NOT_PERMITTED } from '../../src/probes/icmp/socket.ts'
import { createIcmpProbe, type IcmpProbeDeps } from '../../src/probes/icmp.ts'
import {
  type EchoReaction,
  type EchoRequest,
  echoOf,
  fakeSocket,
  IDENTIFIER,
  reply,
  unreachable,
} from '../support/probing/fake-echo.ts'
import { CALM_LOOP } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const V4 = '127.0.0.7'
const V6 = '::1'

test('a host is up when all three requests are answered, with the median of their times', async (t) => {
  const rtts = [30, 10, 20]
  const result = await probe(t, (request) => ({ arrivals: [reply(request, rtts[request.nth - 1])] }))
  assert.equal(result.status, 'up')
  assert.equal(result.responseTimeMs, 20)
  assert.equal(result.errorMessage, null)
})

test('two of three may be lost: the one answered decides long before the deadline', async (t) => {
  const clock = turnClock(t)
  const open = fakeSocket((request) => (request.nth === 2 ? { arrivals: [reply(request, 12.6)] } : {}))
  const asking = ask({ sockets: openEchoSockets(open) }, { request_timeout_seconds: 60 })
  const result = await clock.passUntil(asking)
  assert.deepEqual([result.status, result.responseTimeMs], ['up', 13])
  assert.ok(clock.passedMs < 2_000, `it took ${clock.passedMs} ms`)
})

test('a duplicate counts once', async (t) => {
  const result = await probe(t, (request) =>
    request.nth === 1 ? { arrivals: Array(3).fill(reply(request, 40)) } : { arrivals: [reply(request, 10)] },
  )
  assert.deepEqual([result.status, result.responseTimeMs], ['up', 10])
})

test('only what answers our very request counts', async (t) => {
  const foreign: Record<string, (request: EchoRequest) => Arrival> = {
    'another process of this machine': (request) => alter(request, { identifier: IDENTIFIER + 1 }),
    'a request never sent': (request) => alter(request, { sequence: (request.sequence + 1_000) & 0xffff }),
    'the wrong payload': (request) => alter(request, { payload: Buffer.alloc(request.payload.length) }),
    'a payload cut short': (request) => alter(request, { payload: request.payload.subarray(0, 8) }),
    'an empty payload': (request) => alter(request, { payload: Buffer.alloc(0) }),
    'another address': (request) => ({ ...reply(request, 1), from: '127.0.0.8' }),
    'an error about another host': (request) => unreachable(request, '127.0.0.8'),
  }
  for (const [name, arrival] of Object.entries(foreign)) {
    await t.test(name, async (t) => {
      const result = await probe(t, (request) => ({ arrivals: [arrival(request)] }))
      assert.equal(result.status, 'down')
      assert.equal(result.errorMessage, `no answer within 1 s (3 echo requests sent to ${V4})`)
      assert.equal(result.responseTimeMs, null)
    })
  }
})

test('a host reported unreachable is down, with who reported it', async (t) => {
  const result = await probe(t, (request) => ({ arrivals: [unreachable(request, V4)] }))
  assert.deepEqual(
    [result.status, result.errorMessage],
    ['down', `${V4} is unreachable (reported by 127.0.0.1)`],
  )
})

test('one answer outweighs two reports that the host is unreachable', async (t) => {
  const result = await probe(t, (request) => ({
    arrivals: [request.nth === 3 ? reply(request, 5) : unreachable(request, V4)],
  }))
  assert.deepEqual([result.status, result.responseTimeMs], ['up', 5])
})

test('a failure on this side is judged by its meaning', async (t) => {
  const cases: [code: string, status: string, message: string][] = [
    ['EHOSTUNREACH', 'down', `no route to ${V4}`],
    ['ENETUNREACH', 'pending', 'no network here'],
    ['ENOBUFS', 'pending', 'out of network buffers'],
    ['EPERM', 'pending', `this machine does not let us ping ${V4}`],
    ['EACCES', 'pending', `cannot ping ${V4} (EACCES)`],
  ]
  for (const [code, status, message] of cases) {
    await t.test(code, async (t) => {
      const result = await probe(t, () => ({ code }))
      assert.deepEqual([result.status, result.errorMessage], [status, message])
    })
  }
})

test('a buffer that is full for a moment is waited out', async (t) => {
  const result = await probe(t, (request) =>
    request.nth <= 4 ? { code: 'ENOBUFS' } : { arrivals: [reply(request, 3)] },
  )
  assert.deepEqual([result.status, result.responseTimeMs], ['up', 3])
})

test('without a socket the check is pending with exactly the reason', async (t) => {
  const refusals = [
    { kind: 'absent', reason: NOT_PERMITTED },
    { kind: 'trouble', reason: 'out of file descriptors' },
  ] as const
  for (const refusal of refusals) {
    const result = await probeWith(t, { sockets: openEchoSockets(() => refusal), resolve: addresses(V6, V4) })
    assert.deepEqual([result.status, result.errorMessage], ['pending', refusal.reason])
  }
})

test('a missing family does not blur that ICMP is not permitted', async (t) => {
  const sockets = openEchoSockets((family) => ({
    kind: 'absent',
    reason: family === 6 ? 'no IPv6 on this machine' : NOT_PERMITTED,
  }))
  const result = await probeWith(t, { sockets, resolve: addresses(V6, V4) })
  assert.deepEqual([result.status, result.errorMessage], ['pending', NOT_PERMITTED])
})

test('a refused socket is asked for again at the next check', async (t) => {
  let refusals = 1
  const open = fakeSocket((request) => ({ arrivals: [reply(request, 1)] }))
  const sockets = openEchoSockets((family, onArrival) =>
    refusals-- > 0 ? { kind: 'trouble', reason: 'out of file descriptors' } : open(family, onArrival),
  )
  assert.equal((await probeWith(t, { sockets })).status, 'pending')
  assert.equal((await probeWith(t, { sockets })).status, 'up')
  sockets.close()
})

test('the other family is asked', async (t) => {
  const answerV4 = (request: EchoRequest) => ({ arrivals: request.address === V4 ? [reply(request, 8)] : [] })
  const cases: [name: string, react: (request: EchoRequest) => EchoReaction, expected: string][] = [
    ['when the first is silent', answerV4, 'up'],
    [
      'when there is no network for the first',
      (r) => (r.address === V6 ? { code: 'ENETUNREACH' } : answerV4(r)),
      'up',
    ],
    [
      'when the first is unreachable',
      (r) => (r.address === V6 ? { arrivals: [unreachable(r, V6)] } : answerV4(r)),
      'up',
    ],
    [
      'and both are named when both are silent',
      () => ({}),
      `no answer within 1 s (3 echo requests sent to ${V6}, 3 to ${V4})`,
    ],
    [
      'and a family this machine lacks says nothing of the target',
      (r) => (r.address === V6 ? { code: 'EADDRNOTAVAIL' } : {}),
      `no answer within 1 s (3 echo requests sent to ${V4})`,
    ],
  ]
  for (const [name, react, expected] of cases) {
    await t.test(name, async (t) => {
      const sockets = openEchoSockets(fakeSocket(react))
      const result = await probeWith(t, { sockets, resolve: addresses(V6, '::2', V4) })
      sockets.close()
      assert.equal(result.errorMessage ?? result.status, expected)
    })
  }
})

test('a cancelled check is pending at once, and what arrives later harms nothing', async (t) => {
  const requests: EchoRequest[] = []
  const cancel = new AbortController()
  let late: (arrival: Arrival) => void = () => {}
  const open = fakeSocket((request) => {
    requests.push(request)
    cancel.abort()
    return {}
  })
  const sockets = openEchoSockets((family, onArrival) => {
    late = onArrival
    return open(family, onArrival)
  })
  const result = await probeWith(t, { sockets }, {}, cancel.signal)
  for (const request of requests) late(reply(request, 1))
  sockets.close()
  assert.deepEqual([result.status, result.errorMessage], ['pending', CHECK_CANCELLED])
  assert.equal(requests.length, 1)
})

test('silence is not believed when the kernel dropped arrivals meanwhile', async (t) => {
  let dropped = 4
  const open = fakeSocket(
    () => ({}),
    () => dropped++,
  )
  const result = await probeWith(t, { sockets: openEchoSockets(open) })
  assert.deepEqual([result.status, result.errorMessage], ['pending', TOO_BUSY])
})

test('answers that wait unread in the kernel at the deadline are read before the verdict', async (t) => {
  const open = fakeSocket((request) => ({ arrivals: [reply(request, 9)] }))
  const sockets = openEchoSockets((family, onArrival) => {
    const unread: Arrival[] = []
    const opened = open(family, (arrival) => unread.push(arrival))
    if (opened.kind !== 'open') return opened
    const receive = () => {
      if (unread.length === 3) for (const arrival of unread.splice(0)) onArrival(arrival)
      return false
    }
    return { kind: 'open', socket: { ...opened.socket, receive } }
  })
  const result = await probeWith(t, { sockets })
  assert.deepEqual([result.status, result.responseTimeMs], ['up', 9])
})

test('a look-up that gives no address decides the check', async (t) => {
  const unused = openEchoSockets(() => assert.fail('no socket is needed'))
  const hang: IcmpProbeDeps['resolve'] = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'aborted' }))
    })
  const cases: [name: string, IcmpProbeDeps['resolve'], status: string, message: string][] = [
    [
      'failed',
      async () => ({ kind: 'failed', reason: 'name not found: a.example' }),
      'down',
      'name not found: a.example',
    ],
    [
      'inconclusive',
      async () => ({ kind: 'inconclusive', reason: 'no name server', causeIfTheirs: 'name server failed' }),
      'pending',
      'no name server',
    ],
    ['empty', addresses(), 'down', 'no address for a.example'],
    ['endless', hang, 'down', 'no answer within 1 s (looking up the name)'],
  ]
  for (const [name, resolve, status, message] of cases) {
    await t.test(name, async (t) => {
      const result = await probeWith(t, { sockets: unused, resolve }, { url: 'ping://a.example' })
      assert.deepEqual([result.status, result.errorMessage], [status, message])
    })
  }
})

test('the host is taken from the URL, whatever the scheme', async (t) => {
  const cases: [url: string, host: string][] = [
    ['https://a.example:8443/path?q', 'a.example'],
    ['ping://[2001:DB8::7]', '2001:db8::7'],
    ['icmp://127.0.0.1', '127.0.0.1'],
  ]
  for (const [url, host] of cases) {
    let asked = ''
    const resolve: IcmpProbeDeps['resolve'] = async (name) => {
      asked = name
      return { kind: 'failed', reason: 'enough' }
    }
    await probeWith(t, { resolve }, { url })
    assert.equal(asked, host)
  }
})

test('no two requests under way share a sequence number, and there are at most 65,535', async () => {
  const sequences = new Set<number>()
  const sockets = openEchoSockets(
    fakeSocket((request) => {
      sequences.add(request.sequence)
      return {}
    }),
  )
  await sockets.open(4)
  const send = () => sockets.send({ address: V4, family: 4 }, () => {})
  const first = send()
  for (let i = 1; i < 65_535; i++) send()
  assert.equal(sequences.size, 65_535)
  assert.deepEqual(send(), { kind: 'failed', code: 'EAGAIN' })
  assert.equal(first.kind, 'sent')
  if (first.kind === 'sent') first.cancel()
  assert.equal(send().kind, 'sent')
  sockets.close()
  assert.deepEqual(send(), { kind: 'failed', code: 'EBADF' })
})

test("the kernel's timestamp decides, unless the wall clock was set meanwhile", () => {
  const sent = { wallMs: 1_000_000, monotonicMs: 500 }
  const cases: [name: string, Arrival['at'], ms: number][] = [
    ['stamped long before it was read', { wallMs: 1_000_002, monotonicMs: 900 }, 2],
    ['no timestamp', { wallMs: null, monotonicMs: 503 }, 3],
    ['clock set back', { wallMs: 990_000, monotonicMs: 503 }, 3],
    ['clock set ahead', { wallMs: 1_090_000, monotonicMs: 503 }, 3],
  ]
  for (const [name, arrived, ms] of cases) assert.equal(roundTripMs(sent, arrived), ms, name)
})

async function probe(t: TestContext, react: (request: EchoRequest) => EchoReaction): Promise<CheckResult> {
  const sockets = openEchoSockets(fakeSocket(react))
  try {
    return await probeWith(t, { sockets })
  } finally {
    sockets.close()
  }
}

/** One check, for which time passes as fast as it can. */
async function probeWith(t: TestContext, ...asked: Parameters<typeof ask>): Promise<CheckResult> {
  const clock = turnClock(t)
  try {
    return await clock.passUntil(ask(...asked))
  } finally {
    t.mock.timers.reset()
  }
}

function ask(
  deps: Partial<IcmpProbeDeps>,
  settings: Partial<ProbeSettings<'icmp'>> = {},
  signal = new AbortController().signal,
): Promise<CheckResult> {
  const sockets = openEchoSockets(() => assert.fail('no socket was expected'))
  const probe = createIcmpProbe({
    sockets,
    resolve: addresses(V4),
    now: () => new Date(0),
    loop: CALM_LOOP,
    ...deps,
  })
  return probe({ url: `ping://${V4}`, request_timeout_seconds: 1, ...settings }, signal)
}

function addresses(...found: string[]): IcmpProbeDeps['resolve'] {
  return async () => ({
    kind: 'addresses',
    addresses: found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
}

function alter(request: EchoRequest, change: Partial<IcmpMessage['echo']>): Arrival {
  return { ...reply(request), message: { kind: 'reply', echo: { ...echoOf(request), ...change } } }
}
