import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import tls from 'node:tls'
import { codeOf } from '../../../src/net/own-trouble.ts'
import type { ServerCertificate } from './certificates.ts'

const MAX_TRIES = 5

type Scope = { after: (close: () => Promise<void>) => void }

/** A server that is checked, on the loopback; gone when the test is over. */
export type Target = {
  port: number
  /** Connections accepted so far. */
  accepted: () => number
  /** Resolves once no connection is open any more. */
  allClosed: () => Promise<void>
}

/** Speaks no protocol: `onConnection` does what it likes with the raw socket. */
export function startTcp(
  scope: Scope,
  onConnection: (socket: net.Socket) => void = () => {},
  host = '127.0.0.1',
  port = 0,
): Promise<Target> {
  return start(scope, net.createServer({ pauseOnConnect: false }, onConnection), host, port)
}

/** Says `answer` byte for byte after the first bytes of a request, then hangs up. */
export function startSaying(scope: Scope, answer: string | Buffer): Promise<Target> {
  return startTcp(scope, (socket) => socket.once('data', () => socket.end(answer)))
}

export function startHttp(
  scope: Scope,
  onRequest: http.RequestListener,
  host = '127.0.0.1',
  port = 0,
): Promise<Target> {
  return start(scope, http.createServer(onRequest), host, port)
}

export function startHttps(
  scope: Scope,
  certificate: ServerCertificate,
  onRequest: http.RequestListener = (_, response) => response.end('OK'),
): Promise<Target> {
  return start(scope, https.createServer(certificate, onRequest), '127.0.0.1')
}

export function startTls(
  scope: Scope,
  options: tls.TlsOptions,
  onSecured: (socket: tls.TLSSocket) => void = () => {},
): Promise<Target> {
  const server = tls.createServer(options, onSecured)
  server.on('tlsClientError', () => {})
  return start(scope, server, '127.0.0.1')
}

/**
 * A port of the loopback that nobody listens on. Connections of ours begin there until the test is over, so that it is
 * given to nobody else.
 */
export async function closedPort(scope: Scope): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { port } = await leaveFrom(scope, '127.0.0.1', 0)
    try {
      return (await leaveFrom(scope, '::1', port)).port
    } catch (error) {
      // A machine without IPv6 has nobody there, either.
      if (codeOf(error) === 'EADDRNOTAVAIL') return port
      if (tries === MAX_TRIES) throw error
    }
  }
}

/** Opens a connection from this port, or from any. */
async function leaveFrom(scope: Scope, host: string, localPort: number): Promise<{ port: number }> {
  const { port } = await startTcp(scope, () => {}, host)
  const socket = net.connect({ host, port, localAddress: host, localPort })
  scope.after(async () => void socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => {})
  return { port: socket.localPort as number }
}

async function start(scope: Scope, server: net.Server, host: string, port = 0): Promise<Target> {
  const open = new Set<net.Socket>()
  let accepted = 0
  server.on('connection', (socket: net.Socket) => {
    accepted++
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    allClosed: async () => {
      const closing = Array.from(open, (socket) => {
        socket.resume()
        return new Promise((resolve) => socket.once('close', resolve))
      })
      await Promise.all(closing)
    },
  }
}
