import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

/** Each connection keeps every statement that it has prepared; those that come later are planned each time. */
const MAX_PREPARED = 200
/** What grows with its input (a list of ids, rows to insert) is another text each time, and hardly comes again. */
const MAX_PARAMETERS = 50

/**
 * The pool as the query builder uses it: what it builds is named by its text, so that a connection parses and plans
 * it once. For small statements that takes longer than running them.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED) return known
    const name = `built-${names.size + 1}`
    names.set(text, name)
    return name
  }

  /** Without parameters it is a command such as BEGIN, or changes the schema. */
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

/** For `=`, any of these: one text however many they are. */
export function anyOf(ids: number[]): RawBuilder<number> {
  return sql`ANY(${ids}::int[])`
}
