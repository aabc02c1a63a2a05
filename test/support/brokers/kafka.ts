import { batchOf } from '../../../src/probes/brokers/kafka-records.ts'
import { createScramServer } from '../databases/scram.ts'
import type { BrokerDialogue, BrokerFacts, Said } from './broker-server.ts'

/** Where the broker says that the leaders of the partitions are; null stands for its own address. */
export type Members = readonly ({ host: string; port: number } | null)[]

type KafkaOptions = {
  members?: Members
  mechanisms?: readonly string[]
  /** The records of a fetch, as they are. */
  records?: (message: Buffer) => Buffer
}

/** The server's side of Kafka: one topic, with a partition for each of its members. */
export function speakKafka(
  facts: BrokerFacts,
  { members = [null], mechanisms = ['PLAIN'], records = (message) => batchOf(message, 0) }: KafkaOptions = {},
): BrokerDialogue {
  const { user, others, denies, port } = facts
  let waiting = others.map((message) => message)
  let isIn = user === null
  let scram: ReturnType<typeof createScramServer> | null = null
  let hasBegun = false
  return {
    hear(held) {
      if (held.length < 4) return null
      const used = 4 + held.readUInt32BE()
      if (held.length < used) return null
      const request = held.subarray(4, used)
      const body = request.subarray(10 + request.readUInt16BE(8))
      return { used, says: answerTo(request.readUInt16BE(), request.subarray(4, 8), body) }
    },
  }

  function plainAnswer(proof: string): string | null {
    isIn = proof === `\0${user?.name}\0${user?.password}`
    return isIn ? '' : null
  }

  function scramAnswer(server: ReturnType<typeof createScramServer>, proof: string): string | null {
    if (!hasBegun) {
      hasBegun = true
      return server.first(proof)
    }
    const final = server.final(proof)
    isIn = final !== null
    return final
  }

  function answerTo(api: number, id: Buffer, body: Buffer): Said[] {
    const say = (step: Said['step'], ...parts: Buffer[]): Said => {
      const answer = Buffer.concat([id, ...parts])
      return { step, bytes: Buffer.concat([i32(answer.length), answer]) }
    }
    switch (api) {
      case 17: {
        const wanted = body.toString('utf8', 2)
        const isOffered = mechanisms.includes(wanted)
        const [, hash] = /^SCRAM-SHA-(256|512)$/.exec(wanted) ?? []
        if (hash) scram = createScramServer(hash === '256' ? 'sha256' : 'sha512', user?.password ?? '')
        const answer = say('sign-in', i16(isOffered ? 0 : 33), list(mechanisms.map(text)))
        return [isOffered ? answer : { ...answer, next: 'end' }]
      }
      case 36: {
        const proof = body.toString('utf8', 4)
        const answer = scram === null ? plainAnswer(proof) : scramAnswer(scram, proof)
        if (answer === null)
          return [{ ...say('sign-in', i16(58), text('Authentication failed'), i32(0)), next: 'end' }]
        return [say('sign-in', i16(0), i16(-1), i32(answer.length), Buffer.from(answer))]
      }
      case 3: {
        if (!isIn) return [{ step: 'sign-in', bytes: Buffer.alloc(0), next: 'end' }]
        const isAsked = body.readInt32BE() > 0
        const nodes = members.map((member, at) => {
          const { host, port: there } = member ?? { host: '127.0.0.1', port }
          return Buffer.concat([i32(at + 1), text(host), i32(there), i16(-1)])
        })
        const parts = members.map((_, at) =>
          Buffer.concat([i16(0), i32(at), i32(at + 1), list([i32(at + 1)]), list([i32(at + 1)])]),
        )
        const topic = Buffer.concat([
          i16(denies === 'subscribe' ? 29 : 0),
          text('hall'),
          Buffer.from([0]),
          list(parts),
        ])
        const head = [i32(0), list(nodes), i16(-1), i32(1)]
        return [say(isAsked ? 'subscribe' : 'sign-in', ...head, list(isAsked ? [topic] : []))]
      }
      case 2: {
        const parts = members.map((_, at) => Buffer.concat([i32(at), i16(0), i64(-1), i64(0)]))
        return [say('subscribe', list([Buffer.concat([text('hall'), list(parts)])]))]
      }
      case 0: {
        const error = denies === 'publish' ? 29 : 0
        if (error === 0) waiting = [valueIn(body)]
        const part = Buffer.concat([i32(0), i16(error), i64(0), i64(-1)])
        return [say('publish', list([Buffer.concat([text('hall'), list([part])])]), i32(0))]
      }
      default: {
        const [message, ...rest] = waiting
        if (message === undefined) return []
        waiting = rest
        const bytes = records(message)
        const part = Buffer.concat([i32(0), i16(0), i64(1), i64(1), i32(-1), i32(bytes.length), bytes])
        return [say('message', i32(0), list([Buffer.concat([text('hall'), list([part])])]))]
      }
    }
  }
}

/** The value of the one record of a request to produce: all behind the head of its batch and of the record. */
function valueIn(body: Buffer): Buffer {
  const topic = body.readUInt16BE(12)
  const batch = body.subarray(14 + topic + 4 + 4 + 4)
  const record = batch.subarray(61)
  // The length of the record and of its value take as many bytes each.
  const [length, at] = varint(record, 0)
  const [valueLength, from] = varint(record, at + 4)
  if (length < valueLength) throw new Error('the record is no record')
  return record.subarray(from, from + valueLength)
}

function varint(bytes: Buffer, from: number): [value: number, behind: number] {
  let [value, at] = [0, from]
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) return [(value >>> 1) ^ -(value & 1), at]
  }
}

function i16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function i64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([i16(value.length), Buffer.from(value)])
}

function list(entries: readonly Buffer[]): Buffer {
  return Buffer.concat([i32(entries.length), ...entries])
}
