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
    const from = startOfDay(now, ahead)
    for (const table of PARTITIONED) {
      const name = sql.table(partitionName(table, from))
      await sql`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(from.toISOString())}) TO (${sql.lit(startOfDay(now, ahead + 1).toISOString())})`.execute(
        query,
      )
    }
  }
}

/** Drops whole days that ended before `edge`; returns the names of what went. */
export async function dropPartitionsBefore(query: Query, edge: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const table of PARTITIONED) {
    const { rows } = await sql<{ name: string }>`
      SELECT c.relname AS name FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = ${table}::regclass AND c.relname < ${partitionName(table, startOfDay(edge, 0))}`.execute(
      query,
    )
    for (const { name } of rows) {
      await sql`DROP TABLE ${sql.table(name)}`.execute(query)
      dropped.push(name)
    }
  }
  return dropped
}

function partitionName(table: string, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}

function startOfDay(at: Date, daysAhead: number): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + daysAhead))
}
