import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { anyOf } from '../../src/postgres/built-statements.ts'
import type { Query } from '../../src/postgres/database.ts'
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

test('statements of a transaction that are started together run in their order, and all or none of them count', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  await db.pool.query('CREATE TABLE numbers (n int PRIMARY KEY)')
  const add = (query: Query, n: number) => sql`INSERT INTO numbers VALUES (${n}::int)`.execute(query)
  const read = async (query: Query) =>
    (await sql<{ n: number }>`SELECT n FROM numbers ORDER BY n`.execute(query)).rows.map(({ n }) => n)

  const seen = await db.transaction(async (query) => {
    const [, , numbers] = await Promise.all([add(query, 1), add(query, 2), read(query)])
    return numbers
  })
  assert.deepEqual(seen, [1, 2], 'the last one saw what those before it wrote')
  const twice = db.transaction((query) => Promise.all([add(query, 3), add(query, 1), add(query, 4)]))
  await assert.rejects(twice, { code: '23505' })
  assert.deepEqual(await read(db.query), [1, 2])
  await db.transaction((query) => add(query, 5))
  assert.deepEqual(await read(db.query), [1, 2, 5])
})

async function preparedIn(query: Kysely<Tables>): Promise<Prepared[]> {
  const { rows } = await sql<Prepared>`
    SELECT statement, (generic_plans + custom_plans)::int AS times FROM pg_prepared_statements
    ORDER BY name`.execute(query)
  return rows
}
