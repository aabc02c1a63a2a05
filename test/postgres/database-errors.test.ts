import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/postgres/database.ts'
import { openTestDatabase } from '../support/postgres/database.ts'

test('every error that the database answers is reported, from every pool, and nothing else is', async (t) => {
  const { db: other, close } = await openTestDatabase()
  t.after(close)
  const heard: string[] = []
  const db = openDatabase(
    { ...other.connection },
    () => {},
    (sqlState) => heard.push(sqlState),
  )
  t.after(() => db.close())
  await db.pool.query('SELECT 1')
  await assert.rejects(db.pool.query('SELECT 1 / 0'))
  await assert.rejects(db.pipelined.query('SELECT * FROM nothing'))
  await assert.rejects(sql`SELECT 'x'::int`.execute(db.query))
  await db.pipelined.query('SELECT 1')
  assert.deepEqual(heard, ['22012', '42P01', '22P02'])
})
