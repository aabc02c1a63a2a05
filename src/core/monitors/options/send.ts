import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import { label } from '../../text.ts'
import { type MonitorType, sends, topicsOf } from '../monitor-types.ts'
import type { Option } from './option.ts'
import { SentText } from './request.ts'
import { opensWebSocket } from './websocket.ts'

/** To a port: what fits a packet, and what no server needs more of before it answers. */
export const MAX_SEND_BYTES = 16_384
const HEX = /^hex:/i
const HEX_DIGITS = /^hex:\s*(?:[0-9a-f]{2}\s*)+$/i

/** In code points. */
const MAX_TOPIC_LENGTH = 249

const Topic = label(MAX_TOPIC_LENGTH)

const hasTopics = (type: MonitorType) => topicsOf(type) !== null

/** Options of what a check sends besides a request, and of the message that it waits for. */
export const SEND = {
  send: {
    schema: SentText,
    description:
      'Sent once the connection is open. Over a WebSocket: one message of text, at most 65,536 bytes. To a port: at most 16,384 bytes, text as it is or bytes such as `hex: 50 49 4e 47`, and something must come back. `udp` needs it, and assertions.',
    group: 'request',
    label: phrase('Send'),
    hint: phrase(
      'It is sent once the connection is open. To a port also as bytes, such as hex: 50 49 4e 47 0d 0a; an answer must come then.',
    ),
    has: sends,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
    faults: (type, value) => {
      if (opensWebSocket(type) || typeof value !== 'string') return []
      if (HEX.test(value) && !HEX_DIGITS.test(value))
        return [{ at: [], message: said('must have pairs of hexadecimal digits behind hex:') }]
      const got = bytesToSend(value).length
      const message = said('must be at most {max} bytes, got {got}', { max: MAX_SEND_BYTES, got })
      return got > MAX_SEND_BYTES ? [{ at: [], message }] : []
    },
  },
  topic: {
    schema: Topic,
    description:
      'Topic on which a message must arrive within the time-out of the check, at most 249 characters. It may stand for several, as the protocol writes that, unless `publish` is set.',
    group: 'request',
    label: phrase('Topic'),
    hint: phrase('A message must arrive on it within the time-out. Without one the check only signs in.'),
    has: hasTopics,
    default: null,
    faults: (type, value) =>
      typeof value !== 'string' || topicsOf(type)?.written.test(value) !== false
        ? []
        : [{ at: [], message: said('is no topic as the type {type} has them', { type }) }],
  },
  publish: {
    schema: SentText,
    description:
      'Message that the check publishes to `topic`, at most 65,536 bytes. It must come back, and is the one that assertions judge.',
    group: 'request',
    label: phrase('Publish'),
    hint: phrase('A message that is published to the topic. It must come back.'),
    has: hasTopics,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
    clashes: (_value, { type }, { topic }) => {
      if (typeof topic !== 'string')
        return [{ at: [], message: said('needs `topic`: the message must come back on it') }]
      const isForSeveral = topicsOf(type)?.several?.test(topic) === true
      return isForSeveral ? [{ at: [], message: said('needs one topic: `topic` stands for several') }] : []
    },
  },
} as const satisfies Record<string, Option>

/** The bytes that a port is sent for a value of `send`. */
export function bytesToSend(send: string): Uint8Array<ArrayBuffer> {
  if (!HEX.test(send)) return new TextEncoder().encode(send)
  const pairs = send.replace(HEX, '').match(/[0-9a-f]{2}/gi) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}
