import type { Socket } from 'node:net'
import pg from 'pg'
import type { Host } from './database-url.ts'
import { type Route, watchWritable } from './server-route.ts'

/** After this long without a reply to a statement, the server is tried on another connection. */
const SILENCE_MS = 10_000
/** `2026-11-21 09:30:00.123456+00` */
const MAX_PLAIN_LENGTH = 29
const ZERO = '0'.charCodeAt(0)

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

/** The description of rows as the driver reads it, kept by the name of the statement. */
type Shape = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** The shapes of the statements that one connection prepared. The server refuses to run one whose shape has changed. */
type Shapes = Map<string, Shape>

type NamedStatement = { name: string; text: string; values?: unknown[] }

/** The parts of the driver's query that are not in its types. */
type DriverQuery = pg.Submittable & {
  name: string
  callback: unknown
  _result: Shape
  _accumulateRows: unknown
  prepare(connection: DriverConnection): void
  handleRowDescription(message: unknown): void
  hasBeenParsed(connection: DriverConnection): boolean
}
type DriverConnection = { describe(of: object): void }

const Query = pg.Query as unknown as new (text: string, values: unknown, done: unknown) => DriverQuery

/**
 * A named statement that asks for the description of its rows only until it is known: for small statements, to describe
 * dozens of columns and to read that takes longer than the rows.
 */
class DescribedOnce extends Query {
  readonly #shapes: Shapes

  /** In parts, as the driver would copy a statement that it gets as a whole. */
  constructor(shapes: Shapes, { name, text, values }: NamedStatement, done: unknown) {
    super(text, values, done)
    this.name = name
    this.#shapes = shapes
  }

  override prepare(connection: DriverConnection): void {
    const shape = this.#shapes.get(this.name)
    const isKnown = shape !== undefined && this.hasBeenParsed(connection)
    if (isKnown) {
      Object.assign(this._result, shape)
      this._accumulateRows = this.callback
    }
    super.prepare(isKnown ? withoutDescribing(connection) : connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

const quiet = new WeakMap<DriverConnection, DriverConnection>()

/** The same connection, over which the driver's own way to send a statement leaves that one message out. */
function withoutDescribing(connection: DriverConnection): DriverConnection {
  const known = quiet.get(connection) ?? Object.assign(Object.create(connection), { describe() {} })
  quiet.set(connection, known)
  return known
}

const parseAnyTimestamp: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** 64-bit integers become numbers: ids and counts stay below 2^53. */
export const columnTypes = new pg.TypeOverrides()
columnTypes.setTypeParser(pg.types.builtins.INT8, Number)
columnTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTimestamp)

/**
 * Reads a `timestamptz` in PostgreSQL's ISO style. A list has hundreds: of a session in UTC the digits are read where they
 * stand. The driver's own parser reads everything else: other zones, infinity, years before 1000 and after 9999.
 */
export function readTimestamp(text: string): Date {
  if (text.length > MAX_PLAIN_LENGTH || text[0] === '0' || text[10] !== ' ' || !text.endsWith('+00'))
    return parseAnyTimestamp(text)
  const ms = Date.UTC(
    100 * twoDigits(text, 0) + twoDigits(text, 2),
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
    millisecondsOf(text),
  )
  return Number.isNaN(ms) ? parseAnyTimestamp(text) : new Date(ms)
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - ZERO
}

function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1)
}

/** The first three digits behind the dot, of as many as there are. */
function millisecondsOf(text: string): number {
  let ms = 0
  for (let at = 20, unit = 100; unit >= 1 && at < text.length - 3; at++, unit /= 10)
    ms += unit * digit(text, at)
  return ms
}
