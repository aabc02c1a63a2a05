import type { IncomingMessage } from 'node:http'
import type { AnswerTraits } from '../../core/monitors/check.ts'
import { maskedAddress } from '../../core/teams/access.ts'

/** In UTF-16 units. */
const MAX_SERVER_LENGTH = 100
const MAX_ADDRESS_LENGTH = 300
const SIZE = /^\d{1,15}$/

/** How an answer looks beside its status. `url` is where it came from, which redirects have led to or not. */
export function traitsOf(
  { headers, headersDistinct }: IncomingMessage,
  url: URL,
  isLed: boolean,
): AnswerTraits {
  const { 'content-length': length = '' } = headers
  const server = headersDistinct.server?.[0]
  return {
    server: server ? Buffer.from(server, 'latin1').toString('utf8').slice(0, MAX_SERVER_LENGTH) : null,
    bytes: SIZE.test(length) ? Number(length) : null,
    redirect: isLed ? maskedAddress(url.href).slice(0, MAX_ADDRESS_LENGTH) : null,
  }
}
