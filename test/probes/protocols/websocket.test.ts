import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { resetSocket } from '../../support/reset-socket.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { until } from '../../support/until.ts'
import {
  type Conversation,
  closeFrame,
  frameOf,
  longHead,
  OPCODES,
  opening,
  openingHead,
  startWebSocketServer,
} from '../../support/web-sockets/web-socket-server.ts'

const NAME = 'localhost'
const authority = createAuthority('Web Sockets')
const certificate = authority.issue({ names: [NAME] })
const network = testNetwork({ extraAuthorities: [authority.pem] })

const expecting = (target: string): Assertion[] => [
  { source: 'answer', comparison: 'equals', target, severity: 'down' },
]
const READING: MonitorOptions = { assertions: expecting('hello') }
const { text, binary, more, ping } = OPCODES

async function ask(
  t: TestContext,
  conversation: Conversation,
  changes: Partial<ProbeSettings> & { options?: MonitorOptions } = {},
) {
  const server = await startWebSocketServer(t, conversation)
  const result = await check('websocket', { url: `ws://127.0.0.1:${server.port}/live?a=b`, ...changes })
  return { ...result, server }
}

function verdict({ status, errorMessage }: CheckResult): [string, string | null] {
  return [status, errorMessage]
}

describe('a check that opens a WebSocket', () => {
  it('is up when the server opens it, and closes it politely', async (t) => {
    const { server, ...result } = await ask(t, {})
    assert.deepEqual(verdict(result), ['up', null])
    assert.equal(result.httpStatusCode, 101)
    assert.notEqual(result.phases?.firstByteMs ?? null, null)
    const [asked] = server.asked
    assert.equal(asked?.line, 'GET /live?a=b HTTP/1.1')
    const { upgrade, connection, host, 'sec-websocket-version': version } = asked?.headers ?? {}
    assert.deepEqual([upgrade, connection, version], ['websocket', 'Upgrade', '13'])
    assert.equal(host, `127.0.0.1:${server.port}`)
    assert.deepEqual(server.frames, [{ opcode: OPCODES.close, payload: Buffer.from([0x03, 0xe8]) }])
    await server.allClosed()
  })

  it('is up over TLS with a certificate for the name, and down without one', async (t) => {
    const server = await startWebSocketServer(t, {}, certificate)
    const url = `wss://${NAME}:${server.port}/`
    const result = await check('websocket', { url }, { network })
    assert.deepEqual(verdict(result), ['up', null])
    assert.notEqual(result.certificate ?? null, null)
    assert.equal((await check('websocket', { url })).status, 'down')
    const unchecked = { url, options: { tls: { verify: false } } }
    assert.equal((await check('websocket', unchecked)).status, 'up')
    const days: Assertion = {
      source: 'certificate_days',
      comparison: 'less_than',
      target: 0,
      severity: 'down',
    }
    const judged = await check('websocket', { url, options: { assertions: [days] } }, { network })
    assert.match(judged.errorMessage ?? '', /^certificate has \d+ days left/)
    await server.allClosed()
  })

  it('sends the headers, the user and the message of the monitor, and none that would break the handshake', async (t) => {
    const { server, ...result } = await ask(
      t,
      {},
      {
        ...{ username: 'ada', password: 'sesame' },
        request_headers: { Origin: 'https://shop.example', 'sec-websocket-key': 'x', 'X-Grüße': 'nein' },
        options: { send: 'hello', ...READING },
      },
    )
    assert.equal(result.status, 'down', 'a header whose name cannot be sent')
    assert.equal(server.asked.length, 0)
    const again = await ask(
      t,
      {},
      {
        ...{ username: 'ada', password: 'sesame' },
        request_headers: { Origin: 'https://shop.example', 'sec-websocket-key': 'x' },
        options: { send: 'hello', ...READING },
      },
    )
    assert.deepEqual(verdict(again), ['up', null])
    const { origin, authorization } = again.server.asked[0]?.headers ?? {}
    assert.deepEqual(
      [origin, authorization],
      ['https://shop.example', `Basic ${Buffer.from('ada:sesame').toString('base64')}`],
    )
    assert.deepEqual(again.server.frames[0], { opcode: text, payload: Buffer.from('hello') })
  })

  it('signs in with a token', async (t) => {
    const { server, ...result } = await ask(
      t,
      {},
      { options: { auth: { type: 'bearer', token: 'sesame-7' } } },
    )
    assert.deepEqual(verdict(result), ['up', null])
    assert.equal(server.asked[0]?.headers.authorization, 'Bearer sesame-7')
  })

  it('wants one of the subprotocols that it asks for', async (t) => {
    const asking = async (subprotocol: string | undefined, taken?: string) => {
      const onRequest = opening(taken === undefined ? {} : { 'Sec-WebSocket-Protocol': taken })
      const result = await ask(t, { onRequest }, { options: subprotocol ? { subprotocol } : {} })
      assert.equal(result.server.asked[0]?.headers['sec-websocket-protocol'], subprotocol)
      return verdict(result)
    }
    assert.deepEqual(await asking('chat', 'chat'), ['up', null])
    assert.deepEqual(await asking('a, chat', 'chat'), ['up', null])
    assert.deepEqual(await asking('chat'), [
      'down',
      'WebSocket: the server took no subprotocol (expected chat)',
    ])
    assert.deepEqual(await asking('a, b', 'chat'), [
      'down',
      'WebSocket: the server took the subprotocol chat (expected a or b)',
    ])
    assert.deepEqual(await asking(undefined, 'chat'), [
      'down',
      'WebSocket: the server took the subprotocol chat (expected none)',
    ])
  })

  it('judges the first message, as text or JSON, whatever frames it comes in', async (t) => {
    const reading = async (first: Buffer, assertions = expecting('hello')) =>
      verdict(await ask(t, { onRequest: opening({}, first) }, { options: { assertions } }))
    const parts = [
      frameOf(text, 'he', { isLast: false }),
      frameOf(more, 'll', { isLast: false }),
      frameOf(ping, 'in between'),
      frameOf(more, 'o'),
    ]
    for (const first of [
      frameOf(text, 'hello'),
      frameOf(binary, 'hello'),
      Buffer.concat(parts),
      Buffer.concat([frameOf(ping), frameOf(ping, 'again'), frameOf(text, 'hello'), frameOf(text, 'more')]),
    ])
      assert.deepEqual(await reading(first), ['up', null])
    assert.deepEqual(await reading(frameOf(text, 'other')), ['down', 'answer is "other" (expected "hello")'])
    const json: Assertion = {
      ...{ source: 'json', property: '$.type', comparison: 'equals' },
      ...{ target: 'price', severity: 'degraded' },
    }
    assert.deepEqual(await reading(frameOf(text, '{"type": "price"}'), [json]), ['up', null])
    const [status] = await reading(frameOf(text, '{"type": "error"}'), [json])
    assert.equal(status, 'degraded')
  })

  it('answers pings', async (t) => {
    const conversation: Conversation = {
      onRequest: opening({}, frameOf(ping, 'there?')),
      onFrame: (socket, { opcode }) => {
        if (opcode === OPCODES.pong) socket.write(frameOf(text, 'hello'))
        else socket.end(closeFrame(1000))
      },
    }
    assert.deepEqual(verdict(await ask(t, conversation, { options: READING })), ['up', null])
  })

  it('reads a message that comes slowly, byte by byte', async (t) => {
    const onRequest: NonNullable<Conversation['onRequest']> = async (socket, asked) => {
      for (const byte of Buffer.concat([Buffer.from(openingHead(asked)), frameOf(text, 'hello')])) {
        socket.write(Buffer.from([byte]))
        await new Promise(setImmediate)
      }
    }
    assert.deepEqual(verdict(await ask(t, { onRequest }, { options: READING })), ['up', null])
  })

  it('repeats no secret that the server says again', async (t) => {
    const conversation: Conversation = {
      onFrame: (socket, { payload }) => socket.end(closeFrame(1008, `no: ${payload}`)),
    }
    const options = { send: 'sesame-street', ...READING }
    const { errorMessage } = await ask(t, conversation, { options })
    assert.equal(errorMessage, 'WebSocket: closed before the first message (1008: no: ********)')
    const echoed = await ask(t, {}, { options })
    assert.equal(echoed.errorMessage, 'answer is "********" (expected "hello")')
  })

  it('dials no address that the policy refuses, and follows no redirect', async (t) => {
    const server = await startWebSocketServer(t, {
      onRequest: (socket) => socket.end('HTTP/1.1 301 Moved\r\nLocation: ws://10.0.0.1/\r\n\r\n'),
    })
    const url = `ws://127.0.0.1:${server.port}/`
    const refusing = testNetwork({ privateTargets: 'deny' })
    const refused = await check('websocket', { url }, { network: refusing })
    assert.deepEqual(verdict(refused), ['down', 'address 127.0.0.1 is not allowed'])
    assert.equal(server.accepted(), 0)
    assert.deepEqual(verdict(await check('websocket', { url })), ['down', 'HTTP 301 (expected 101)'])
  })
})

type Hostile = { conversation: Conversation; cause: RegExp; isUnread?: true }
const raw =
  (bytes: string): NonNullable<Conversation['onRequest']> =>
  (socket) =>
    socket.end(bytes)
const saying = (...frames: Buffer[]): Conversation => ({ onRequest: opening({}, Buffer.concat(frames)) })
const inFrames = (socket: { write(bytes: Buffer): boolean; destroyed: boolean }, frame: Buffer) => {
  const more = () => {
    if (!socket.destroyed) setImmediate(() => more())
    socket.write(frame)
  }
  more()
}

/** Servers that speak, and not as they should. Silent and slow ones are in the catalogue, at the limit. */
const HOSTILE: Record<string, Hostile> = {
  'resets the connection': {
    conversation: { onRequest: (socket) => resetSocket(socket) },
    cause: /^connection (reset by 127\.0\.0\.1:\d+|closed before the answer was complete)$/,
  },
  'says garbage': {
    conversation: { onRequest: raw('\x00\xff\x13garbage') },
    cause: /^invalid HTTP answer: /,
  },
  'sends headers without end': {
    conversation: {
      onRequest: (socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\n')
        inFrames(socket, Buffer.from(`X-A: ${'a'.repeat(8_000)}\r\n`))
      },
    },
    cause: /^invalid HTTP answer: headers above 64 KiB$/,
  },
  'accepts another key': {
    conversation: { onRequest: opening({ 'Sec-WebSocket-Accept': 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }) },
    cause: /^WebSocket: the answer has a wrong Sec-WebSocket-Accept$/,
  },
  'says 101 and upgrades nothing': {
    conversation: { onRequest: raw('HTTP/1.1 101 Switching Protocols\r\n\r\n') },
    cause: /^WebSocket: the answer has no Upgrade: websocket$/,
  },
  'upgrades to something else': {
    conversation: { onRequest: opening({ Upgrade: 'h2c' }) },
    cause: /^WebSocket: the answer has no Upgrade: websocket$/,
  },
  'takes an extension that was not offered': {
    conversation: { onRequest: opening({ 'Sec-WebSocket-Extensions': 'permessage-deflate' }) },
    cause: /^WebSocket: the server took an extension that was not offered: permessage-deflate$/,
  },
  'answers 200': {
    conversation: { onRequest: raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK') },
    cause: /^HTTP 200 \(expected 101\)$/,
  },
  'answers 301': {
    conversation: { onRequest: raw('HTTP/1.1 301 Moved\r\nLocation: /other\r\n\r\n') },
    cause: /^HTTP 301 \(expected 101\)$/,
  },
  'answers 403': {
    conversation: { onRequest: raw('HTTP/1.1 403 Forbidden\r\n\r\nno') },
    cause: /^HTTP 403 \(expected 101\)$/,
  },
  'closes before a message': {
    conversation: saying(closeFrame(1011, 'on fire')),
    cause: /^WebSocket: closed before the first message \(1011: on fire\)$/,
  },
  'hangs up before a message': {
    conversation: { onRequest: (socket, asked) => socket.end(openingHead(asked)) },
    cause: /^WebSocket: connection closed before the first message$/,
  },
  'masks its frames': {
    conversation: saying(frameOf(text, 'hello', { isMasked: true })),
    cause: /^WebSocket: invalid frame: masked, as only those of clients are$/,
  },
  'announces a frame of 4 EiB': {
    conversation: saying(longHead(0x81, 0, 2 ** 62)),
    cause: /^WebSocket: no message within 4,194,304 bytes$/,
  },
  'announces a frame of 3 MiB': {
    conversation: saying(longHead(0x81, 0, 3 * 2 ** 20)),
    cause: /^WebSocket: no message within 4,194,304 bytes$/,
  },
  'sends parts of a message without end': {
    conversation: {
      onRequest: (socket, asked) => {
        socket.write(openingHead(asked))
        socket.write(frameOf(text, 'a', { isLast: false }))
        inFrames(socket, frameOf(more, 'b'.repeat(60_000), { isLast: false }))
      },
    },
    cause: /^WebSocket: no message within 4,194,304 bytes$/,
  },
  'sends pings without end, and reads no answer': {
    conversation: {
      onRequest: (socket, asked) => {
        socket.write(openingHead(asked))
        socket.pause()
        inFrames(socket, Buffer.concat(Array.from({ length: 500 }, () => frameOf(ping, 'p'.repeat(125)))))
      },
    },
    cause: /^WebSocket: no message within 4,194,304 bytes$/,
  },
  'sends a frame of a kind that does not exist': {
    conversation: saying(Buffer.from([0x83, 0])),
    cause: /^WebSocket: invalid frame: of a kind that there is not, or out of turn$/,
  },
  'sends text that is no UTF-8': {
    conversation: saying(frameOf(text, Buffer.from([0xff, 0xfe]))),
    cause: /^WebSocket: invalid frame: text that is not UTF-8$/,
  },
}

describe('a check of a WebSocket server that', () => {
  for (const [how, { conversation, cause }] of Object.entries(HOSTILE)) {
    it(`${how} is down with the cause, and leaves nothing open`, async (t) => {
      const { server, ...result } = await ask(t, conversation, { options: READING })
      assert.equal(result.status, 'down')
      assert.match(result.errorMessage ?? '', cause)
      assert.equal(result.address, '127.0.0.1')
      await server.allClosed()
    })
  }

  it('does not close in return is judged by what it said before', async (t) => {
    const { server, ...result } = await ask(
      t,
      { onRequest: opening({}, frameOf(text, 'hello')), onFrame: () => {} },
      { options: READING },
    )
    assert.deepEqual(verdict(result), ['up', null])
    await until('it to be told that the check closes', () => server.frames.length === 1)
    await server.allClosed()
  })
})
