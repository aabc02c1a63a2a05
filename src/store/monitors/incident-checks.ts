import { sql } from 'kysely'
import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { DAY_MS, startOfDay } from '../../core/history/history-span.ts'
import {
  CHECKS_BEFORE,
  FIRST_FAILURES,
  LAST_CHECKS,
  storyChecks,
} from '../../core/monitors/incident-story.ts'
import { unpackTimings } from '../../core/monitors/phases.ts'
import type { Query } from '../../postgres/database.ts'
import { unpackChunk } from '../history/check-chunks.ts'
import { builtInQuarters, QUARTER_OF_AN_HOUR } from '../history/quarters.ts'

/** How many compacted days to search for the checks before an incident. */
const LOOK_BACK_DAYS = 7

/** The time span of an incident; `until` is null while it is open. Nothing before `since` is read. */
export type IncidentSpan = { monitorId: number; from: Date; until: Date | null; since: Date | null }

/** The checks that an incident's story needs, oldest first, and the number within the incident. */
export type IncidentChecks = { checks: CheckRecord[]; countWithin: number }

type RecentRow = Omit<CheckRecord, 'phases'> & { phases: Buffer | null }
type ChunkKey = { day: Date; generation: number; segment: number }
type SpanRows = { recent: RecentRow[]; recentCount: number; chunks: (ChunkKey & { checks: number })[] }

/**
 * Reads the checks around an incident. However long it was, only its first and last days are unpacked; the
 * days between are only counted. One statement reads recent checks and the list of chunks, so that each check
 * is seen exactly once.
 */
export async function readIncidentChecks(query: Query, span: IncidentSpan): Promise<IncidentChecks> {
  const { recent, recentCount, chunks } = await readSpan(query, span)
  const opened = daysToUnpack(span, chunks)
  const unpacked = await unpackDays(query, span, opened)
  const packed = chunks.filter(({ day }) => day >= startOfDay(startOf(span)) && !opened.has(day.getTime()))
  const checks = recent.map(({ phases, ...check }) => ({ ...check, ...unpackTimings(phases) }))
  return {
    checks: unpacked.checks.concat(checks).sort(byTime),
    countWithin: recentCount + unpacked.countWithin + packed.reduce((sum, chunk) => sum + chunk.checks, 0),
  }
}

/** Start of the visible part. */
function startOf({ from, since }: IncidentSpan): Date {
  return since && since > from ? since : from
}

function byTime(a: CheckRecord, b: CheckRecord): number {
  return a.checkedAt.getTime() - b.checkedAt.getTime()
}

async function readSpan(query: Query, span: IncidentSpan): Promise<SpanRows> {
  const { monitorId, from, until, since } = span
  const quarter = sql.raw(QUARTER_OF_AN_HOUR)
  const floor = since ?? new Date(0)
  const start = startOf(span)
  const ceiling = until ?? new Date(Date.UTC(9999, 0))
  const within = sql`monitor_id = ${monitorId} AND checked_at BETWEEN ${start} AND ${ceiling}
    AND ${builtInQuarters(start, until)}`
  const earliestDay = new Date(startOfDay(from).getTime() - LOOK_BACK_DAYS * DAY_MS)
  const { rows } = await sql<SpanRows>`
    WITH shown AS (
      (SELECT * FROM checks WHERE monitor_id = ${monitorId} AND checked_at < ${from} AND checked_at >= ${floor}
         AND ${builtInQuarters(floor, from)}
       ORDER BY ${quarter} DESC, checked_at DESC LIMIT ${CHECKS_BEFORE})
      UNION
      (SELECT * FROM checks WHERE ${within} AND status = 'down'
       ORDER BY ${quarter}, checked_at LIMIT ${FIRST_FAILURES})
      UNION
      (SELECT * FROM checks WHERE ${within} ORDER BY ${quarter} DESC, checked_at DESC LIMIT ${LAST_CHECKS + 1})
    ), packed AS (
      SELECT c.day, c.generation, c.segment, c.checks
      FROM check_chunks c JOIN compacted_days d ON d.day = c.day AND c.generation < d.generations
      WHERE c.monitor_id = ${monitorId} AND c.day BETWEEN ${earliestDay} AND ${ceiling}
        AND c.day >= ${startOfDay(floor)}
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object('checkedAt', checked_at, 'status', status,
         'responseTimeMs', response_time_ms, 'httpStatusCode', http_status_code, 'region', region,
         'errorMessage', error_message, 'phases', encode(phases, 'hex'))), '[]') FROM shown) AS recent,
      (SELECT count(*) FROM checks WHERE ${within}) AS "recentCount",
      (SELECT coalesce(json_agg(json_build_object('day', day, 'generation', generation, 'segment', segment,
         'checks', checks) ORDER BY day), '[]') FROM packed) AS chunks`.execute(query)
  return readDates(rows[0] as SpanRows)
}

/** Restores dates and bytes, which JSON cannot represent. */
function readDates({ recent, recentCount, chunks }: SpanRows): SpanRows {
  return {
    recent: recent.map((check) => ({
      ...check,
      checkedAt: new Date(check.checkedAt),
      phases: check.phases === null ? null : Buffer.from(String(check.phases), 'hex'),
    })),
    recentCount,
    chunks: chunks.map((chunk) => ({ ...chunk, day: new Date(chunk.day) })),
  }
}

/**
 * Days with checks to show: some before the incident, its first and last day, and enough after the first and
 * before the last.
 */
function daysToUnpack(span: IncidentSpan, chunks: SpanRows['chunks']): Set<number> {
  const first = startOfDay(startOf(span)).getTime()
  const last = span.until ? startOfDay(span.until).getTime() : Number.POSITIVE_INFINITY
  const checksOfDay = new Map<number, number>()
  for (const { day, checks } of chunks) {
    checksOfDay.set(day.getTime(), (checksOfDay.get(day.getTime()) ?? 0) + checks)
  }
  const days = [...checksOfDay.keys()].sort((a, b) => a - b)
  const inside = days.filter((day) => day > first && day < last)
  const enough = (ordered: number[], wanted: number) => {
    let sum = 0
    return ordered.filter((day) => {
      const isWanted = sum < wanted
      sum += checksOfDay.get(day) ?? 0
      return isWanted
    })
  }
  return new Set([
    ...enough(days.filter((day) => day < first).reverse(), CHECKS_BEFORE),
    ...days.filter((day) => day === first || day === last),
    ...enough(inside, FIRST_FAILURES),
    ...enough(inside.toReversed(), LAST_CHECKS + 1),
  ])
}

/** Keeps only the checks that the story may show, since a busy monitor has many per day. */
async function unpackDays(query: Query, span: IncidentSpan, days: Set<number>): Promise<IncidentChecks> {
  const around: IncidentChecks = { checks: [], countWithin: 0 }
  if (days.size === 0) return around
  const rows = await query
    .selectFrom('check_chunks as c')
    .innerJoin('compacted_days as d', 'd.day', 'c.day')
    .whereRef('c.generation', '<', 'd.generations')
    .where('c.monitor_id', '=', span.monitorId)
    .where(
      'c.day',
      'in',
      [...days].map((day) => new Date(day)),
    )
    .select('c.content')
    .execute()
  const { from, until, since } = span
  for (const { content } of rows) {
    const checks = (await unpackChunk(content)).filter(({ checkedAt }) => !since || checkedAt >= since)
    const story = storyChecks(checks.sort(byTime), { startedAt: from, resolvedAt: until })
    around.checks.push(...story.shown)
    around.countWithin += story.countWithin
  }
  return around
}
