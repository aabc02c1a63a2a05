import { type RawBuilder, sql } from 'kysely'
import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { startOfDay } from '../../core/history/history-span.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import { unpackTimings } from '../../core/monitors/phases.ts'
import type { Query } from '../../postgres/database.ts'
import { unpackChunk } from './check-chunks.ts'
import { builtInQuarters, QUARTER_OF_AN_HOUR } from './quarters.ts'

type RawRow = Omit<CheckRecord, 'phases'> & { phases: Buffer | null }
type ChunkRow = { day: Date; generation: number; segment: number; content: Buffer }

/** Newest first. `since` is the start of the plan's history; null for no limit. */
export async function newestChecks(
  query: Query,
  monitorId: number,
  since: Date | null,
  limit: number,
): Promise<CheckRecord[]> {
  const page = await readCheckPage(query, monitorId, { since, limit })
  return page.checks.slice(0, limit)
}

/** Selects a monitor's checks, from `since` and before `before`. */
export type CheckQuery = { since: Date | null; before?: Date; status?: CheckStatus; limit: number }

/**
 * Newest first. One statement reads recent and compacted days, so that a day being compacted is seen exactly
 * once. Checks at the same instant stay together, even beyond the limit. If older checks may exist,
 * `nextBefore` is the instant to continue before.
 */
export async function readCheckPage(
  query: Query,
  monitorId: number,
  options: CheckQuery,
): Promise<{ checks: CheckRecord[]; nextBefore: Date | null }> {
  const { since, before, status, limit } = options
  const { rows } = await selectPage(monitorId, options).execute(query)
  const checks: CheckRecord[] = []
  const chunks: ChunkRow[] = []
  for (const { day, generation, segment, content, ...raw } of rows) {
    if (content) chunks.push({ day, generation, segment, content })
    else checks.push({ ...raw, ...unpackTimings(raw.phases) })
  }
  let day: Date | null = null
  let inOrder = true
  for (const chunk of chunks) {
    const nextDay: boolean = chunk.day.getTime() !== day?.getTime()
    // Segments of one generation are in order; several generations of a day may overlap.
    if (checks.length > limit && (nextDay || inOrder)) break
    if (nextDay) inOrder = chunk.generation === 0
    day = chunk.day
    for (const check of await unpackChunk(chunk.content)) {
      if (since && check.checkedAt < since) continue
      if (before && check.checkedAt >= before) continue
      if (!status || check.status === status) checks.push(check)
    }
  }
  checks.sort((a, b) => b.checkedAt.getTime() - a.checkedAt.getTime())
  const last = checks[limit - 1]?.checkedAt
  return {
    checks: last ? checks.filter(({ checkedAt }) => checkedAt >= last) : checks,
    nextBefore: last ?? day,
  }
}

/** Selects full days of chunks, until they have as many checks as the recent days lack. */
function selectPage(
  monitorId: number,
  { since, before, status, limit }: CheckQuery,
): RawBuilder<RawRow & Omit<ChunkRow, 'content'> & { content: Buffer | null }> {
  const quarter = sql.raw(QUARTER_OF_AN_HOUR)
  const conditions = [
    builtInQuarters(since, before ?? null),
    since && sql`checked_at >= ${since}`,
    before && sql`checked_at < ${before}`,
    status && sql`status = ${status}`,
  ]
  const daysConditions = [
    since && sql`c.day >= ${startOfDay(since)}`,
    before && sql`c.day < ${before}`,
    // Skip days without such checks.
    status && sql`${checksOfDay(status)} > 0`,
  ]
  // The number of remaining checks on the day of `before` is unknown.
  const whole = before ? sql`c.day < ${startOfDay(before)}` : sql`true`
  const counted = status
    ? sql`CASE WHEN ${whole} AND c.segment = 0 THEN ${checksOfDay(status)} ELSE 0 END`
    : sql`CASE WHEN ${whole} THEN c.checks ELSE 0 END`
  return sql`
    WITH recent AS MATERIALIZED (
      SELECT checked_at, status, response_time_ms, http_status_code, region, error_message, phases
      FROM checks WHERE monitor_id = ${monitorId} ${and(conditions)}
      ORDER BY ${quarter} DESC, checked_at DESC FETCH FIRST (${limit}) ROWS WITH TIES
    ), days AS (
      SELECT c.day, c.generation, c.segment, ${counted} AS checks, c.content
      FROM check_chunks c JOIN compacted_days d ON d.day = c.day AND c.generation < d.generations
      WHERE c.monitor_id = ${monitorId} ${and(daysConditions)} AND (SELECT count(*) FROM recent) < ${limit}
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

/**
 * Checks of a status on a compacted day, according to its roll-up. Those that failed under maintenance are what it does not
 * count, of all that chunks hold.
 */
function checksOfDay(status: CheckStatus): RawBuilder<number> {
  if (status === 'maintenance')
    return sql`coalesce((SELECT sum(k.checks) FROM check_chunks k WHERE k.monitor_id = c.monitor_id AND k.day = c.day
                           AND k.generation < d.generations), 0)
               - coalesce((SELECT sum(r.up + r.degraded + r.down + r.pending) FROM check_days r
                           WHERE r.monitor_id = c.monitor_id AND r.day = c.day), 0)`
  return sql`coalesce((SELECT sum(r.${sql.ref(status)}) FROM check_days r
                       WHERE r.monitor_id = c.monitor_id AND r.day = c.day), 0)`
}

function and(conditions: (RawBuilder<unknown> | null | undefined | '')[]): RawBuilder<unknown> {
  const set = conditions.filter((condition) => !!condition)
  return sql.join([sql``, ...set], sql` AND `)
}
