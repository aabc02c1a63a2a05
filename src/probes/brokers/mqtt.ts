import { randomBytes } from 'node:crypto'
import { brokerRefused, signInRefused, unlikeLine } from '../../core/monitors/types/protocol-causes.ts'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { type Broker, type BrokerMessage, BrokerRefusal, type BrokerSession } from './broker.ts'
import { shownBytes, text16, u8, u16 } from './fields.ts'

const NAME = 'MQTT'
/** The types of packets, in the upper half of their first byte (MQTT 3.1.1, section 2.2.1). */
const CONNECT = 0x10
const CONNACK = 0x20
const PUBLISH = 0x30
const SUBSCRIBE = 0x82
const SUBACK = 0x90
const DISCONNECT = 0xe0
const VERSION = 4
const CLEAN = 0x02
const WITH_NAME = 0x80
const WITH_PASSWORD = 0x40
/** Longer than any check lasts: no ping is due before it ends. */
const KEEP_ALIVE_SECONDS = 300
/** All servers take up to 23 letters and digits (section 3.1.3.1). */
const ID_BYTES = 8
const PACKET_ID = 1
/** A length has at most four bytes of seven bits. */
const MAX_LENGTH_BYTES = 4
const MORE = 0x80
const RETAINED = 0x01
const SUBSCRIPTION_FAILED = 0x80

/** Section 3.2.2.3. */
const RETURN_CODES: Record<number, string> = {
  1: 'unacceptable protocol version',
  2: 'identifier rejected',
  3: 'server unavailable',
  4: 'bad user name or password',
  5: 'not authorized',
}

/** MQTT 3.1.1, which brokers of version 5 speak as well. Messages are sent at most once, as they are for most subscribers. */
export const MQTT: Broker = {
  name: NAME,
  // Section 6.
  subprotocol: 'mqtt',
  async signIn(talk, { user }) {
    const flags = CLEAN | (user ? WITH_NAME : 0) | (user?.password ? WITH_PASSWORD : 0)
    const id = `upbeat${randomBytes(ID_BYTES).toString('hex')}`
    const texts = [id, ...(user ? [user.name, ...(user.password ? [user.password] : [])] : [])]
    const head = [text16('MQTT'), u8(VERSION), u8(flags), u16(KEEP_ALIVE_SECONDS)]
    talk.write(packetOf(CONNECT, [...head, ...texts.map(text16)]))
    const first = await talk.frame(() => 1)
    if (first[0] !== CONNACK) {
      const shown = shownBytes(Buffer.concat([first, talk.held()]))
      throw new BrokerRefusal(unlikeLine(NAME, 'answer to CONNECT', shown, 'CONNACK'))
    }
    const [, code = 0] = await readBody(talk)
    if (code !== 0) throw new BrokerRefusal(signInRefused(NAME, `${code} ${RETURN_CODES[code] ?? 'refused'}`))
    return sessionOver(talk)
  },
}

function sessionOver(talk: Talk): BrokerSession {
  /** Messages may arrive before the subscription is confirmed. */
  const early: BrokerMessage[] = []
  return {
    async subscribe(topic) {
      talk.write(packetOf(SUBSCRIBE, [u16(PACKET_ID), text16(topic), u8(0)]))
      for (;;) {
        const { type, flags, body } = await readPacket(talk)
        if (type === PUBLISH) early.push(messageIn(flags, body))
        if (type !== SUBACK) continue
        if (body.at(-1) === SUBSCRIPTION_FAILED)
          throw new BrokerRefusal(brokerRefused(NAME, 'subscription', '128 failure'))
        return
      }
    },
    async publish(topic, message) {
      talk.write(packetOf(PUBLISH, [text16(topic), message]))
    },
    async next() {
      for (;;) {
        const known = early.shift()
        if (known) return known
        const { type, flags, body } = await readPacket(talk)
        if (type === PUBLISH) return messageIn(flags, body)
      }
    },
    async leave() {
      talk.write(packetOf(DISCONNECT, []))
    },
  }
}

function messageIn(flags: number, body: Buffer): BrokerMessage {
  const fields = new Cursor(body)
  fields.text16()
  // One that was asked for without acknowledgement has no identifier.
  if ((flags & 0x06) !== 0) fields.uint16()
  return { bytes: fields.rest(), isKept: (flags & RETAINED) !== 0 }
}

function packetOf(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  let rest = body.length
  do {
    const more = rest >> 7
    length.push((rest & 0x7f) | (more > 0 ? MORE : 0))
    rest = more
  } while (rest > 0)
  return Buffer.concat([u8(type), Buffer.from(length), body])
}

async function readPacket(talk: Talk): Promise<{ type: number; flags: number; body: Buffer }> {
  const first = (await talk.frame(() => 1))[0] ?? 0
  return { type: first & 0xf0, flags: first & 0x0f, body: await readBody(talk) }
}

async function readBody(talk: Talk): Promise<Buffer> {
  let length = 0
  for (let at = 0; at < MAX_LENGTH_BYTES; at++) {
    const byte = (await talk.frame(() => 1))[0] ?? 0
    length += (byte & 0x7f) << (7 * at)
    if ((byte & MORE) === 0) return talk.frame(() => length)
  }
  throw new Garbled()
}
