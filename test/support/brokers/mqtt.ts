import type { BrokerDialogue, BrokerFacts, Said } from './broker-server.ts'

/** The server's side of MQTT 3.1.1. */
export function speakMqtt({ user, kept, others, denies }: BrokerFacts): BrokerDialogue {
  return {
    hear(held) {
      const packet = packetIn(held)
      return packet && { used: packet.used, says: answerTo(packet) }
    },
  }

  function answerTo({ type, body }: Packet): Said[] {
    switch (type) {
      case 0x10: {
        const isKnown =
          user === null || (textAt(body, -2) === user.name && textAt(body, -1) === user.password)
        const says = { step: 'sign-in', bytes: Buffer.from([0x20, 2, 0, isKnown ? 0 : 5]) } as const
        return [isKnown ? says : { ...says, next: 'end' }]
      }
      case 0x80: {
        const topic = body.subarray(4, 4 + body.readUInt16BE(2)).toString()
        const code = denies === 'subscribe' ? 0x80 : 0
        const confirmed = { step: 'subscribe', bytes: Buffer.from([0x90, 3, 0, 1, code]) } as const
        const named = topic.replace(/[+#]/, 'hall')
        return [
          confirmed,
          ...kept.map((bytes) => ({ step: 'message', bytes: publishOf(named, bytes, 1) }) as const),
          ...others.map((bytes) => ({ step: 'message', bytes: publishOf(named, bytes) }) as const),
        ]
      }
      case 0x30: {
        const published = { step: 'publish', bytes: Buffer.alloc(0) } as const
        if (denies === 'publish') return [published]
        const length = body.readUInt16BE()
        const [topic, bytes] = [body.subarray(2, 2 + length).toString(), body.subarray(2 + length)]
        return [published, { step: 'message', bytes: publishOf(topic, bytes) }]
      }
      default:
        return [{ step: 'farewell', bytes: Buffer.alloc(0), next: 'end' }]
    }
  }
}

type Packet = { type: number; body: Buffer; used: number }

/** A message on a topic, as a broker sends it. */
export function publishOf(topic: string, message: Buffer, retained = 0): Buffer {
  const name = Buffer.from(topic)
  const body = Buffer.concat([Buffer.from([0, name.length]), name, message])
  return Buffer.concat([Buffer.from([0x30 | retained]), lengthOf(body.length), body])
}

/** A length, seven bits a byte. */
export function lengthOf(length: number): Buffer {
  const bytes = []
  for (let rest = length; bytes.length === 0 || rest > 0; rest >>= 7)
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0))
  return Buffer.from(bytes)
}

function packetIn(held: Buffer): Packet | null {
  let [length, at] = [0, 1]
  for (; ; at++) {
    const byte = held[at]
    if (byte === undefined) return null
    length += (byte & 127) << (7 * (at - 1))
    if (byte < 128) break
  }
  const used = at + 1 + length
  return held.length < used ? null : { type: (held[0] ?? 0) & 0xf0, body: held.subarray(at + 1, used), used }
}

/** The texts of a CONNECT behind its head: the last one is the password, the one before it the name. */
function textAt(body: Buffer, place: number): string | undefined {
  const texts: string[] = []
  for (let at = 10; at + 2 <= body.length; at += 2 + body.readUInt16BE(at))
    texts.push(body.subarray(at + 2, at + 2 + body.readUInt16BE(at)).toString())
  return texts.at(place)
}
