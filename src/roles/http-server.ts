import http, { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { Config } from '../config.ts'
import { clientBehind, type NamedClient, type TrustedProxies } from '../core/client-address.ts'
import { LIVENESS_PATH } from '../pages/health.ts'
import { openPort } from '../port.ts'

const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 32 * 1_024
/** A job waits for longer, and a busy machine takes long. */
const ANSWER_TIMEOUT_MS = 5_000
/** Stands in for the Host of clients that send none, as HTTP/1.0 allows: HAProxy's checks and small devices do so. */
const HOST_OF_NO_NAME = 'localhost'
/** Requests under way get this long when the service stops. */
const DRAIN_MS = 3_000

/** Answers a request before the app sees it; false leaves it to the app. */
export type TakeRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** Opens the port that every role listens on, for requests or for health and metrics alone. */
export async function listen(
  app: Hono,
  address: Pick<Config, 'port' | 'host'>,
  takes: TakeRequest = () => false,
): Promise<Server> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    hostname: HOST_OF_NO_NAME,
    createServer: ((options: object, answer: TakeRequest) =>
      createServer(options, (incoming, outgoing) => {
        if (!takes(incoming, outgoing)) answer(incoming, outgoing)
      })) as typeof createServer,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
  }) as Server
  await openPort(server, address)
  return server
}

export async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(impatient)
}

/**
 * Whether a request to our own port is answered as those of jobs are. A connection alone says nothing: the system takes
 * it for us, also while we have no file descriptor left to accept it.
 */
export function isAnswered(host: string, port: number, limitMs = ANSWER_TIMEOUT_MS): Promise<boolean> {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return new Promise((resolve) => {
    const request = http.request({
      host: address,
      port,
      method: 'HEAD',
      path: LIVENESS_PATH,
      agent: false,
      signal: AbortSignal.timeout(limitMs),
    })
    request.once('response', (response) => {
      response.resume()
      resolve(true)
    })
    request.on('error', () => resolve(false))
    request.once('close', () => resolve(false))
    request.end()
  })
}

/** The address at the other end of the connection. */
export function peerOf(context: Context): string {
  const { incoming } = context.env as HttpBindings
  return incoming.socket.remoteAddress ?? ''
}

/** The only reader of what proxies say about a client. */
export function createClientReader(trusted: TrustedProxies): (incoming: IncomingMessage) => NamedClient {
  const clientOf = clientBehind(trusted)
  return ({ socket, headers }) =>
    // Several lines of this header are joined already.
    clientOf(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined)
}
