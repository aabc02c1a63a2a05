import { addEncoded, addToBucket, BUCKET_STARTS, type Histogram } from '../../core/history/histogram.ts'
import { DAY_MS, HOUR_MS, nextWhole, startOfDay } from '../../core/history/history-span.ts'
import { type Judged, sumOf } from '../../core/history/roll-up.ts'
import type { Database } from '../../postgres/database.ts'
import { countChecks } from './roll-ups.ts'
import { EDGE } from './summaries.ts'

/** A monitor's results of its last days. */
export type RecentResults = {
  /** Results by start of the day (UTC) in milliseconds; days without checks are missing. */
  days: Map<number, Judged>
  /** Response times of recent checks that passed. */
  histogram: Histogram
}

type Part = Judged & {
  monitorId: number
  at: Date
  histogram: Buffer | null
  buckets: number[] | null
  counts: number[] | null
}

/**
 * Starts with the first full hour from `from` on; response times start likewise from `timesFrom`. A single statement
 * reads days, hours and recent checks, so that each check is counted exactly once.
 */
export async function readRecentResults(
  { pool }: Database,
  monitorIds: number[],
  { from, timesFrom, to }: { from: Date; timesFrom: Date; to: Date },
): Promise<Map<number, RecentResults>> {
  const since = nextWhole(from, HOUR_MS)
  const timesSince = nextWhole(timesFrom, HOUR_MS)
  const { rows } = await pool.query<Part>({
    name: 'read-recent-results',
    text: RECENT_RESULTS,
    values: [
      monitorIds,
      BUCKET_STARTS,
      since,
      nextWhole(since, DAY_MS),
      timesSince,
      nextWhole(new Date(to.getTime() + 1), HOUR_MS),
    ],
  })
  const results = new Map<number, RecentResults>(
    monitorIds.map((id) => [id, { days: new Map(), histogram: new Map() }]),
  )
  for (const part of rows) {
    const { days, histogram } = results.get(part.monitorId) as RecentResults
    addToDay(days, part)
    if (part.at >= timesSince) addTimes(histogram, part)
  }
  return results
}

/** Hours of days that are already rolled up contribute only response times. */
const RECENT_RESULTS = `
  WITH edge AS (${EDGE})
  SELECT monitor_id AS "monitorId", day AS at, up, degraded, down,
         NULL::bytea AS histogram, NULL::int[] AS buckets, NULL::int[] AS counts
  FROM check_days
  WHERE monitor_id = ANY($1) AND day >= $4::timestamptz AND day < (SELECT days FROM edge)
  UNION ALL
  SELECT monitor_id, date_trunc('day', hour, 'UTC'), up, degraded, down, NULL, NULL, NULL
  FROM check_hours
  WHERE monitor_id = ANY($1) AND hour >= $3::timestamptz AND hour < least($4::timestamptz, (SELECT hours FROM edge))
  UNION ALL
  SELECT monitor_id, hour, up * counts, degraded * counts, down * counts, histogram, NULL, NULL
  FROM check_hours, LATERAL (SELECT (hour >= greatest($4, (SELECT days FROM edge)))::int AS counts) AS day_to_come
  WHERE monitor_id = ANY($1) AND hour >= least($5::timestamptz, greatest($4, (SELECT days FROM edge)))
    AND hour < (SELECT hours FROM edge)
  UNION ALL
  SELECT monitor_id, at, up, degraded, down, NULL, buckets, counts
  FROM (${countChecks('greatest($3::timestamptz, (SELECT hours FROM edge))', '$6::timestamptz')}) AS tail`

function addToDay(days: RecentResults['days'], part: Part): void {
  const day = startOfDay(part.at).getTime()
  const sum = days.get(day)
  days.set(day, sumOf(sum ? [sum, part] : [part]))
}

function addTimes(into: Histogram, { histogram, buckets, counts }: Part): void {
  if (histogram) addEncoded(into, histogram)
  for (const [index, bucket] of (buckets ?? []).entries())
    addToBucket(into, bucket, counts?.[index] as number)
}
