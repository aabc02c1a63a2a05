import { phrase } from '../../language/phrase.ts'
import type { MonitorType } from '../monitor-types.ts'
import type { Option } from './option.ts'
import { SentText } from './request.ts'
import { opensWebSocket } from './websocket.ts'

/** Whether a check of this type may send a text once it is connected. */
function sends(type: MonitorType): boolean {
  return opensWebSocket(type)
}

/** The option of what a check sends besides a request. */
export const SEND = {
  send: {
    schema: SentText,
    description:
      'Text that is sent once the connection is open, at most 65,536 bytes; over a WebSocket as one message.',
    group: 'request',
    label: phrase('Message to send'),
    hint: phrase('It is sent once the connection is open. At most 64 KiB.'),
    has: sends,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
  },
} as const satisfies Record<string, Option>
