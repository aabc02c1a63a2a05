import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { resetSocket } from '../reset-socket.ts'
import type { Scope } from '../scope.ts'

/**
 * How a proxy treats connections: `pass` them on; `cut`: end them all at once, and every new one;
 * `swallow`: pass on what is asked, and end the connection in the place of an answer.
 */
export type ProxyMode = 'pass' | 'cut' | 'swallow'

/** A way to a server that a test can break. */
export type TcpProxy = {
  url: string
  set(mode: ProxyMode): void
  /** The path of each request whose answer was swallowed. */
  swallowed: string[]
}

export async function startTcpProxy(scope: Scope, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let mode: ProxyMode = 'pass'
  const swallowed: string[] = []
  const server = createServer((client) => {
    if (mode === 'cut') {
      resetSocket(client)
      return
    }
    const upstream = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let path = ''
    client.on('data', (data) => {
      path = /^[A-Z]+ (\S+) HTTP/.exec(data.toString('latin1'))?.[1] ?? path
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (mode === 'pass') client.write(data)
      else {
        swallowed.push(path)
        resetSocket(client)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port: own } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${own}`,
    set(next) {
      mode = next
      if (mode === 'cut') for (const socket of sockets) resetSocket(socket)
    },
    swallowed,
  }
}
