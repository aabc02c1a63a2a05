import { type Said, said } from '../../core/language/said.ts'
import { opensWebSocket } from '../../core/monitors/options/websocket.ts'
import { isOn, textOf, textsOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'

/** The code of a connection that was closed as it should be (RFC 6455, section 7.4.1): the only one by default there. */
const NORMAL = '1000'

export const WEBSOCKET_BLOCKERS: Rule[] = [
  [
    said('takes any Sec-WebSocket-Accept: checks here want the one that answers their key'),
    (monitor, type) =>
      opensWebSocket(type) &&
      isOn(monitor.ws_ignore_sec_websocket_accept_header ?? monitor.wsIgnoreSecWebsocketAcceptHeader),
  ],
]

const OTHER_CODES: Said = said(
  'was up when its server closed with certain codes: here it is once the connection is open',
)

export const WEBSOCKET_DIFFERENCES: Rule[] = [
  [
    OTHER_CODES,
    (monitor, type) => {
      const codes = textsOf(monitor.accepted_statuscodes ?? monitor.accepted_statuscodes_json)
      return opensWebSocket(type) && codes.some((code) => code !== NORMAL)
    },
  ],
]

/** The subprotocols that it asks for, separated by commas. */
export function subprotocolThere(monitor: Record<string, unknown>): string {
  return textOf(monitor.ws_subprotocol ?? monitor.wsSubprotocol).trim()
}
