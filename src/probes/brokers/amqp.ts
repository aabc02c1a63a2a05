import { brokerRefused, signInRefused, unlikeLine } from '../../core/monitors/types/protocol-causes.ts'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { type Broker, type BrokerMessage, BrokerRefusal, type BrokerSession } from './broker.ts'
import { shownBytes, text8, text32, u8, u16, u32 } from './fields.ts'

const NAME = 'AMQP'
/** AMQP 0-9-1, section 4.2.2. */
const HEADER = Buffer.from('AMQP\x00\x00\x09\x01', 'latin1')
const METHOD = 1
const HEAD = 2
const BODY = 3
const HEARTBEAT = 8
const FRAME_END = 0xce
const FRAME_BYTES_AROUND = 8
const MAX_FRAME_BYTES = 131_072
const MIN_FRAME_BYTES = 4_096
const CHANNEL = 1
const BASIC = 60
/** An exclusive queue that goes with its last consumer. */
const EXCLUSIVE_AND_BRIEF = 0x0c
const WITHOUT_ACKNOWLEDGEMENT = 0x02
const USUAL_EXCHANGE = 'amq.topic'
/** Those of a new broker; it lets them in from its own machine alone. */
const USUAL_USER = { name: 'guest', password: 'guest' }

/** Methods, as the class and the number of each (section 1). */
const START = '10.10'
const SECURE = '10.20'
const TUNE = '10.30'
const CONNECTION_CLOSE = '10.50'
const CHANNEL_CLOSE = '20.40'
const DELIVER = '60.60'

type Frame = { type: number; channel: number; payload: Buffer }
type Method = { name: string; fields: Cursor }

/** AMQP 0-9-1. A check has a queue of its own, and takes no message out of one of others. */
export const AMQP: Broker = {
  name: NAME,
  async signIn(talk, { user, url }) {
    talk.write(HEADER)
    const first = await talk.frame(() => 1)
    if (first[0] !== METHOD) {
      const shown = shownBytes(Buffer.concat([first, talk.held()]))
      throw new BrokerRefusal(unlikeLine(NAME, 'answer to the protocol header', shown, 'Start of AMQP 0-9-1'))
    }
    const start = methodIn(await frameBehind(talk, METHOD))
    if (start.name !== START) throw new Garbled()
    start.fields.take(2)
    start.fields.text32()
    const mechanisms = start.fields.text32().split(' ')
    if (!mechanisms.includes('PLAIN'))
      throw new BrokerRefusal(unlikeLine(NAME, 'list of ways to sign in', mechanisms.join(' '), 'PLAIN'))
    const { name, password } = user ?? USUAL_USER
    const response = text32(`\0${name}\0${password}`)
    sendMethod(talk, 0, [10, 11], [CLIENT_PROPERTIES, text8('PLAIN'), response, text8('en_US')])
    const tuned = await readMethod(talk, 'sign-in')
    if (tuned.name === SECURE) throw new BrokerRefusal(signInRefused(NAME, 'asked for more than a password'))
    if (tuned.name !== TUNE) throw new Garbled()
    const [channels, frameBytes] = [tuned.fields.uint16(), tuned.fields.uint32()]
    const most = Math.max(MIN_FRAME_BYTES, Math.min(frameBytes || MAX_FRAME_BYTES, MAX_FRAME_BYTES))
    sendMethod(talk, 0, [10, 31], [u16(channels), u32(most), u16(0)])
    sendMethod(talk, 0, [10, 40], [text8(hostIn(url)), text8(''), u8(0)])
    await expectMethod(talk, '10.41', 'sign-in')
    return sessionOver(talk, most)
  },
}

/** A server then says why it refuses a password, before it hangs up. */
const CLIENT_PROPERTIES = table([
  text8('product'),
  Buffer.concat([Buffer.from('S'), text32('Upbeat')]),
  text8('capabilities'),
  Buffer.concat([
    Buffer.from('F'),
    table([text8('authentication_failure_close'), Buffer.from('t\x01', 'latin1')]),
  ]),
])

function table(parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length), body])
}

/** The virtual host, which is the path of the URL. */
function hostIn({ pathname }: URL): string {
  const path = pathname.slice(1)
  try {
    return decodeURIComponent(path) || '/'
  } catch {
    return path
  }
}

/** `EXCHANGE/KEY`, or a key of the exchange that every broker has for topics. */
function placeIn(topic: string): { exchange: string; key: string } {
  const slash = topic.indexOf('/')
  return slash < 0
    ? { exchange: USUAL_EXCHANGE, key: topic }
    : { exchange: topic.slice(0, slash), key: topic.slice(slash + 1) }
}

function sessionOver(talk: Talk, maxFrameBytes: number): BrokerSession {
  return {
    async subscribe(topic) {
      const { exchange, key } = placeIn(topic)
      const none = table([])
      sendMethod(talk, CHANNEL, [20, 10], [text8('')])
      await expectMethod(talk, '20.11', 'subscription')
      sendMethod(talk, CHANNEL, [50, 10], [u16(0), text8(''), u8(EXCLUSIVE_AND_BRIEF), none])
      const queue = (await expectMethod(talk, '50.11', 'subscription')).text8()
      sendMethod(talk, CHANNEL, [50, 20], [u16(0), text8(queue), text8(exchange), text8(key), u8(0), none])
      await expectMethod(talk, '50.21', 'subscription')
      const consumer = [u16(0), text8(queue), text8(''), u8(WITHOUT_ACKNOWLEDGEMENT), none]
      sendMethod(talk, CHANNEL, [60, 20], consumer)
      await expectMethod(talk, '60.21', 'subscription')
    },
    async publish(topic, message) {
      const { exchange, key } = placeIn(topic)
      sendMethod(talk, CHANNEL, [60, 40], [u16(0), text8(exchange), text8(key), u8(0)])
      const size = Buffer.alloc(8)
      size.writeBigUInt64BE(BigInt(message.length))
      sendFrame(talk, HEAD, CHANNEL, [u16(BASIC), u16(0), size, u16(0)])
      const most = maxFrameBytes - FRAME_BYTES_AROUND
      for (let at = 0; at < message.length; at += most)
        sendFrame(talk, BODY, CHANNEL, [message.subarray(at, at + most)])
    },
    async next() {
      for (;;) if ((await readMethod(talk, 'publishing')).name === DELIVER) return contentOf(talk)
    },
    async leave() {
      sendMethod(talk, 0, [10, 50], [u16(200), text8('bye'), u16(0), u16(0)])
      while ((await readMethod(talk, 'farewell')).name !== '10.51');
    },
  }
}

/** The header and the body behind a delivery. */
async function contentOf(talk: Talk): Promise<BrokerMessage> {
  const head = await readFrame(talk)
  if (head.type !== HEAD) throw new Garbled()
  const fields = new Cursor(head.payload)
  fields.take(4)
  const size = fields.int64()
  if (size < 0n) throw new Garbled()
  const parts: Buffer[] = []
  let left = Number(size)
  while (left > 0) {
    const { type, payload } = await readFrame(talk)
    if (type !== BODY || payload.length > left) throw new Garbled()
    parts.push(payload)
    left -= payload.length
  }
  return { bytes: Buffer.concat(parts) }
}

function sendMethod(
  talk: Talk,
  channel: number,
  [klass, id]: [number, number],
  parts: readonly Buffer[],
): void {
  sendFrame(talk, METHOD, channel, [u16(klass), u16(id), ...parts])
}

function sendFrame(talk: Talk, type: number, channel: number, parts: readonly Buffer[]): void {
  const payload = Buffer.concat(parts)
  talk.write(Buffer.concat([u8(type), u16(channel), u32(payload.length), payload, u8(FRAME_END)]))
}

/** The next frame that is no heartbeat. */
async function readFrame(talk: Talk): Promise<Frame> {
  for (;;) {
    const [type = 0] = await talk.frame(() => 1)
    const frame = await frameBehind(talk, type)
    if (frame.type !== HEARTBEAT) return frame
  }
}

async function frameBehind(talk: Talk, type: number): Promise<Frame> {
  const head = new Cursor(await talk.frame(() => 6))
  const [channel, length] = [head.uint16(), head.uint32()]
  if (length > MAX_FRAME_BYTES) throw new Garbled()
  const payload = await talk.frame(() => length)
  if ((await talk.frame(() => 1))[0] !== FRAME_END) throw new Garbled()
  return { type, channel, payload }
}

function methodIn({ type, payload }: Frame): Method {
  if (type !== METHOD) throw new Garbled()
  const fields = new Cursor(payload)
  return { name: `${fields.uint16()}.${fields.uint16()}`, fields }
}

/** The next method. One that closes the channel or the connection refuses what was asked for, `deed`. */
async function readMethod(talk: Talk, deed: string): Promise<Method> {
  const method = methodIn(await readFrame(talk))
  if (method.name !== CONNECTION_CLOSE && method.name !== CHANNEL_CLOSE) return method
  const why = `${method.fields.uint16()} ${method.fields.text8()}`
  throw new BrokerRefusal(deed === 'sign-in' ? signInRefused(NAME, why) : brokerRefused(NAME, deed, why))
}

async function expectMethod(talk: Talk, name: string, deed: string): Promise<Cursor> {
  const method = await readMethod(talk, deed)
  if (method.name !== name) throw new Garbled()
  return method.fields
}
