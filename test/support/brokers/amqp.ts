import type { BrokerDialogue, BrokerFacts, Said } from './broker-server.ts'

const HEADER_BYTES = 8
const MAX_FRAME_BYTES = 4_096

/** The server's side of AMQP 0-9-1, with frames so small that a message takes several. */
export function speakAmqp({ user, others, denies }: BrokerFacts): BrokerDialogue {
  const known = user ?? { name: 'guest', password: 'guest' }
  let isOpen = false
  let size = 0
  let body = Buffer.alloc(0)
  return {
    hear(held) {
      if (!isOpen) {
        if (held.length < HEADER_BYTES) return null
        isOpen = true
        const start = [Buffer.from([0, 9]), text32(''), text32('PLAIN AMQPLAIN'), text32('en_US')]
        return { used: HEADER_BYTES, says: [method('sign-in', 0, 10, 10, start)] }
      }
      if (held.length < 7) return null
      const length = held.readUInt32BE(3)
      if (held.length < length + 8) return null
      return { used: length + 8, says: answerTo(held[0] ?? 0, held.subarray(7, 7 + length)) }
    },
  }

  function answerTo(type: number, payload: Buffer): Said[] {
    if (type === 2) {
      size = Number(payload.readBigUInt64BE(4))
      body = Buffer.alloc(0)
      return []
    }
    if (type === 3) {
      body = Buffer.concat([body, payload])
      return body.length < size ? [] : [said('publish'), delivery(body)]
    }
    switch (`${payload.readUInt16BE(0)}.${payload.readUInt16BE(2)}`) {
      case '10.11': {
        const text = payload.toString('latin1')
        const isKnown = text.includes(Buffer.from(`\0${known.name}\0${known.password}`).toString('latin1'))
        if (!isKnown) return [closing('sign-in', 0, 10, 50, 403, 'ACCESS_REFUSED - Login was refused')]
        return [
          method('sign-in', 0, 10, 30, [Buffer.from([0, 0]), u32(MAX_FRAME_BYTES), Buffer.from([0, 60])]),
        ]
      }
      case '10.31':
        return []
      case '10.40':
        return payload.toString().includes('/missing')
          ? [closing('sign-in', 0, 10, 50, 530, 'NOT_ALLOWED - vhost /missing not found')]
          : [method('sign-in', 0, 10, 41, [text8('')])]
      case '20.10':
        return [method('subscribe', 1, 20, 11, [text32('')])]
      case '50.10':
        return [method('subscribe', 1, 50, 11, [text8('amq.gen-7'), u32(0), u32(0)])]
      case '50.20':
        if (denies === 'subscribe')
          return [closing('subscribe', 1, 20, 40, 404, "NOT_FOUND - no exchange 'amq.topic' in vhost '/'")]
        return [method('subscribe', 1, 50, 21, [])]
      case '60.20':
        return [method('subscribe', 1, 60, 21, [text8('one')]), ...others.map(delivery)]
      case '60.40':
        return denies === 'publish' ? [closing('publish', 1, 20, 40, 403, 'ACCESS_REFUSED - no write')] : []
      case '10.50':
        return [{ ...method('farewell', 0, 10, 51, []), next: 'end' }]
      default:
        return [{ ...said('farewell'), next: 'end' }]
    }
  }
}

function said(step: Said['step'], bytes: Buffer = Buffer.alloc(0)): Said {
  return { step, bytes }
}

function method(step: Said['step'], channel: number, klass: number, id: number, parts: Buffer[]): Said {
  return said(step, frame(1, channel, Buffer.concat([Buffer.from([0, klass, 0, id]), ...parts])))
}

function closing(
  step: Said['step'],
  channel: number,
  klass: number,
  id: number,
  code: number,
  why: string,
): Said {
  const parts = [Buffer.from([code >> 8, code & 255]), text8(why), Buffer.from([0, 0, 0, 0])]
  return method(step, channel, klass, id, parts)
}

function delivery(message: Buffer): Said {
  const head = [text8('one'), Buffer.alloc(8), Buffer.from([0]), text8('amq.topic'), text8('hall')]
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(message.length))
  const bodies = []
  for (let at = 0; at < message.length; at += MAX_FRAME_BYTES - 8)
    bodies.push(frame(3, 1, message.subarray(at, at + MAX_FRAME_BYTES - 8)))
  const heartbeat = frame(8, 0, Buffer.alloc(0))
  const properties = Buffer.concat([Buffer.from([0, 60, 0, 0]), size, Buffer.from([0, 0])])
  return said(
    'message',
    Buffer.concat([method('message', 1, 60, 60, head).bytes, heartbeat, frame(2, 1, properties), ...bodies]),
  )
}

function frame(type: number, channel: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, 0, channel]), u32(payload.length), payload, Buffer.from([0xce])])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function text8(text: string): Buffer {
  return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])
}

function text32(text: string): Buffer {
  return Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)])
}
