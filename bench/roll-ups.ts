import { DAY_MS, HOUR_MS, startOfDay } from '../src/core/history/history-span.ts'
import { rollUp } from '../src/engine/history/roll-up.ts'
import { type Database, inTransaction } from '../src/postgres/database.ts'
import { writeConverted, writeHoursUntil } from '../src/store/history/history-progress.ts'
import { createPartition } from '../src/store/history/partitions.ts'
import { readUptimes } from '../src/store/history/uptimes.ts'
import { insertWindow } from '../src/store/maintenance/windows.ts'
import type { Store } from '../src/store/store.ts'
import { recurring } from '../test/support/maintenance/windows.ts'
import { cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { benchSharedRollUps } from './roll-ups/shared-roll-ups.ts'
import { openBenchDatabase } from './support/open-database.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { pairsOf, type Round } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { seedMonitors } from './support/seed.ts'
import { alone, compare, type Row } from './support/table.ts'

const MONITORS = 10_000
const WINDOWS = 1_000
/** One window in so many covers everything; the others cover 100 monitors each. */
const ONE_FOR_ALL_IN = 100
const MONITORS_OF_WINDOW = 100
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC']
const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'FREQ=MONTHLY;BYDAY=1SU',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
]
const PAGE = 25
const READS = 20
const ROLL_UPS_A_YEAR = 365 * 24 + 365

type Cost = { ms: number; cpuMs: number }

/** An hour of all monitors rolled up again and again, under windows and without any in turn. */
export async function benchRollUps(scope: Scope, options: Options): Promise<Row[]> {
  progress('rollups: filling an hour')
  const { store, dataDir, teamId } = await openBenchDatabase(scope)
  const { db } = store
  const hour = new Date(startOfDay(new Date(), -1).getTime() + 10 * HOUR_MS)
  const ids = await fillHour(store, teamId, hour)
  const later = new Date(hour.getTime() + 1.5 * HOUR_MS)
  const cpu = () => (cpuMicros(process.pid) + treeCpuMicros(databaseRoot(dataDir))) / 1_000
  const rolledUp = async (hasWindows: boolean): Promise<Cost> => {
    await announceWindows(db, hasWindows)
    await inTransaction(db.pool, (client) => writeHoursUntil(client, hour))
    const [began, cpuBefore] = [performance.now(), cpu()]
    for await (const _step of rollUp({ db, now: () => later }));
    const cost = { ms: performance.now() - began, cpuMs: cpu() - cpuBefore }
    await assertRolledUp(db, hasWindows)
    return cost
  }
  await rolledUp(true)
  await rolledUp(false)
  const rounds: Round<Cost>[] = []
  for (let round = 1; round <= options.rounds; round++) {
    progress(`rollups: round ${round} of ${options.rounds}`)
    rounds.push({ ours: await rolledUp(true), reference: await rolledUp(false) })
  }
  const readTime = async (hasWindows: boolean): Promise<number> => {
    await announceWindows(db, hasWindows)
    const began = performance.now()
    for (let read = 0; read < READS; read++)
      await readUptimes(db, ids.slice(read * PAGE, (read + 1) * PAGE), later)
    return (performance.now() - began) / READS
  }
  await readTime(true)
  await readTime(false)
  const reads: Round<number>[] = []
  for (let round = 0; round < options.rounds; round++)
    reads.push({ ours: await readTime(true), reference: await readTime(false) })
  const shared = await benchSharedRollUps(scope, db, dataDir, { hour, later }, options.rounds)
  const what = `Rolling up an hour of ${MONITORS.toLocaleString('en-US')} monitors at 60 s`
  const reference = 'the same without windows'
  return [
    compare(
      `${what}, ${WINDOWS.toLocaleString('en-US')} windows`,
      'ms',
      reference,
      pairsOf(rounds, ({ ms }) => ms),
    ),
    compare(
      '… CPU, with the database',
      'ms',
      reference,
      pairsOf(rounds, ({ cpuMs }) => cpuMs),
    ),
    ...shared,
    compare(
      `Uptime of ${PAGE} monitors over 24 h, 7, 30 and 90 days`,
      'ms',
      reference,
      pairsOf(reads, (ms) => ms),
    ),
    await sizeOfTimes(db),
  ]
}

/** The windows of a team are read once they have changed. */
async function announceWindows({ pool }: Database, hasWindows: boolean): Promise<void> {
  await pool.query('UPDATE teams SET maintenance_revision = $1', [hasWindows ? 1 : 0])
}

/** The ids of its monitors. */
async function fillHour({ db, vault }: Store, teamId: number, hour: Date): Promise<number[]> {
  const seeded = await seedMonitors({ db, vault }, teamId, MONITORS, () => ({ check_interval_minutes: 1 }))
  await db.pool.query('UPDATE monitors SET created_at = $1', [new Date(hour.getTime() - DAY_MS)])
  await db.pool.query(createPartition('checks', hour))
  await db.pool.query(
    `INSERT INTO checks (monitor_id, checked_at, status, response_time_ms, http_status_code)
     SELECT id, $1::timestamptz + make_interval(mins => minute, secs => id % 60), 'up', 40 + (id * 7 + minute) % 90, 200
     FROM generate_series(-1, 59) AS minute, monitors`,
    [hour],
  )
  await db.query.transaction().execute(async (query) => {
    for (let number = 0; number < WINDOWS; number++) {
      const all_subjects = number % ONE_FOR_ALL_IN === 0
      const first = (number * MONITORS_OF_WINDOW) % MONITORS
      const chosen = seeded.slice(first, first + MONITORS_OF_WINDOW).map(({ id }) => id)
      const window = recurring({
        all_subjects,
        monitor_ids: all_subjects ? [] : chosen,
        local_start: `2026-01-01T${String((number >> 4) % 24).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}`,
        time_zone: ZONES[number % ZONES.length] as string,
        rule: RULES[(number >> 2) % RULES.length] as string,
      })
      await insertWindow(query, vault, teamId, window, { since: new Date('2026-01-01'), token: null })
    }
  })
  await inTransaction(db.pool, async (client) => {
    await writeHoursUntil(client, hour)
    await writeConverted(client, null)
  })
  await db.pool.query('VACUUM (ANALYZE)')
  return seeded.map(({ id }) => id)
}

/** The figures are worth nothing if the work was not done. */
async function assertRolledUp({ pool }: Database, hasWindows: boolean): Promise<void> {
  const { rows } = await pool.query<{ monitors: number; planned: number }>(
    `SELECT count(up_ms)::int AS monitors, count(*) FILTER (WHERE maintenance_ms > 0)::int AS planned FROM check_hours`,
  )
  const { monitors, planned } = rows[0] ?? { monitors: 0, planned: 0 }
  if (monitors !== MONITORS || planned > 0 !== hasWindows)
    throw new Error(`${monitors} monitors were rolled up, ${planned} of them under windows`)
}

/** The space of the four columns: the difference of the rows with and without them. */
async function sizeOfTimes({ pool }: Database): Promise<Row> {
  const counts = 'monitor_id, hour, region, up, degraded, down, pending, response_time_sum_ms, histogram'
  const { rows } = await pool.query<{ bytes: number }>(
    `SELECT (avg(pg_column_size(timed)) - avg(pg_column_size(counted)))::float8 AS bytes
     FROM (SELECT ${counts}, up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours) AS timed,
       LATERAL (SELECT timed.monitor_id, timed.hour, timed.region, timed.up, timed.degraded, timed.down,
                  timed.pending, timed.response_time_sum_ms, timed.histogram) AS counted`,
  )
  const bytes = rows[0]?.bytes ?? 0
  return alone('Time in each state, per monitor and year', 'kB', [(bytes * ROLL_UPS_A_YEAR) / 1_000])
}
