import pg from 'pg'

/** The description of rows as the driver reads it, kept by the name of the statement. */
type Shape = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** The shapes of the statements that one connection prepared. The server refuses to run one whose shape has changed. */
export type Shapes = Map<string, Shape>

export type NamedStatement = { name: string; text: string; values?: unknown[] }

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
export class DescribedOnce extends Query {
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
