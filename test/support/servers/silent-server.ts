import { once } from 'node:events'
import net from 'node:net'
import type { Scope } from '../scope.ts'

const SSL_REQUEST_BYTES = 8
/** PostgreSQL's protocol has these bytes: a client is let in, and may ask. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
const QUERY = 0x51

export type SilentServer = {
  port: number
  /** Resolves when somebody waits for an answer that does not come. */
  waited: Promise<void>
}

/** In the place of a database: takes every connection, and says nothing, or nothing once it has let somebody in. */
export async function startSilentServer(scope: Scope, letsIn: boolean): Promise<SilentServer> {
  const { promise: waited, resolve } = Promise.withResolvers<void>()
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (said) => {
      if (!letsIn || said[0] === QUERY) return resolve()
      socket.write(said.length === SSL_REQUEST_BYTES ? 'N' : WELCOME)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as net.AddressInfo).port, waited }
}
