import { type RawBuilder, sql } from 'kysely'
import type { CheckRecord } from '../core/check-chunk.ts'
import { startOfDay } from '../core/history-span.ts'
import type { IncidentRecord } from '../core/incident.ts'
import { unpackPhases } from '../core/phases.ts'
import { unpackChunk } from './check-chunks.ts'
import type { Query } from './database.ts'

/** What the index of `checks` is ordered by, after the monitor; see the migration. */
export const QUARTER_OF_AN_HOUR = `date_bin('15 minutes', checked_at, '2000-01-01 00:00:00+00'::timestamptz)`

type RawRow = Omit<CheckRecord, 'phases'> & { phases: Buffer | null }
type ChunkRow = { day: Date; generation: number; segment: number; content: Buffer }

/**
 * Newest first. `since` is the edge of the plan's history window, null for no edge. Recent days and compacted
 * ones are read by one statement, so that a day that is being compacted is seen once, on one side.
 */
export async function newestChecks(
  query: Query,
  monitorId: number,
  since: Date | null,
  limit: number,
): Promise<CheckRecord[]> {
  const { rows } = await selectNewest(monitorId, since, limit).execute(query)
  const checks: CheckRecord[] = []
  const chunks: ChunkRow[] = []
  for (const { day, generation, segment, content, ...raw } of rows) {
    if (content) chunks.push({ day, generation, segment, content })
    else checks.push({ ...raw, phases: unpackPhases(raw.phases) })
  }
  let dayMs = Number.NaN
  let inOrder = true
  for (const { day, generation, content } of chunks) {
    const nextDay = day.getTime() !== dayMs
    // The segments of a day follow one another; several generations of it may overlap.
    if (checks.length >= limit && (nextDay || inOrder)) break
    if (nextDay) inOrder = generation === 0
    dayMs = day.getTime()
    for (const check of await unpackChunk(content)) {
      if (!since || check.checkedAt >= since) checks.push(check)
    }
  }
  return checks.sort((a, b) => b.checkedAt.getTime() - a.checkedAt.getTime()).slice(0, limit)
}

/** Whole days of chunks, until together they hold what the recent days lack. */
function selectNewest(
  monitorId: number,
  since: Date | null,
  limit: number,
): RawBuilder<RawRow & Omit<ChunkRow, 'content'> & { content: Buffer | null }> {
  const quarter = sql.raw(QUARTER_OF_AN_HOUR)
  const recent = since
    ? sql`AND checked_at >= ${since} AND ${quarter} >= ${new Date(since.getTime() - 15 * 60_000)}`
    : sql``
  const compacted = since ? sql`AND c.day >= ${startOfDay(since)}` : sql``
  return sql`
    WITH recent AS MATERIALIZED (
      SELECT checked_at, status, response_time_ms, http_status_code, region, error_message, phases
      FROM checks WHERE monitor_id = ${monitorId} ${recent}
      ORDER BY ${quarter} DESC, checked_at DESC LIMIT ${limit}
    ), days AS (
      SELECT c.day, c.generation, c.segment, c.checks, c.content
      FROM check_chunks c JOIN compacted_days d ON d.day = c.day AND c.generation < d.generations
      WHERE c.monitor_id = ${monitorId} ${compacted} AND (SELECT count(*) FROM recent) < ${limit}
      ORDER BY c.day DESC FETCH FIRST (${limit}) ROWS WITH TIES
    ), older AS (
      SELECT *, sum(checks) OVER (ORDER BY day DESC) - sum(checks) OVER (PARTITION BY day) AS newer FROM days
    )
    SELECT checked_at AS "checkedAt", status, response_time_ms AS "responseTimeMs",
           http_status_code AS "httpStatusCode", region, error_message AS "errorMessage", phases,
           NULL::timestamptz AS day, NULL::smallint AS generation, NULL::smallint AS segment, NULL::bytea AS content
    FROM recent
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, day, generation, segment, content
    FROM older WHERE newer < ${limit} - (SELECT count(*) FROM recent)
    ORDER BY day DESC, generation DESC, segment DESC`
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
