import { createHash, randomBytes } from 'node:crypto'
import { subprotocolsIn } from '../../core/monitors/options/websocket.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import {
  WEBSOCKET_NOT_OPENED,
  WEBSOCKET_WRONG_ACCEPT,
  webSocketExtension,
  webSocketSubprotocol,
} from '../../core/monitors/types/protocol-causes.ts'
import type { HttpAnswer } from '../exchange.ts'
import { type FirstRequest, headersOf } from '../hop.ts'

const SWITCHING_PROTOCOLS = 101
const KEY_BYTES = 16
/** RFC 6455, section 1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const SUBPROTOCOL = 'Sec-WebSocket-Protocol'
/** Headers that the handshake sets; extensions are not spoken here. */
const OWN = /^(upgrade|sec-websocket-(key|version|extensions|accept|protocol))$/i

/** The request that opens a WebSocket (RFC 6455, section 4.1), and what its answer has to repeat. */
export type Handshake = { request: FirstRequest; key: string; subprotocols: readonly string[] }

/** The handshake of a monitor of a WebSocket, with its headers. */
export function beginHandshake(settings: ProbeSettings<'websocket'>): Handshake {
  const headers = Object.entries(headersOf(settings))
  const named = headers.find(([name]) => name.toLowerCase() === SUBPROTOCOL.toLowerCase())?.[1]
  const wanted = settings.options?.subprotocol ?? named
  const subprotocols = wanted === undefined ? [] : subprotocolsIn(wanted)
  const others = Object.fromEntries(headers.filter(([name]) => !OWN.test(name)))
  return handshakeOf(settings.url, subprotocols, others)
}

/** A redirect is a failure, as in browsers: an address that moved is to be changed in the monitor. */
export function handshakeOf(
  url: string,
  subprotocols: readonly string[],
  headers: Readonly<Record<string, string>>,
): Handshake {
  const key = randomBytes(KEY_BYTES).toString('base64')
  const hop = {
    url: new URL(url.replace(/^ws/i, 'http')),
    method: 'GET' as const,
    headers: {
      ...headers,
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': key,
      ...(subprotocols.length > 0 && { [SUBPROTOCOL]: subprotocols.join(', ') }),
    },
    upgrades: true as const,
  }
  return { request: { hop, expected: [SWITCHING_PROTOCOLS], redirects: 0 }, key, subprotocols }
}

/** Why an answer of the status 101 opens no WebSocket that was asked for; null where it does. */
export function handshakeFault({ key, subprotocols }: Handshake, answer: HttpAnswer): string | null {
  const { upgrade, ...headers } = answer.response.headers
  if (answer.switched === null || upgrade?.toLowerCase() !== 'websocket') return WEBSOCKET_NOT_OPENED
  if (headers['sec-websocket-accept']?.trim() !== acceptOf(key)) return WEBSOCKET_WRONG_ACCEPT
  const { 'sec-websocket-extensions': extensions, 'sec-websocket-protocol': taken = null } = headers
  if (extensions) return webSocketExtension(String(extensions))
  const isAsked = taken === null ? subprotocols.length === 0 : subprotocols.includes(taken)
  return isAsked ? null : webSocketSubprotocol(taken, subprotocols)
}

function acceptOf(key: string): string {
  return createHash('sha1')
    .update(key + GUID)
    .digest('base64')
}
