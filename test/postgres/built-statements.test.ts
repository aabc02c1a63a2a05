import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { anyOf } from '../../src/postgres/built-statements.ts'
import type { Tables } from '../../src/postgres/tables.ts'
import { openTestDatabase } from '../support/postgres/database.ts'

type Prepared = { statement: string; times: number }

test('a connection prepares what the query builder builds once', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.query.connection().execute(async (query) => {
    for (const ids of [[1], [2, 3], []]) {
      await query.selectFrom('teams').select('name').where('id', '=', anyOf(ids)).execute()
    }
    const prepared = await preparedIn(query)
    assert.deepEqual(
      prepared.map(({ statement, times }) => [statement, times]),
      [['select "name" from "teams" where "id" = ANY($1::int[])', 3]],
    )
  })
})

test('a name means the same statement in a transaction and in each connection', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const double = (query: Kysely<Tables>, n: number) =>
    sql<{ twice: number }>`SELECT 2 * ${n}::int AS twice`.execute(query).then(({ rows }) => rows[0]?.twice)
  const square = (query: Kysely<Tables>, n: number) =>
    sql<{ squared: number }>`SELECT ${n}::int ^ 2 AS squared`
      .execute(query)
      .then(({ rows }) => rows[0]?.squared)
  await db.query.transaction().execute(async (inside) => {
    assert.deepEqual([await double(inside, 3), await square(inside, 3)], [6, 9])
    assert.deepEqual([await square(db.query, 4), await double(db.query, 4)], [16, 8])
  })
})

test('statements beyond the bound, and those with long lists, are answered without being prepared', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.query.connection().execute(async (query) => {
    const many = Array.from({ length: 60 }, (_, n) => n + 1)
    await query.selectFrom('teams').select('id').where('id', 'in', many).execute()
    assert.deepEqual(await preparedIn(query), [])
    for (let n = 0; n < 250; n++) {
      const { rows } = await sql<{ sum: number }>`SELECT ${n}::int + ${sql.lit(n)} AS sum`.execute(query)
      assert.equal(rows[0]?.sum, 2 * n)
    }
    assert.equal((await preparedIn(query)).length, 200)
  })
})

async function preparedIn(query: Kysely<Tables>): Promise<Prepared[]> {
  const { rows } = await sql<Prepared>`
    SELECT statement, (generic_plans + custom_plans)::int AS times FROM pg_prepared_statements
    ORDER BY name`.execute(query)
  return rows
}
