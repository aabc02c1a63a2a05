import { sql } from 'kysely'
import type { CheckStatus } from '../core/check.ts'
import type { IncidentRecord } from '../core/incident.ts'
import type { Query } from './database.ts'

export type CheckRecord = {
  checkedAt: Date
  status: CheckStatus
  responseTimeMs: number | null
  httpStatusCode: number | null
  region: string | null
  errorMessage: string | null
}

/** Newest first. `since` is the edge of the plan's history window, null for no edge. */
export async function newestChecks(
  query: Query,
  monitorId: number,
  since: Date | null,
  limit: number,
): Promise<CheckRecord[]> {
  let rows = query
    .selectFrom('checks')
    .select([
      'checked_at as checkedAt',
      'status',
      'response_time_ms as responseTimeMs',
      'http_status_code as httpStatusCode',
      'region',
      'error_message as errorMessage',
    ])
    .where('monitor_id', '=', monitorId)
  if (since) rows = rows.where('checked_at', '>=', since)
  return rows.orderBy('checked_at', 'desc').limit(limit).execute()
}

const INCIDENT = ['i.id', 'i.started_at as startedAt', 'i.resolved_at as resolvedAt', 'i.cause'] as const

/** Newest first, open and resolved. */
export async function newestIncidentsOfMonitor(
  query: Query,
  teamId: number,
  monitorId: number,
  limit: number,
): Promise<IncidentRecord[]> {
  return query
    .selectFrom('incidents as i')
    .select(INCIDENT)
    .where('i.team_id', '=', teamId)
    .where('i.monitor_id', '=', monitorId)
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute()
}

/** Newest first, of monitors that are still in the team. */
export async function newestIncidentsOfTeam(
  query: Query,
  teamId: number,
  limit: number,
): Promise<IncidentRecord[]> {
  return query
    .selectFrom('incidents as i')
    .innerJoin('monitors as m', 'm.id', 'i.monitor_id')
    .select(INCIDENT)
    .where('i.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute()
}

const DAYS_AHEAD = 3

/** Tables that are partitioned by day, and the column that says which. */
const PARTITIONED = ['checks', 'pings'] as const

/** Makes the daily partitions for today and the next days, where they are missing. */
export async function ensurePartitions(query: Query, now: Date): Promise<void> {
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead++) {
    for (const table of PARTITIONED) {
      await sql.raw(createPartition(table, startOfDay(now, ahead))).execute(query)
    }
  }
}

/** The statement that makes a table's partition for the day of `at`, where it is missing. */
export function createPartition(table: string, at: Date): string {
  const from = startOfDay(at, 0)
  return `CREATE TABLE IF NOT EXISTS "${partitionName(table, from)}" PARTITION OF "${table}"
    FOR VALUES FROM ('${from.toISOString()}') TO ('${startOfDay(at, 1).toISOString()}')`
}

/** The day that a partition holds, as YYYY-MM-DD; null for what is none of ours. */
export function dayOfPartition(name: string): string | null {
  const [, year, month, day] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return year ? `${year}-${month}-${day}` : null
}

/**
 * Drops whole days that ended before `edge`; returns the names of what went. A day that somebody reads at the
 * moment (a backup may, for minutes) stays until the next time: waiting for it would hold up every new check.
 */
export async function dropPartitionsBefore(query: Query, edge: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const table of PARTITIONED) {
    const past = await partitionsBefore(query, table, edge)
    for (const name of past) await dropUnlessRead(query, table, name)
    const left = await partitionsBefore(query, table, edge)
    dropped.push(...past.filter((name) => !left.includes(name)))
  }
  return dropped
}

async function partitionsBefore(query: Query, table: string, edge: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass AND c.relname < ${partitionName(table, startOfDay(edge, 0))}
    ORDER BY c.relname`.execute(query)
  return rows.map(({ name }) => name)
}

async function dropUnlessRead(query: Query, table: string, name: string): Promise<void> {
  // The whole table first, as DROP would: the other order could end in a deadlock with a query.
  await sql`DO $$ BEGIN
    LOCK TABLE ONLY ${sql.table(table)} IN ACCESS EXCLUSIVE MODE;
    LOCK TABLE ${sql.table(name)} IN ACCESS EXCLUSIVE MODE NOWAIT;
    DROP TABLE ${sql.table(name)};
  EXCEPTION WHEN lock_not_available THEN NULL;
  END $$`.execute(query)
}

function partitionName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

function startOfDay(at: Date, daysAhead: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + daysAhead))
}
