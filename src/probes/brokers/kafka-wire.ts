import { unlikeLine } from '../../core/monitors/types/protocol-causes.ts'
import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from '../packets/cursor.ts'
import { BrokerRefusal } from './broker.ts'
import { i16, i32, shownBytes, text16, u32 } from './fields.ts'

export const KAFKA_NAME = 'Kafka'
const CLIENT = text16('upbeat')
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024

/** Requests in the oldest versions that brokers of version 4 take (KIP-896). */
export const APIS = {
  produce: [0, 3],
  fetch: [1, 4],
  offsets: [2, 1],
  metadata: [3, 4],
  mechanisms: [17, 1],
  authenticate: [36, 0],
} as const satisfies Record<string, readonly [key: number, version: number]>

/** Errors that people meet, by the numbers of the protocol. */
const ERRORS: Record<number, string> = {
  1: 'OFFSET_OUT_OF_RANGE',
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  6: 'NOT_LEADER_OR_FOLLOWER',
  7: 'REQUEST_TIMED_OUT',
  10: 'MESSAGE_TOO_LARGE',
  17: 'INVALID_TOPIC_EXCEPTION',
  19: 'NOT_ENOUGH_REPLICAS',
  20: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  29: 'TOPIC_AUTHORIZATION_FAILED',
  31: 'CLUSTER_AUTHORIZATION_FAILED',
  33: 'UNSUPPORTED_SASL_MECHANISM',
  34: 'ILLEGAL_SASL_STATE',
  35: 'UNSUPPORTED_VERSION',
  44: 'POLICY_VIOLATION',
  56: 'KAFKA_STORAGE_ERROR',
  58: 'SASL_AUTHENTICATION_FAILED',
  87: 'INVALID_RECORD',
}

export function errorNamed(code: number): string {
  return ERRORS[code] === undefined ? `error ${code}` : `${code} ${ERRORS[code]}`
}

export type AskKafka = (api: keyof typeof APIS, body: readonly Buffer[]) => Promise<Cursor>

/** Asks one question after the other over a connection. */
export function createAsk(talk: Talk): AskKafka {
  let count = 0
  return async (api, body) => {
    const [key, version] = APIS[api]
    const id = ++count
    const request = Buffer.concat([i16(key), i16(version), i32(id), CLIENT, ...body])
    talk.write(Buffer.concat([u32(request.length), request]))
    const head = await talk.frame(() => 4)
    const length = head.readUInt32BE()
    if (length > MAX_ANSWER_BYTES || length < 4) {
      const shown = shownBytes(Buffer.concat([head, talk.held()]))
      throw new BrokerRefusal(unlikeLine(KAFKA_NAME, 'answer', shown, 'an answer of Kafka'))
    }
    const answer = new Cursor(await talk.frame(() => length))
    if (answer.int32() !== id) throw new Garbled()
    return answer
  }
}

/** A list behind its length; a length that the rest cannot hold throws. */
export function listIn<T>(fields: Cursor, read: (fields: Cursor) => T): T[] {
  const count = fields.int32()
  // Each entry has a byte at least.
  if (count > fields.left) throw new Garbled()
  return Array.from({ length: Math.max(0, count) }, () => read(fields))
}

/** Text that may be null. */
export function textOrNull(fields: Cursor): string | null {
  const length = fields.int16()
  return length < 0 ? null : fields.take(length).toString()
}

/** Bytes that may be null. */
export function bytesIn(fields: Cursor): Buffer {
  return fields.take(Math.max(0, fields.int32()))
}

export function listOf(entries: readonly Buffer[]): Buffer {
  return Buffer.concat([i32(entries.length), ...entries])
}
