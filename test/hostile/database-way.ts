import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Host } from '../../src/postgres/database-url.ts'
import { resetSocket } from '../support/reset-socket.ts'
import type { Scope } from '../support/scope.ts'
import { listen } from '../support/servers/receivers.ts'

const CUT_POLL_MS = 50

/** The network between a process and its database: slow, broken or swallowing everything. */
export type DatabaseWay = {
  /** One for each place that it leads to. */
  ports: number[]
  /** Added to each way, in milliseconds. */
  delayMs: number
  /** Nothing passes, and nobody is told. */
  isCut: boolean
  /** Ends every connection there is as a machine does that knows nothing of it. */
  reset(): void
}

/** Listens wherever the machine can be reached, and leads to places on the loopback. */
export async function startDatabaseWay(scope: Scope, places: Host[]): Promise<DatabaseWay> {
  const open = new Set<net.Socket>()
  const way: DatabaseWay = {
    ports: [],
    delayMs: 0,
    isCut: false,
    reset: () => {
      for (const socket of open) resetSocket(socket)
    },
  }

  function join(near: net.Socket, { host, port }: Host) {
    const far = net.connect(port, host)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      carry(from, to, way)
      from.on('error', () => {})
      from.once('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  }

  for (const place of places) {
    const server = net.createServer({ noDelay: true }, (near) => join(near, place))
    way.ports.push(await listen(server, '0.0.0.0'))
    scope.after(async () => {
      way.reset()
      await new Promise((resolve) => server.close(resolve))
    })
  }
  return way
}

/** Each piece after its delay, in order; what meets a cut waits for its end. */
function carry(from: net.Socket, to: net.Socket, way: DatabaseWay): void {
  let before = Promise.resolve()
  const pass = (piece: () => void) => {
    const dueMs = Date.now() + way.delayMs
    before = before.then(async () => {
      while (way.isCut && !to.destroyed) await delay(CUT_POLL_MS)
      await delay(Math.max(0, dueMs - Date.now()))
      if (to.writable) piece()
    })
  }
  from.on('data', (data) => pass(() => void to.write(data)))
  from.once('end', () => pass(() => void to.end()))
}
