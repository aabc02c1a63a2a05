import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { Tables } from './tables.ts'

/** Each connection keeps all statements that it prepared; further ones are planned on every run. */
const MAX_PREPARED = 200
/** A statement whose text depends on the size of its input (a list of ids, rows to insert) rarely repeats. */
const MAX_PARAMETERS = 50

/** Turns a built statement into one for the driver. */
export type NameStatement = (text: string, parameters: readonly unknown[]) => pg.QueryConfig

/**
 * Names statements of the query builder by their text, so that each connection parses and plans them once; for small
 * statements, that takes longer than running them.
 */
export function nameStatements(): NameStatement {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED) return known
    const name = `built-${names.size + 1}`
    names.set(text, name)
    return name
  }

  // A statement without parameters is a command such as BEGIN, or changes the schema.
  return (text, parameters) => {
    const values = [...parameters]
    const name = values.length > 0 && values.length <= MAX_PARAMETERS ? nameOf(text) : undefined
    return name === undefined ? { text, values } : { name, text, values }
  }
}

/** The pool for the query builder. */
export function withPreparedStatements(pool: pg.Pool, statement: NameStatement): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const query = (text: string, parameters: readonly unknown[]) =>
        client.query(statement(text, parameters))
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
      }
    },
    end: () => pool.end(),
  }
}

/**
 * The query builder over one connection, which somebody else takes and releases, or over what runs single statements.
 * Statements that are started together are sent together; the builder's own transactions send one after the other.
 */
export function builderOn(
  client: { query: (statement: pg.QueryConfig) => Promise<pg.QueryResult> },
  statement: NameStatement,
): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, rowCount } = await client.query(statement(text, parameters))
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) } as QueryResult<Row>
    },
    streamQuery: refuse,
  }
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      destroy: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
    }),
  }
  return new Kysely<Tables>({ dialect })
}

function refuse(): never {
  throw new Error('this query builder is within a transaction already')
}

/** Compares with any of the ids after `=`; the statement's text does not depend on their number. */
export function anyOf(ids: number[]): RawBuilder<number> {
  return sql`ANY(${ids}::int[])`
}
