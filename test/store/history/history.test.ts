import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import {
  createPartition,
  dayOfPartition,
  dropPartitionsBefore,
  ensurePartitions,
} from '../../../src/store/history/partitions.ts'
import { openWithoutDays } from '../../support/history/upkeep.ts'
import { addChecks } from '../../support/records/history.ts'

const NEW_YEARS_EVE = new Date('2027-12-31T23:59:59.999Z')

test('partitions reach from yesterday to three days ahead, over the end of a year', async (t) => {
  const db = await openWithoutDays(t)
  await ensurePartitions(db.query, NEW_YEARS_EVE)
  const days = ['20271230', '20271231', '20280101', '20280102', '20280103']
  assert.deepEqual(await partitions(db), [
    ...days.map((day) => `checks_${day}`),
    ...days.map((day) => `pings_${day}`),
  ])
  await ensurePartitions(db.query, NEW_YEARS_EVE)
  assert.equal((await partitions(db)).length, 10, 'a second time changes nothing')
})

test('every instant of a day has its place, whatever the time zone of the session', async (t) => {
  const db = await openWithoutDays(t)
  await inTransaction(db.pool, async (client) => {
    await client.query(`SET LOCAL timezone = 'Pacific/Kiritimati'`)
    for (const day of ['2028-02-28', '2028-02-29', '2028-03-01']) {
      await client.query(createPartition('checks', new Date(day)))
    }
  })
  const edges = [
    '2028-02-28T00:00:00Z',
    '2028-02-29T00:00:00Z',
    '2028-02-29T23:59:59.999999Z',
    '2028-03-01T00:00:00Z',
  ]
  await insertChecks(db, edges)
  const { rows } = await db.pool.query(
    'SELECT tableoid::regclass::text AS name FROM checks ORDER BY checked_at',
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['checks_20280228', 'checks_20280229', 'checks_20280229', 'checks_20280301'],
  )
})

test('the name of a partition tells its day', () => {
  assert.equal(dayOfPartition('checks_20280229'), '2028-02-29')
  assert.equal(dayOfPartition('checks_default'), null)
})

test('days that ended before the cutoff are dropped, the others stay with their checks', async (t) => {
  const db = await openWithoutDays(t)
  await ensurePartitions(db.query, NEW_YEARS_EVE)
  await insertChecks(db, ['2027-12-30T12:00:00Z', '2027-12-31T00:00:00Z', '2028-01-01T12:00:00Z'])
  const dropped = await dropPartitionsBefore(db.query, new Date('2027-12-31T08:00:00Z'))
  assert.deepEqual(dropped, ['checks_20271230', 'pings_20271230'])
  assert.deepEqual(
    (await newestChecks(db.query, 1, null, 10)).map(({ checkedAt }) => checkedAt.toISOString()),
    ['2028-01-01T12:00:00.000Z', '2027-12-31T00:00:00.000Z'],
  )
  assert.deepEqual(await dropPartitionsBefore(db.query, new Date('2027-12-31T08:00:00Z')), [])
})

test('a day that is being read stays until the next time, and blocks no other work', async (t) => {
  const db = await openWithoutDays(t)
  await ensurePartitions(db.query, NEW_YEARS_EVE)
  const cutoff = new Date('2028-01-01T00:00:00Z')
  await inTransaction(db.pool, async (reader) => {
    await reader.query('SELECT FROM checks_20271230')
    assert.deepEqual(await dropPartitionsBefore(db.query, cutoff), [
      'checks_20271231',
      'pings_20271230',
      'pings_20271231',
    ])
    await insertChecks(db, ['2028-01-01T12:00:00Z'])
  })
  assert.deepEqual(await dropPartitionsBefore(db.query, cutoff), ['checks_20271230'])
})

async function partitions(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent IN ('checks'::regclass, 'pings'::regclass) ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function insertChecks(db: Database, times: string[]): Promise<void> {
  await addChecks(
    db,
    times.map((at) => ({ monitor_id: 1, checked_at: new Date(at) })),
  )
}
