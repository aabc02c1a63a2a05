// npm test leaves this out: it has several processes share hours of thousands of checks, and stops them on the way (seconds of a core).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DEFAULT_PLANS } from '../../../../src/core/teams/plan.ts'
import { helpRound } from '../../../../src/engine/history/help.ts'
import { rollUp } from '../../../../src/engine/history/roll-up.ts'
import { createClock } from '../../../../src/engine/probing/clock.ts'
import { createLeader } from '../../../../src/engine/probing/lead.ts'
import { type Database, inTransaction } from '../../../../src/postgres/database.ts'
import { holdLease, releaseLease } from '../../../../src/postgres/leases.ts'
import {
  readProgress,
  UpkeepElsewhere,
  writeHoursUntil,
} from '../../../../src/store/history/history-progress.ts'
import { createPartition } from '../../../../src/store/history/partitions.ts'
import {
  advanceStretch,
  endStretches,
  planStretches,
  takeStretch,
  type WorkStretch,
} from '../../../../src/store/history/stretches.ts'
import { noRecords, openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { createStops } from '../../../support/postgres/stops.ts'
import { addMonitors } from '../../../support/records/monitors.ts'
import { until } from '../../../support/until.ts'

const FROM = new Date('2027-06-30T10:00:00Z')
const TO = new Date('2027-06-30T11:00:00Z')
/** When that hour, and no later one, is over. */
const NOW = new Date('2027-06-30T11:30:00Z')
const MONITORS = 170
const OF_STRETCH = 20
const ANOTHER = randomUUID()

test('each process takes a stretch of its own; that of one which dies is as it was, for the others', async (t) => {
  const db = await openWithoutDays(t)
  const ids = (await addMonitors(db, 5)).map(({ id }) => id)
  const plan = (to: Date, from = FROM) =>
    inTransaction(db.pool, (client) => planStretches(client, 'hours', 'monitors', { from, to }, 2))
  assert.deepEqual(await plan(TO), { from: FROM, to: TO })
  const dies = new Error('it dies')
  const died = inTransaction(db.pool, async (first) => {
    const taken = await takeStretch(first, 'hours')
    assert.equal(taken?.untilId, ids[1])
    await advanceStretch(first, 'hours', taken as WorkStretch, ids[0] as number)
    await inTransaction(db.pool, async (second) => {
      const next = await takeStretch(second, 'hours')
      assert.deepEqual([next?.afterId, next?.untilId], [ids[1], ids[3]])
      await inTransaction(db.pool, async (third) => {
        const last = await takeStretch(third, 'hours')
        assert.equal(last?.afterId, ids[3])
        await inTransaction(db.pool, async (fourth) => assert.equal(await takeStretch(fourth, 'hours'), null))
        await advanceStretch(third, 'hours', last as WorkStretch, (last as WorkStretch).untilId)
      })
      await advanceStretch(second, 'hours', next as WorkStretch, ids[2] as number)
    })
    throw dies
  })
  await assert.rejects(died, dies)
  const left = async () =>
    (
      await db.pool.query(
        'SELECT after_id AS after FROM history_stretches WHERE after_id < until_id ORDER BY 1',
      )
    ).rows
  assert.deepEqual(await left(), [{ after: 0 }, { after: ids[2] }])
  assert.deepEqual(
    await plan(new Date('2027-06-30T12:00:00Z')),
    { from: FROM, to: TO },
    'what was begun goes on',
  )
  assert.deepEqual(await left(), [{ after: 0 }, { after: ids[2] }])
  assert.equal(await inTransaction(db.pool, (client) => endStretches(client, 'hours', FROM)), false)
  await plan(FROM, new Date('2027-06-30T09:00:00Z'))
  assert.equal((await left()).length, 3, 'another span begins anew')
})

test('an hour that others did a part of is over when all is done, once', async (t) => {
  const db = await openHour(t)
  const leading = rollUp({ db, now: () => NOW })
  await leading.next()
  const first = await written(db)
  assert.ok(first.size > 0 && first.size < MONITORS, `${first.size} monitors in a step`)
  for await (const _step of helpRound({ db, onTrouble: assert.ifError }));
  assert.deepEqual((await readProgress(db.pool))?.hoursUntil, FROM, 'a process that helps ends no hour')
  const all = await written(db)
  assert.equal(all.size, MONITORS)
  for await (const _step of leading);
  assert.deepEqual(await written(db), all, 'nothing was done again')
  assert.deepEqual((await readProgress(db.pool))?.hoursUntil, TO)
  assert.deepEqual((await db.pool.query('SELECT FROM history_stretches')).rowCount, 0)
})

test('the next leader goes on where one stopped, and one that comes back changes nothing', async (t) => {
  const db = await openHour(t)
  const former = rollUp({ db, now: () => NOW })
  await former.next()
  const first = await written(db)
  await tend(db, NOW)
  const all = await written(db)
  assert.equal(all.size, MONITORS)
  for (const [id, version] of first) assert.equal(all.get(id), version, 'it did not start over')
  await inTransaction(db.pool, (client) => writeHoursUntil(client, new Date('2027-06-30T12:00:00Z')))
  await assert.rejects(async () => {
    for await (const _step of former);
  }, UpkeepElsewhere)
  assert.deepEqual(await written(db), all)
  assert.deepEqual((await readProgress(db.pool))?.hoursUntil, new Date('2027-06-30T12:00:00Z'))
})

test('while one stands still in a step, others do all the rest; what it had not committed is done by them when it dies', async (t) => {
  const db = await openHour(t)
  await planHour(db)
  const stops = await createStops(db, ['check_hours'])
  await stops.at('check_hours', 1)
  const stopped = helpRound({ db, onTrouble: () => {} }).next()
  const connection = await stops.reached()
  const leading = rollUp({ db, now: () => NOW })
  await leading.next()
  for await (const _step of helpRound({ db, onTrouble: assert.ifError }));
  assert.equal((await written(db)).size, MONITORS - OF_STRETCH)
  await leading.next()
  assert.deepEqual((await readProgress(db.pool))?.hoursUntil, FROM, 'the leader waits')
  await db.pool.query('SELECT pg_terminate_backend($1)', [connection])
  assert.equal((await stopped).done, true, 'it has failed')
  for await (const _step of leading);
  assert.equal((await written(db)).size, MONITORS)
  assert.deepEqual((await readProgress(db.pool))?.hoursUntil, TO)
})

test('a process that waits to lead helps meanwhile', async (t) => {
  const db = await openHour(t)
  assert.ok(await holdLease(db, 'scheduler', ANOTHER, 3_600))
  await planHour(db)
  const nothing = { load() {}, apply() {}, pulse() {}, changed() {}, size: 0, close: async () => {} }
  const waiting = createLeader({
    db,
    plans: DEFAULT_PLANS,
    holder: randomUUID(),
    clock: createClock(
      () => performance.now(),
      () => NOW.getTime(),
    ),
    monotonicMs: () => performance.now(),
    startWatching: () => nothing,
    startSilenceWatch: () => nothing,
    startWindowWatch: () => nothing,
    lookUpTxt: noRecords,
    onTrouble: assert.ifError,
    note: () => {},
  })
  try {
    await until('it has done all that can be taken', async () => (await written(db)).size === MONITORS)
    assert.equal(waiting.leading, false)
    await releaseLease(db, 'scheduler', ANOTHER)
    await until('it leads', () => waiting.leading)
  } finally {
    await waiting.close()
  }
})

/** An hour with a check of each monitor in each quarter, about to be rolled up. */
async function openHour(t: Parameters<typeof openWithoutDays>[0]): Promise<Database> {
  const db = await openWithoutDays(t)
  await addMonitors(db, MONITORS)
  await db.pool.query(`UPDATE monitors SET created_at = '2027-06-01Z'; ${createPartition('checks', FROM)};
    INSERT INTO checks (checked_at, monitor_id, status, response_time_ms)
    SELECT '2027-06-30T10:00Z'::timestamptz + n * interval '15 minutes', id, 'up', n FROM monitors, generate_series(0, 3) AS n`)
  await inTransaction(db.pool, (client) => writeHoursUntil(client, FROM))
  return db
}

/** As a leader does it for more monitors. */
async function planHour(db: Database): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    await client.query(createPartition('check_hours', FROM))
    await planStretches(client, 'hours', 'monitors', { from: FROM, to: TO }, OF_STRETCH)
  })
}

/** The version of each monitor's roll-up of that hour. */
async function written(db: Database): Promise<Map<number, string>> {
  const { rows } = await db.pool.query<{ id: number; version: string }>(
    'SELECT monitor_id AS id, xmin::text AS version FROM check_hours WHERE hour = $1 ORDER BY 1',
    [FROM],
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
