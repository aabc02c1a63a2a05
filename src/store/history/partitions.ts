import { sql } from 'kysely'
import { startOfDay } from '../../core/history/history-span.ts'
import type { Query } from '../../postgres/database.ts'

/** Any constant will do; it only has to be the same in every process. */
const LOCK = 7_365_004
const DAYS_AHEAD = 3
/** Dropping waits no longer for those who use the table, because new checks would have to wait behind it. */
const LOCK_TIMEOUT_MS = 250

type Period = 'day' | 'month'

/** Tables that are partitioned by time, and how long a partition's time is. */
const PERIODS = { checks: 'day', pings: 'day', check_chunks: 'month', check_hours: 'month' } as const

export type PartitionedTable = keyof typeof PERIODS

/**
 * Makes the partitions for today and the next days, where they are missing. Under a lock: IF NOT EXISTS alone fails
 * when two processes do so at the same time.
 */
export async function ensurePartitions(query: Query, now: Date): Promise<void> {
  const statements: string[] = []
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    for (const table of Object.keys(PERIODS)) statements.push(createPartition(table, startOfDay(now, ahead)))
  }
  await sql`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${sql.lit(LOCK)});
    ${sql.raw(statements.join(';\n'))};
  END $$`.execute(query)
}

/** The statement that makes a table's partition for the time around `at`, where it is missing. */
export function createPartition(table: string, at: Date): string {
  const period = periodOf(table)
  const from = startOf(period, at)
  return `CREATE TABLE IF NOT EXISTS "${partitionName(table, from)}" PARTITION OF "${table}"
    FOR VALUES FROM ('${from.toISOString()}') TO ('${startOf(period, at, 1).toISOString()}')`
}

/** The day with which a partition begins, as YYYY-MM-DD; null for what is none of ours. */
export function dayOfPartition(name: string): string | null {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return year ? `${year}-${month}-${day}` : null
}

/** The days that still have a partition of `checks`, oldest first. */
export async function daysOfChecks(query: Query): Promise<Date[]> {
  const names = await partitionsOf(query, 'checks')
  return names.flatMap((name) => dayOfPartition(name) ?? []).map((day) => new Date(day))
}

/**
 * Drops partitions that ended before `edge`; returns the names of what went. One that somebody reads at the
 * moment (a backup may, for minutes) stays until the next time: waiting for it would hold up every new check.
 */
export async function dropPartitionsBefore(
  query: Query,
  edge: Date,
  tables: PartitionedTable[] = ['checks', 'pings'],
): Promise<string[]> {
  const dropped: string[] = []
  for (const table of tables) {
    const kept = partitionName(table, startOf(periodOf(table), edge))
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

/** Drops a partition, in a transaction, unless it is in use: then they fail with `lock_not_available`. */
export function dropStatements(table: string, partition: string): string {
  // The whole table first, as DROP would: the other order could end in a deadlock with a query.
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
