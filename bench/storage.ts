import { DAY_MS } from '../src/core/history/history-span.ts'
import { latencyOf } from '../src/core/history/roll-up.ts'
import type { Database } from '../src/postgres/database.ts'
import { newestChecks } from '../src/store/history/history.ts'
import { readRolledUp } from '../src/store/history/summaries.ts'
import { readUptimes } from '../src/store/history/uptimes.ts'
import { generateHistory, type History } from './history.ts'
import { closedLoop } from './support/closed-loop.ts'
import { openBenchDatabase } from './support/open-database.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { alone, compare, type Row } from './support/table.ts'

/** A tenth of 100 million checks: so many monitors, one check a minute, 90 days. */
const MONITORS = 77
const DAYS = 90
const PAGE = 25

/** The disk space of 10 million checks, and the time to read them. */
export async function benchStorage(scope: Scope, options: Options): Promise<Row[]> {
  progress('storage: opening a database')
  const { store, teamId } = await openBenchDatabase(scope)
  const history = await generateHistory(store, teamId, MONITORS, DAYS, (done) => {
    progress(`storage: history of ${done} of ${DAYS} days`)
  })
  await store.db.pool.query('VACUUM (ANALYZE)')
  return [...(await measureSizes(store.db, history)), ...(await measureReads(store.db, history, options))]
}

async function measureSizes(db: Database, history: History): Promise<Row[]> {
  progress('storage: sizes')
  await db.pool.query(`
    CREATE TABLE plain_checks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, monitor_id int, checked_at timestamptz, status text,
      response_time_ms int, http_status_code int, dns_ms int, connect_ms int, tls_ms int, first_byte_ms int,
      transfer_ms int, region text, error_message text);
    CREATE INDEX ON plain_checks (monitor_id, checked_at);
    INSERT INTO plain_checks (monitor_id, checked_at, status, response_time_ms, http_status_code, dns_ms, connect_ms,
                              tls_ms, first_byte_ms, transfer_ms, region, error_message)
      SELECT monitor_id, checked_at, status, response_time_ms, http_status_code, 1, 10, 20, 50, 1, region, error_message
      FROM checks ORDER BY checked_at`)
  const perRow = (await sizeOf(db, 'checks')) / history.checksInRows
  const plain = (await sizeOf(db, 'plain_checks')) / history.checksInRows
  await db.pool.query('DROP TABLE plain_checks')
  const perCompacted = async (table: string) => (await sizeOf(db, table)) / history.checksInChunks
  const [chunks, hours, days] = [
    await perCompacted('check_chunks'),
    await perCompacted('check_hours'),
    await perCompacted('check_days'),
  ]
  const reference = 'a plain table with its indexes, one row a check'
  return [
    compare('A check on the disk, newest days', 'B', reference, [{ ours: perRow, reference: plain }]),
    compare('A check on the disk, older days', 'B', reference, [{ ours: chunks, reference: plain }]),
    compare('… with its share of hourly and daily roll-ups', 'B', reference, [
      { ours: chunks + hours + days, reference: plain },
    ]),
  ]
}

async function measureReads(db: Database, history: History, options: Options): Promise<Row[]> {
  const { monitorIds, pausedIds, now } = history
  const one = () => [pick(monitorIds)]
  const page = () => {
    const first = Math.floor(Math.random() * (monitorIds.length - PAGE))
    return monitorIds.slice(first, first + PAGE)
  }
  const back = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const percentilesOfDays = async (ids: number[]) => {
    const rolledUp = await readRolledUp(db, ids, 'day', back(DAYS), now)
    if (rolledUp.length < ids.length * DAYS) throw new Error('days are missing')
    for (const { rollUp } of rolledUp) latencyOf(rollUp)
  }
  const newest = async (id: number) => {
    const { length } = await newestChecks(db.query, id, null, 100)
    if (length !== 100) throw new Error(`${length} of 100 checks`)
  }
  const reads: [string, () => Promise<unknown>][] = [
    ['newest 100 checks, from rows', () => newest(pick(monitorIds))],
    ['newest 100 checks, from chunks', () => newest(pick(pausedIds))],
    ['uptime over 24 h, 7, 30 and 90 days, one monitor', () => readUptimes(db, one(), now)],
    [`… of ${PAGE} monitors`, () => readUptimes(db, page(), now)],
    ['p50, p95 and p99 of each of 90 days, one monitor', () => percentilesOfDays(one())],
    [`… of ${PAGE} monitors`, () => percentilesOfDays(page())],
    ['roll-ups of each hour of a week, one monitor', () => readRolledUp(db, one(), 'hour', back(7), now)],
  ]
  const rows: Row[] = []
  for (const [name, read] of reads) {
    progress(`storage: ${name}`)
    for (let warm = 0; warm < 10; warm++) await read()
    const times: number[] = []
    const timed = async () => {
      const began = performance.now()
      await read()
      times.push(performance.now() - began)
    }
    for (let round = 0; round < options.rounds; round++) await closedLoop(1, options.roundSeconds / 2, timed)
    times.sort((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] as number
    rows.push(alone(`Read: ${name}, p50`, 'ms', times), alone(`Read: ${name}, p99`, 'ms', [p99]))
  }
  return rows
}

/** With indexes, TOAST and all partitions. */
async function sizeOf(db: Database, table: string): Promise<number> {
  const { rows } = await db.pool.query<{ bytes: number }>(
    `SELECT pg_total_relation_size($1::regclass) + coalesce(
       (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree($1::regclass) WHERE isleaf), 0) AS bytes`,
    [table],
  )
  return rows[0]?.bytes ?? 0
}

function pick<T>(values: T[]): T {
  return values[Math.floor(Math.random() * values.length)] as T
}
