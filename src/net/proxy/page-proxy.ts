import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { targetHost } from '../../core/monitors/target.ts'
import type { AddressKind } from '../address-policy.ts'
import { type DialResult, dial } from '../dial.ts'
import type { Network } from '../network.ts'

/** Connections of one check at the same time, and in all. */
const MAX_OPEN = 256
const MAX_DIALLED = 2_000
/** The bound of all that one check sends and gets. */
export const MAX_PAGE_BYTES = 50 * 1024 * 1024
const HTTP_PORT = 80
const USER = 'check'
const CHALLENGE = 'Basic realm="check"'
/** Headers about one connection (RFC 9110, section 7.6.1), which are no part of what is handed on. */
const OF_CONNECTIONS = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

type Failed = Extract<DialResult, { kind: 'failed' | 'inconclusive' }>

/** The way out of one browser, for one check: a proxy on the loopback that judges every address. */
export type PageProxy = {
  readonly server: string
  readonly username: string
  readonly password: string
  /** Why places were not reached, by `host:port`. */
  readonly failures: ReadonlyMap<string, Failed>
  /** Whether the check has got more than `MAX_PAGE_BYTES`, and gets no more. */
  readonly isOverBound: boolean
  close(): void
}

/** Rules of the ways: the kind of the address of a place, `host:port`, and word of where a connection has led to. */
export type PageWays = {
  kindOf(place: string): AddressKind
  reached(address: string): void
}

/**
 * Opens a proxy (RFC 9110, section 9.3.6) that only a browser with its password can use. It resolves each name itself and dials
 * judged addresses alone, so that the browser needs no name server and no way of its own.
 */
export async function openPageProxy(
  network: Network,
  ways: PageWays,
  maxBytes = MAX_PAGE_BYTES,
): Promise<PageProxy> {
  const password = randomBytes(24).toString('hex')
  const expected = Buffer.from(`Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`)
  const failures = new Map<string, Failed>()
  const open = new Set<Duplex>()
  const closing = new AbortController()
  let made = 0
  let bytes = 0
  let isOverBound = false

  const hold = (socket: Duplex) => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  }
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes || isOverBound) return
    isOverBound = true
    for (const socket of open) socket.destroy()
  }
  const isAllowed = ({ headers }: IncomingMessage) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  async function reach(host: string, port: number): Promise<Socket | null> {
    if (isOverBound || open.size >= 2 * MAX_OPEN || made++ >= MAX_DIALLED) return null
    const place = `${host}:${port}`
    const dialled = await dial(network, { kind: ways.kindOf(place), host, port }, closing.signal)
    if (dialled.kind !== 'connected') {
      if (!closing.signal.aborted) failures.set(place, dialled)
      return null
    }
    failures.delete(place)
    ways.reached(dialled.address)
    hold(dialled.socket)
    dialled.socket.on('data', count)
    return dialled.socket
  }

  async function handOn(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (!isAllowed(request)) return response.writeHead(407, { 'Proxy-Authenticate': CHALLENGE }).end()
    const url = URL.parse(request.url ?? '')
    const host = url?.protocol === 'http:' ? targetHost(url) : null
    if (!url || host === null) return response.writeHead(400).end()
    const socket = await reach(host, Number(url.port) || HTTP_PORT)
    // An answer of ours would be taken for one of the page.
    if (!socket) return request.socket.destroy()
    const asked = http.request({
      createConnection: () => socket,
      ...{
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: passedOn(request.rawHeaders),
      },
      ...{ setHost: false, insecureHTTPParser: true },
    })
    asked.on('error', () => request.socket.destroy())
    asked.on('response', (answer) => {
      answer.on('error', () => request.socket.destroy())
      try {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders))
        answer.pipe(response)
      } catch {
        request.socket.destroy()
      }
    })
    request.on('data', count)
    request.pipe(asked)
    return response.once('close', () => socket.destroy())
  }

  async function openTunnel(request: IncomingMessage, client: Duplex, first: Buffer): Promise<unknown> {
    hold(client)
    if (!isAllowed(request))
      return client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\nContent-Length: 0\r\n\r\n`,
      )
    const url = URL.parse(`http://${request.url ?? ''}`)
    const host = url && targetHost(url)
    const port = Number(/:(\d{1,5})$/.exec(request.url ?? '')?.[1])
    const socket = url && host !== null && port > 0 ? await reach(host, port) : null
    if (!socket || client.destroyed) {
      socket?.destroy()
      return client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    client.on('data', count)
    socket.write(first)
    socket.pipe(client).pipe(socket)
    client.once('close', () => socket.destroy())
    return socket.once('close', () => client.destroy())
  }

  const server = http.createServer({ insecureHTTPParser: true, requestTimeout: 0 }, (request, response) => {
    response.on('error', () => {})
    void handOn(request, response).catch(() => request.socket.destroy())
  })
  server.maxConnections = MAX_OPEN
  server.on('connect', (request, client: Duplex, first: Buffer) => {
    void openTunnel(request, client, first).catch(() => client.destroy())
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('connection', (socket: Socket) => hold(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ username: USER, password, failures },
    get isOverBound() {
      return isOverBound
    },
    close() {
      closing.abort()
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** Headers as they came, in pairs, without those about one connection. */
function passedOn(raw: readonly string[]): string[] {
  return raw.flatMap((name, index) => {
    const isName = index % 2 === 0
    return isName && !OF_CONNECTIONS.test(name) ? [name, raw[index + 1] ?? ''] : []
  })
}
