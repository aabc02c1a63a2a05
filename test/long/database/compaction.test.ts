// npm test leaves this out: it compacts random days, and reads each from rows and from chunks (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { rollUp } from '../../../src/engine/history/roll-up.ts'
import { type Database, inTransaction } from '../../../src/postgres/database.ts'
import { newestChecks } from '../../../src/store/history/history.ts'
import { createPartition, ensurePartitions } from '../../../src/store/history/partitions.ts'
import { anyCheck, keepChecks, keepMixed, realisticDay } from '../../support/history/checks.ts'
import {
  ALL,
  assertKept,
  assertSame,
  compactedDays,
  daysOfRows,
  type KeptChecks,
  newestFirst,
} from '../../support/history/kept-checks.ts'
import { killTending, openWithoutDays as openDatabase, tend, tending } from '../../support/history/upkeep.ts'
import { someoneWaits } from '../../support/postgres/database.ts'
import { createStops } from '../../support/postgres/stops.ts'
import { addMonitor, addMonitors } from '../../support/records/monitors.ts'
import { countRows } from '../../support/records/rows.ts'
import { until } from '../../support/until.ts'

const DAY = new Date('2027-03-28T00:00:00Z')
const NEXT_DAY = new Date('2027-03-29T00:00:00Z')
/** When the day before yesterday is DAY. */
const LATER = new Date('2027-03-30T00:10:00Z')

test('any day is read from its chunks as it was from its rows', async (t) => {
  const db = await openDatabase(t)
  const times = fc.integer({ min: DAY.getTime(), max: NEXT_DAY.getTime() - 1 })
  const kept: KeptChecks = new Map()
  for (const { id } of await addMonitors(db, 5)) {
    const checks = fc.sample(anyCheck(times), 200).filter(isFirstAtItsTime())
    await keepChecks(db, id, checks)
    kept.set(id, newestFirst(checks))
  }
  await assertKept(db, kept)
  await tend(db, LATER)
  assert.deepEqual(await daysOfRows(db), [], 'the rows are gone')
  assert.deepEqual(await compactedDays(db), ['2027-03-28'])
  await assertKept(db, kept)
})

test('the newest checks come from rows and chunks alike, within the window and up to the limit', async (t) => {
  const db = await openDatabase(t)
  const [{ id }, { id: other }] = [await addMonitor(db), await addMonitor(db)]
  const checks = [0, 1, 2, 3].flatMap((ahead) => realisticDay(ahead, daysAfter(DAY, ahead)))
  await keepChecks(db, id, checks)
  await keepChecks(db, other, realisticDay(9, DAY))
  await tend(db, daysAfter(LATER, 2))
  assert.deepEqual(await compactedDays(db), ['2027-03-28', '2027-03-29', '2027-03-30'])
  const newest = newestFirst(checks)
  for (const limit of [1, 100, 1_440, 1_441, 3_000, ALL]) {
    assertSame(await newestChecks(db.query, id, null, limit), newest.slice(0, limit))
  }
  for (const since of ['2027-03-28T00:00:00Z', '2027-03-29T13:07:11.5Z', '2027-03-31T10:00:00Z'].map(
    asDate,
  )) {
    assertSame(
      await newestChecks(db.query, id, since, ALL),
      newest.filter(({ checkedAt }) => checkedAt >= since),
    )
  }
  assert.deepEqual(await newestChecks(db.query, id, daysAfter(DAY, 9), 100), [])
  assert.equal((await newestChecks(db.query, other, null, 100)).length, 100)
})

test('a day of many checks is cut into segments, and read to its end', async (t) => {
  const db = await openDatabase(t)
  const { id } = await addMonitor(db)
  await keepChecks(db, id, [])
  await db.pool.query(`${createPartition('checks', DAY)};
    INSERT INTO checks (checked_at, monitor_id, status, response_time_ms)
    SELECT '2027-03-28Z'::timestamptz + n * interval '7 s', ${id}, 'up', n FROM generate_series(0, 9999) AS n`)
  await tend(db, LATER)
  const { rows } = await db.pool.query('SELECT checks FROM check_chunks ORDER BY segment')
  assert.deepEqual(
    rows.map(({ checks }) => checks),
    [4_096, 4_096, 1_808],
  )
  for (const limit of [100, 5_000, 20_000]) {
    const read = await newestChecks(db.query, id, null, limit)
    assert.deepEqual(
      read.map(({ responseTimeMs }) => responseTimeMs),
      Array.from({ length: Math.min(limit, 10_000) }, (_, index) => 9_999 - index),
    )
  }
})

test('today and yesterday stay rows, and so does a day until it is rolled up', async (t) => {
  const db = await openDatabase(t)
  const { id } = await addMonitor(db)
  await keepChecks(
    db,
    id,
    [0, 1, 2].flatMap((ahead) => realisticDay(ahead, daysAfter(DAY, ahead)).slice(0, 9)),
  )
  await tend(db, new Date('2027-03-29T23:59:59.999Z'))
  assert.deepEqual(await compactedDays(db), [])
  await tend(db, new Date('2027-03-30T00:04:59Z'))
  assert.deepEqual(await compactedDays(db), ['2027-03-28'], 'rolled up at five past midnight the day before')
  assert.deepEqual(await daysOfRows(db), ['checks_20270329', 'checks_20270330'])
})

test('a check that comes while its day is being compacted is kept, and counted', async (t) => {
  const db = await openDatabase(t)
  const [{ id }, { id: other }] = [await addMonitor(db), await addMonitor(db)]
  const [first, ...checks] = realisticDay(1, DAY) as [CheckRecord, ...CheckRecord[]]
  const others = realisticDay(2, DAY)
  await keepChecks(db, id, checks)
  await keepChecks(db, other, others)
  let late = false
  for await (const _step of tending(db, LATER)) {
    if (late || (await countRows(db, 'check_chunks')) === 0) continue
    late = true
    await keepChecks(db, id, [first])
  }
  assert.equal(late, true)
  assert.deepEqual(await compactedDays(db), ['2027-03-28'])
  await assertKept(
    db,
    new Map([
      [id, newestFirst([first, ...checks])],
      [other, newestFirst(others)],
    ]),
  )
  const { rows } = await db.pool.query(
    'SELECT (up + down)::int AS checks FROM check_days WHERE monitor_id = $1 AND day = $2',
    [id, DAY],
  )
  assert.deepEqual(rows, [{ checks: 1_440 }])
})

test('a day that is read row by row is compacted the next time, and blocks no other work', async (t) => {
  const db = await openDatabase(t)
  const { id } = await addMonitor(db)
  const checks = realisticDay(1, DAY)
  await keepChecks(db, id, checks)
  await inTransaction(db.pool, async (backup) => {
    await backup.query('LOCK TABLE ONLY checks_20270328 IN ACCESS SHARE MODE')
    await tend(db, LATER)
    assert.deepEqual(await compactedDays(db), [])
    await keepChecks(db, id, realisticDay(2, daysAfter(DAY, 2)).slice(0, 1))
    await assertKept(db, new Map([[id, newestFirst(checks)]]), daysAfter(DAY, 1))
  })
  await tend(db, LATER)
  assert.deepEqual(await compactedDays(db), ['2027-03-28'])
  await assertKept(db, new Map([[id, newestFirst(checks)]]), daysAfter(DAY, 1))
})

test('a day that gets rows again after its compaction is compacted once more, and keeps both', async (t) => {
  const db = await openDatabase(t)
  const { id } = await addMonitor(db)
  const checks = realisticDay(1, DAY)
  const halves = [checks.filter((_, index) => index % 2 === 0), checks.filter((_, index) => index % 2 === 1)]
  for (const half of halves) {
    await keepChecks(db, id, half)
    await tend(db, LATER)
    assert.deepEqual(await daysOfRows(db), [])
  }
  const newest = newestFirst(checks)
  for (const limit of [1, 100, 1_440]) {
    assertSame(await newestChecks(db.query, id, null, limit), newest.slice(0, limit))
  }
})

test('readers see every check once at every moment, however often the work is killed', async (t) => {
  const db = await openDatabase(t)
  const kept: KeptChecks = new Map()
  // More monitors than one step takes.
  for (const { id } of await addMonitors(db, 60)) {
    kept.set(id, newestFirst([DAY, NEXT_DAY].flatMap((day) => realisticDay(id, day).slice(0, 20))))
  }
  await keepMixed(
    db,
    [...kept].flatMap(([id, checks]) => checks.map((check) => ({ id, check }))),
  )
  const now = daysAfter(LATER, 1)
  // Roll-ups come first: this test interrupts the compaction only.
  for await (const _step of rollUp({ db, now: () => now }));
  const stops = await createStops(db, ['check_chunks', 'compacted_days'])
  const read = () => Promise.all([...kept].slice(48, 52).map((one) => assertKept(db, [one])))
  const untilReadersWait = () => until('readers wait', () => someoneWaits(db))

  async function killAt(table: string, time: number, readersWait: boolean) {
    await stops.at(table, time)
    let reading: Promise<unknown> | undefined
    const killed = await killTending(db, now, stops, async () => {
      reading = read()
      await (readersWait ? untilReadersWait() : reading)
    })
    assert.ok(killed)
    await reading
  }

  await killAt('check_chunks', 2, false)
  const { rows } = await db.pool.query('SELECT from_at AS day FROM history_stretches WHERE after_id > 0')
  assert.deepEqual(rows, [{ day: DAY }], 'it was in the middle of a day')
  await killAt('compacted_days', 1, true)
  assert.deepEqual(await compactedDays(db), [])
  await killAt('check_chunks', 1, false)
  assert.deepEqual(await compactedDays(db), ['2027-03-28'])

  await stops.at('compacted_days', 1)
  const tended = tend(db, now)
  await stops.reached()
  const reading = read()
  await untilReadersWait()
  await stops.letOn()
  await Promise.all([reading, tended])
  assert.deepEqual(await daysOfRows(db), [])
  await assertKept(db, kept)
})

test('a check takes at most 100 bytes as a row, and 15 in chunks and roll-ups together', async (t) => {
  const db = await openDatabase(t)
  const ids = (await addMonitors(db, 30)).map(({ id }) => id)
  const days = ids.map((id) => realisticDay(id, DAY))
  for (let minute = 0; minute < 1_440; minute += 360) {
    // As they come: all monitors in turn.
    const rows = Array.from({ length: 360 }, (_, more) =>
      days.map((day, index) => ({ id: ids[index] as number, check: day[minute + more] as CheckRecord })),
    )
    await keepMixed(db, rows.flat())
  }
  const checks = ids.length * 1_440
  const asRows = await sizeOf(db, ['checks'])
  const chunks = ['check_chunks', 'check_hours', 'check_days']
  // Empty tables and indexes have a size of their own, some kB each, whatever number of checks comes.
  await ensurePartitions(db.query, LATER)
  const empty = await sizeOf(db, chunks)
  await tend(db, LATER)
  const asChunks = (await sizeOf(db, chunks)) - empty
  t.diagnostic(`${(asRows / checks).toFixed(1)} and ${(asChunks / checks).toFixed(1)} bytes`)
  assert.ok(asRows / checks <= 100, `${asRows / checks} as a row`)
  assert.ok(asChunks / checks <= 15, `${asChunks / checks} when compacted`)
})

/** With indexes, TOAST and all partitions. */
async function sizeOf(db: Database, tables: string[]): Promise<number> {
  const { rows } = await db.pool.query<{ bytes: number }>(
    `SELECT sum(pg_total_relation_size(t) + coalesce(
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(t) WHERE isleaf), 0)) AS bytes
     FROM unnest($1::regclass[]) AS t`,
    [tables],
  )
  return rows[0]?.bytes ?? 0
}

/** The order of checks at the same time is not kept. */
function isFirstAtItsTime(): (check: CheckRecord) => boolean {
  const seen = new Set<number>()
  return ({ checkedAt }) => !seen.has(checkedAt.getTime()) && Boolean(seen.add(checkedAt.getTime()))
}

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * 86_400_000)
}

function asDate(text: string): Date {
  return new Date(text)
}
