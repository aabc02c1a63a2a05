// npm test leaves this out: it makes a database of an older schema with days of checks (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, inTransaction } from '../../../../src/postgres/database.ts'
import { newestChecks } from '../../../../src/store/history/history.ts'
import { createPartition, dropFormerIndex } from '../../../../src/store/history/partitions.ts'
import { openTestDatabase } from '../../../support/postgres/database.ts'
import { openOlderDatabase } from '../../../support/postgres/older-database.ts'

const TODAY = new Date('2027-03-28T00:00:00Z')
const TOMORROW = new Date('2027-03-29T00:00:00Z')
const LATER = new Date('2027-03-30T00:00:00Z')
const [BY_MONITOR, BY_QUARTER] = ['(monitor_id, date_bin', '(date_bin']

test('a day of checks keeps its index; days to come get the new one, and lose the former when that day is gone', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '048')
  await db.pool.query(`${createPartition('checks', TODAY)}; ${createPartition('checks', TOMORROW)}`)
  await insert(db, '2027-03-28T10:00:00Z')
  await bringForward()
  await db.pool.query(createPartition('checks', LATER))
  await insert(db, '2027-03-29T10:00:00Z')
  await dropFormerIndex(db.query)
  assert.deepEqual(await indexes(db), {
    checks_20270328: [BY_MONITOR],
    checks_20270329: [BY_QUARTER, BY_MONITOR],
    checks_20270330: [BY_QUARTER, BY_MONITOR],
  })
  const times = async () =>
    (await newestChecks(db.query, 1, null, 9)).map(({ checkedAt }) => checkedAt.toISOString())
  assert.deepEqual(await times(), ['2027-03-29T10:00:00.000Z', '2027-03-28T10:00:00.000Z'])

  await db.pool.query('DROP TABLE checks_20270328')
  await inTransaction(db.pool, async (reader) => {
    await reader.query('SELECT FROM checks')
    await dropFormerIndex(db.query)
    assert.equal((await indexes(db)).checks_20270330?.length, 2, 'not while it is read')
  })
  await dropFormerIndex(db.query)
  await dropFormerIndex(db.query)
  await db.pool.query(createPartition('checks', TODAY))
  const days = ['checks_20270328', 'checks_20270329', 'checks_20270330']
  assert.deepEqual(await indexes(db), Object.fromEntries(days.map((day) => [day, [BY_QUARTER]])))
  assert.deepEqual(await times(), ['2027-03-29T10:00:00.000Z'])
})

test('a new database has the new index alone, and reads by it', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  for (const kinds of Object.values(await indexes(db))) assert.deepEqual(kinds, [BY_QUARTER])
})

async function insert(db: Database, at: string): Promise<void> {
  await db.pool.query(`INSERT INTO checks (checked_at, monitor_id, status) VALUES ('${at}', 1, 'up')`)
}

/** The beginnings of the keys of the indexes of each day of checks. */
async function indexes(db: Database): Promise<Record<string, string[]>> {
  const { rows } = await db.pool.query<{ day: string; keys: string }>(
    `SELECT i.inhrelid::regclass::text AS day, pg_get_indexdef(x.indexrelid) AS keys
     FROM pg_inherits i JOIN pg_index x ON x.indrelid = i.inhrelid AND x.indisvalid
     WHERE i.inhparent = 'checks'::regclass`,
  )
  const days = Map.groupBy(rows, ({ day }) => day)
  const kindOf = (keys: string) =>
    [BY_MONITOR, BY_QUARTER].find((kind) => keys.includes(`btree ${kind}`)) ?? keys
  return Object.fromEntries(
    [...days].sort().map(([day, of]) => [day, of.map(({ keys }) => kindOf(keys)).sort()]),
  )
}
