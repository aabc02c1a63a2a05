import { phrase } from '../../language/phrase.ts'
import { issueOf, said } from '../../language/said.ts'
import { text } from '../../text.ts'
import { type MonitorType, schemesOf } from '../monitor-types.ts'
import type { Option } from './option.ts'

const MAX_SUBPROTOCOLS_LENGTH = 500
/** Names as HTTP has them (RFC 6455, section 4.1), separated by commas. */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/** Whether a WebSocket is what a check of this type is about: others may speak over one. */
export function opensWebSocket(type: MonitorType): boolean {
  return schemesOf(type)?.every((scheme) => scheme === 'ws' || scheme === 'wss') === true
}

const Subprotocol = text(MAX_SUBPROTOCOLS_LENGTH).superRefine((value, context) => {
  if (!NAMES.test(value))
    context.addIssue(issueOf(said('must be the name of a subprotocol, or several separated by commas')))
  else if (new Set(subprotocolsIn(value)).size < subprotocolsIn(value).length)
    context.addIssue(issueOf(said('must not name a subprotocol twice')))
})

export function subprotocolsIn(value: string): string[] {
  return value.split(',').map((name) => name.trim())
}

/** The option of what is agreed on when a WebSocket opens. */
export const WEBSOCKET = {
  subprotocol: {
    schema: Subprotocol,
    description: 'Subprotocol that the server must take; of several, separated by commas, it must take one.',
    group: 'request',
    label: phrase('Subprotocol'),
    hint: phrase('The server must take it. Several are separated by commas: it must take one of them.'),
    has: opensWebSocket,
    default: null,
  },
} as const satisfies Record<string, Option>
