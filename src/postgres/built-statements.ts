import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

/** Each connection keeps all statements that it prepared; further ones are planned on every run. */
const MAX_PREPARED = 200
/** A statement whose text depends on the size of its input (a list of ids, rows to insert) rarely repeats. */
const MAX_PARAMETERS = 50

/**
 * The pool for the query builder. Statements are named by their text, so that each connection parses and
 * plans them once; for small statements, that takes longer than running them.
 */
export function withPreparedStatements(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED) return known
    const name = `built-${names.size + 1}`
    names.set(text, name)
    return name
  }

  /** A statement without parameters is a command such as BEGIN, or changes the schema. */
  function statement(text: string, parameters: readonly unknown[]): pg.QueryConfig {
    const values = [...parameters]
    const name = values.length > 0 && values.length <= MAX_PARAMETERS ? nameOf(text) : undefined
    return name === undefined ? { text, values } : { name, text, values }
  }

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

/** Compares with any of the ids after `=`; the statement's text does not depend on their number. */
export function anyOf(ids: number[]): RawBuilder<number> {
  return sql`ANY(${ids}::int[])`
}
