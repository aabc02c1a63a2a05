import { sql } from 'kysely'
import { startOfDay } from '../../core/history/history-span.ts'
import { keysOf } from '../../core/shape.ts'
import type { Query } from '../../postgres/database.ts'

/** Arbitrary, but the same in every process. */
const LOCK = 7_365_004
const DAYS_AHEAD = 3
/** Dropping gives up early, because new checks queue behind its lock request. */
const LOCK_TIMEOUT_MS = 250

type Period = 'day' | 'month'

/** Tables partitioned by time, and the period of their partitions. */
const PERIODS = {
  checks: 'day',
  pings: 'day',
  check_chunks: 'month',
  check_hours: 'month',
  server_samples: 'day',
  server_chunks: 'month',
  server_hours: 'month',
} as const

export type PartitionedTable = keyof typeof PERIODS

/**
 * Creates missing partitions for today and the next days. Under a lock, because concurrent IF NOT EXISTS can fail; mostly
 * all are there.
 */
export async function ensurePartitions(query: Query, now: Date): Promise<void> {
  const wanted = new Map<string, string>()
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    const at = startOfDay(now, ahead)
    for (const table of keysOf(PERIODS)) {
      wanted.set(partitionName(table, startOf(PERIODS[table], at)), createPartition(table, at))
    }
  }
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(${[...wanted.keys()]})`.execute(
    query,
  )
  for (const { name } of rows) wanted.delete(name)
  if (wanted.size === 0) return
  await sql`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${sql.lit(LOCK)});
    ${sql.raw([...wanted.values()].join(';\n'))};
  END $$`.execute(query)
}

/**
 * Drops the index of checks of releases before 050 once no day is left that has no other; not while one is being read.
 */
export async function dropFormerIndex(query: Query): Promise<void> {
  const { rows } = await sql<{ former: boolean }>`
    SELECT to_regclass('checks_of_monitor') IS NOT NULL AND NOT EXISTS (
      SELECT FROM pg_inherits day WHERE day.inhparent = 'checks'::regclass AND NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_inherits p ON p.inhrelid = i.indexrelid
        WHERE i.indrelid = day.inhrelid AND p.inhparent = 'checks_by_quarter'::regclass)) AS former`.execute(
    query,
  )
  if (!rows[0]?.former) return
  await sql`DO $$ BEGIN
    SET LOCAL lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)};
    DROP INDEX IF EXISTS checks_of_monitor;
  EXCEPTION WHEN lock_not_available THEN NULL;
  END $$`.execute(query)
}

/** The statement that creates a table's partition for the period around `at`, unless it exists. */
export function createPartition(table: string, at: Date): string {
  const period = periodOf(table)
  const from = startOf(period, at)
  return `CREATE TABLE IF NOT EXISTS "${partitionName(table, from)}" PARTITION OF "${table}"
    FOR VALUES FROM ('${from.toISOString()}') TO ('${startOf(period, at, 1).toISOString()}')`
}

/** The first day of a partition, as YYYY-MM-DD; null if the name is not a partition's. */
export function dayOfPartition(name: string): string | null {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return year ? `${year}-${month}-${day}` : null
}

/** Days that still have a partition, oldest first. */
export async function daysOf(query: Query, table: 'checks' | 'server_samples'): Promise<Date[]> {
  const names = await partitionsOf(query, table)
  return names.flatMap((name) => dayOfPartition(name) ?? []).map((day) => new Date(day))
}

/**
 * Drops partitions that ended before `cutoff`; returns their names. A partition that is being read (by a
 * backup, for minutes) stays until next time: waiting for it would block new checks.
 */
export async function dropPartitionsBefore(
  query: Query,
  cutoff: Date,
  tables: readonly PartitionedTable[] = ['checks', 'pings'],
): Promise<string[]> {
  const dropped: string[] = []
  for (const table of tables) {
    const kept = partitionName(table, startOf(periodOf(table), cutoff))
    const past = (await partitionsOf(query, table)).filter((name) => name < kept)
    for (const name of past) await dropUnlessRead(query, table, name)
    const left = await partitionsOf(query, table)
    dropped.push(...past.filter((name) => !left.includes(name)))
  }
  return dropped
}

async function partitionsOf(query: Query, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass ORDER BY c.relname`.execute(query)
  return rows.map(({ name }) => name)
}

async function dropUnlessRead(query: Query, table: string, name: string): Promise<void> {
  await sql`DO $$ BEGIN ${sql.raw(dropStatements(table, name))}
  EXCEPTION WHEN lock_not_available THEN NULL;
  END $$`.execute(query)
}

/** Statements that drop a partition in a transaction; they fail with `lock_not_available` if it is in use. */
export function dropStatements(table: string, partition: string): string {
  // Lock the parent first, as DROP would; the other order could deadlock with a query.
  return `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};
    LOCK TABLE ONLY "${table}" IN ACCESS EXCLUSIVE MODE;
    LOCK TABLE "${partition}" IN ACCESS EXCLUSIVE MODE NOWAIT;
    DROP TABLE "${partition}";`
}

export function partitionName(table: string, from: Date): string {
  return `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '')}`
}

function periodOf(table: string): Period {
  return PERIODS[table as PartitionedTable] ?? 'day'
}

function startOf(period: Period, at: Date, ahead = 0): Date {
  if (period === 'day') return startOfDay(at, ahead)
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead))
}
