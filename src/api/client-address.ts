import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { clientBehind, type NamedClient, type TrustedProxies } from '../core/client-address.ts'

/** The client's address of a request, by which rate limits count. */
export type ClientAddress = (context: Context) => string

/** The only reader of what proxies say about a client. */
export function createClientReader(trusted: TrustedProxies): (incoming: IncomingMessage) => NamedClient {
  const clientOf = clientBehind(trusted)
  return ({ socket, headers }) =>
    // Several lines of this header are joined already.
    clientOf(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined)
}
