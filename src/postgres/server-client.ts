import type { Socket } from 'node:net'
import pg from 'pg'
import type { Host } from './database-url.ts'
import { DescribedOnce, type NamedStatement, type Shapes } from './described-once.ts'
import { type Route, watchWritable } from './server-route.ts'

/** After this long without a reply to a statement, the server is tried on another connection. */
const SILENCE_MS = 10_000

type Connected = (error: Error | null, client?: pg.Client) => void

/**
 * The driver's client for the pools of a database. It connects to the server that accepts writes, and gives
 * up a connection whose server stopped responding. A long statement looks the same, so it first checks the
 * server on another connection.
 */
export function clientsOf(route: Route, silenceMs = SILENCE_MS): typeof pg.Client {
  return class RoutedClient extends pg.Client {
    #isWaiting = false
    #isGathering = false
    readonly #shapes: Shapes = new Map()
    #ended = false

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A server may end a connection in the packet in which it begins. Without a listener, the error would end the
      // process; the statement under way, or the next one, fails by it as well.
      this.on('error', () => {})
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<pg.Client> | undefined {
      const connecting = this.#connectToWriter()
      if (!callback) return connecting
      connecting.then((client) => callback(null, client), callback)
      return undefined
    }

    override query: pg.Client['query'] = (...args: unknown[]) => {
      this.#isWaiting = true
      this.#gatherWrites()
      const [statement, values, done] = args as [NamedStatement, unknown, unknown]
      const isPlain =
        typeof statement?.name === 'string' && !('rowMode' in statement) && !Array.isArray(values)
      if (!isPlain) return Reflect.apply(pg.Client.prototype.query, this, args)
      const callback = done ?? values
      if (typeof callback === 'function') {
        return super.query(new DescribedOnce(this.#shapes, statement, callback))
      }
      return new Promise((resolve, reject) => {
        const settle = (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result))
        super.query(new DescribedOnce(this.#shapes, statement, settle))
      }).catch((error) => {
        // As the driver does: the stack leads to who asked, not to the socket.
        Error.captureStackTrace(error)
        throw error
      })
    }

    override end(): Promise<void>
    override end(callback: (error: Error) => void): void
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      this.#ended = true
      return Reflect.apply(pg.Client.prototype.end, this, callback ? [callback] : [])
    }

    /** Statements that are started in the same turn share a write, which costs more than making most of them. */
    #gatherWrites() {
      const { stream } = this.connection
      if (this.#isGathering || !stream.writable) return
      this.#isGathering = true
      stream.cork()
      process.nextTick(() => {
        this.#isGathering = false
        stream.uncork()
      })
    }

    async #connectToWriter(): Promise<pg.Client> {
      const found = await route.find()
      if (this.#ended) throw new Error('ended before it was connected')
      this.host = found.host
      this.port = found.port
      const assertWritable = watchWritable(this)
      try {
        await super.connect()
        assertWritable()
      } catch (error) {
        route.lost(found)
        void this.end().catch(() => {})
        throw error
      }
      this.on('drain', () => {
        this.#isWaiting = false
      })
      this.#watchSilence(this.connection.stream as Socket, found)
      return this
    }

    #watchSilence(socket: Socket, server: Host) {
      socket.setTimeout(silenceMs).on('timeout', async () => {
        if (!this.#isWaiting) return
        if (await route.answers(server)) return void socket.setTimeout(silenceMs)
        route.lost(server)
        socket.destroy(new Error('the database has stopped answering'))
      })
    }
  }
}
