import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { speakMqtt } from '../../support/brokers/mqtt.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import {
  type Conversation,
  closeFrame,
  frameOf,
  OPCODES,
  opening,
  startWebSocketServer,
} from '../../support/web-sockets/web-socket-server.ts'

const authority = createAuthority('MQTT over WebSockets')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'watcher', password: 'sesame-seven' }
const SIGNED_IN = { username: USER.name, password: USER.password }
const TAKEN = { 'Sec-WebSocket-Protocol': 'mqtt' }
const TOPIC = { topic: 'hall' }
const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]

/** A broker whose packets are carried by frames, cut and joined as `carry` likes it. */
function broker(carry = (bytes: Buffer) => [frameOf(OPCODES.binary, bytes)]): Conversation {
  const facts = { user: USER, kept: [], others: [Buffer.from('hello')], denies: null }
  const dialogue = speakMqtt({ ...facts, offersTls: () => false, port: 0 })
  let held = Buffer.alloc(0)
  return {
    onRequest: opening(TAKEN),
    onFrame(socket, { opcode, payload }) {
      if (opcode === OPCODES.close) socket.end(closeFrame(1_000))
      if (opcode !== OPCODES.binary) return
      held = Buffer.concat([held, payload])
      const answers: Buffer[] = []
      for (let heard = dialogue.hear(held); heard; heard = dialogue.hear(held)) {
        held = held.subarray(heard.used)
        answers.push(...heard.says.map(({ bytes }) => bytes))
      }
      const bytes = Buffer.concat(answers)
      if (bytes.length > 0) socket.write(Buffer.concat(carry(bytes)))
    },
  }
}

async function look(
  t: TestContext,
  conversation: Conversation,
  { path = '/mqtt', tls = false, ...changes }: { path?: string; tls?: boolean } & Partial<ProbeSettings> = {},
) {
  const server = await startWebSocketServer(t, conversation, tls ? certificate : undefined)
  const url = `${tls ? 'wss' : 'ws'}://127.0.0.1:${server.port}${path}`
  const settings = { url, ...SIGNED_IN, options: TOPIC, ...changes } as Partial<ProbeSettings>
  return { ...(await check('mqtt', settings, { network })), asked: server.asked, frames: server.frames }
}

describe('a check of MQTT over a WebSocket', () => {
  const byByte = (bytes: Buffer) => [...bytes].map((byte) => frameOf(OPCODES.binary, Buffer.of(byte)))
  const inParts = (bytes: Buffer) => [
    frameOf(OPCODES.binary, bytes.subarray(0, 1), { isLast: false }),
    frameOf(OPCODES.ping, 'there?'),
    frameOf(OPCODES.more, bytes.subarray(1)),
  ]
  for (const [how, carry] of Object.entries({
    'as they are': undefined,
    'byte by byte': byByte,
    'in parts': inParts,
  }))
    it(`reads packets that come in frames ${how}`, async (t) => {
      const found = await look(t, broker(carry), {
        options: {
          ...TOPIC,
          assertions: [{ source: 'answer', comparison: 'equals', target: 'hello', severity: 'down' }],
        },
      })
      assert.deepEqual(said(found), ['up', null])
      assert.deepEqual(found.asked[0]?.line, 'GET /mqtt HTTP/1.1')
      assert.equal(found.asked[0]?.headers['sec-websocket-protocol'], 'mqtt')
      // The sign-in is for the broker, and not shown to what stands before it.
      assert.equal(found.asked[0]?.headers.authorization, undefined)
      assert.ok(found.frames.every(({ opcode }) => opcode !== OPCODES.text))
    })

  it('speaks TLS where its scheme says so, and warns of the certificate', async (t) => {
    const found = await look(t, broker(), { tls: true, path: '/', options: { ...TOPIC, publish: 'ping' } })
    assert.deepEqual(said(found), ['up', null])
    assert.ok(found.certificate)
  })

  const failing: [what: string, conversation: Conversation, cause: RegExp][] = [
    ['another password', { ...broker() }, /^MQTT: sign-in refused \("5 not authorized"\)$/],
    [
      'a page in its place',
      { onRequest: (socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n') },
      /^HTTP 404 \(expected 101\)$/,
    ],
    ['another protocol', { onRequest: opening() }, /subprotocol/],
    [
      'a redirect, which it does not follow',
      { onRequest: (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n') },
      /^HTTP 302 \(expected 101\)$/,
    ],
    [
      'a WebSocket that closes',
      { onRequest: opening(TAKEN), onFrame: (socket) => socket.end(closeFrame(1_008, 'no')) },
      /^MQTT: 127\.0\.0\.1:\d+ closed the connection before its answer$/,
    ],
    [
      'a connection that ends',
      { onRequest: opening(TAKEN), onFrame: (socket) => socket.destroy() },
      /^MQTT: 127\.0\.0\.1:\d+ closed the connection before its answer$/,
    ],
    [
      'frames of no protocol',
      { onRequest: opening(TAKEN), onFrame: (socket) => socket.write(Buffer.of(0xff, 0xff)) },
      /^WebSocket: invalid frame: /,
    ],
    [
      'another answer than CONNACK',
      { onRequest: opening(TAKEN), onFrame: (socket) => socket.write(frameOf(OPCODES.binary, 'HTTP/1.1')) },
      /^MQTT: answer to CONNECT is /,
    ],
    [
      'messages without an end',
      {
        onRequest: opening(TAKEN),
        onFrame: (socket) => {
          // A PUBLISH of 268 MB, in frames of a MiB, until the check goes.
          const more = () => {
            const first = frameOf(OPCODES.binary, Buffer.of(0x20, 0xff, 0xff, 0xff, 0x7f))
            if (!socket.destroyed)
              socket.write(Buffer.concat([first, frameOf(OPCODES.binary, Buffer.alloc(2 ** 20))]), more)
          }
          more()
        },
      },
      /^MQTT: /,
    ],
  ]
  for (const [what, conversation, cause] of failing)
    it(`is down by ${what}`, async (t) => {
      const found = await look(t, conversation, { password: 'other-secret' } as Partial<ProbeSettings>)
      assert.equal(found.status, 'down')
      assert.match(found.errorMessage ?? '', cause)
    })

  it('is dialled at no address that the policy refuses', async () => {
    const settings = { url: 'ws://169.254.169.254/mqtt' }
    assert.deepEqual(said(await check('mqtt', settings, { network })), [
      'down',
      'address 169.254.169.254 is not allowed',
    ])
  })
})
