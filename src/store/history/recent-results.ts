import {
  addToBucket,
  BUCKET_STARTS,
  decodeHistogram,
  type Extent,
  type Histogram,
  joinedExtent,
  mergeInto,
} from '../../core/history/histogram.ts'
import { DAY_MS, HOUR_MS, nextWhole, startOfDay } from '../../core/history/history-span.ts'
import { addTimes, type KnownTimes, knownMs, noTime } from '../../core/history/uptime.ts'
import type { Database } from '../../postgres/database.ts'
import { countChecks, extentOf } from './roll-ups.ts'
import { readHoursUntil, readLatestTimes } from './uptimes.ts'

/** A monitor's results of its last days. */
export type RecentResults = {
  /** Time in each state by start of the day (UTC) in milliseconds; days of which nothing is known are missing. */
  days: Map<number, KnownTimes>
  /** Response times of recent checks that passed. */
  histogram: Histogram
  extent: Extent
}

type Part = KnownTimes & {
  monitorId: number
  at: Date
  histogram: Buffer | null
  buckets: number[] | null
  counts: number[] | null
  minMs: number | null
  maxMs: number | null
}

/**
 * Starts with the first full hour from `from` on; response times start likewise from `timesFrom`. Days, hours and recent
 * checks are read up to and from one instant, so that nothing is counted twice.
 */
export async function readRecentResults(
  db: Database,
  monitorIds: number[],
  { from, timesFrom, to }: { from: Date; timesFrom: Date; to: Date },
): Promise<Map<number, RecentResults>> {
  const since = nextWhole(from, HOUR_MS)
  const timesSince = nextWhole(timesFrom, HOUR_MS)
  const hoursUntil = await readHoursUntil(db)
  const { rows } = await db.pool.query<Part>({
    name: 'read-recent-results',
    text: RECENT_RESULTS,
    values: [
      monitorIds,
      BUCKET_STARTS,
      since,
      nextWhole(since, DAY_MS),
      timesSince,
      nextWhole(new Date(to.getTime() + 1), HOUR_MS),
      hoursUntil,
    ],
  })
  const results = new Map<number, RecentResults>(
    monitorIds.map((id) => [id, { days: new Map(), histogram: new Map(), extent: null }]),
  )
  for (const part of rows) {
    const result = results.get(part.monitorId) as RecentResults
    addToDay(result.days, part)
    if (part.at >= timesSince) addResponseTimes(result, part)
  }
  for (const start of startsOfDays(since, hoursUntil, to)) {
    const end = new Date(Math.min(startOfDay(start, 1).getTime(), to.getTime()))
    for (const { id, times } of await readLatestTimes(db, monitorIds, [start], hoursUntil, end))
      addToDay((results.get(id) as RecentResults).days, { at: start, ...times })
  }
  return results
}

/** The days that are not rolled up, or not whole yet: today, and yesterday shortly after midnight. */
function startsOfDays(since: Date, hoursUntil: Date, to: Date): Date[] {
  const starts: Date[] = []
  for (let at = since > hoursUntil ? since : hoursUntil; at < to; at = startOfDay(at, 1)) starts.push(at)
  return starts
}

const TIMES = `up_ms AS "upMs", degraded_ms AS "degradedMs", down_ms AS "downMs", maintenance_ms AS "maintenanceMs"`

/** Hours of days that are already rolled up contribute only response times; so do checks. */
const RECENT_RESULTS = `
  WITH edge AS (SELECT $7::timestamptz AS hours, date_trunc('day', $7::timestamptz, 'UTC') AS days)
  SELECT monitor_id AS "monitorId", day AS at, ${TIMES},
         NULL::bytea AS histogram, NULL::int[] AS buckets, NULL::int[] AS counts,
         NULL::int AS "minMs", NULL::int AS "maxMs"
  FROM check_days
  WHERE monitor_id = ANY($1) AND day >= $4::timestamptz AND day < (SELECT days FROM edge) AND up_ms IS NOT NULL
  UNION ALL
  SELECT monitor_id, date_trunc('day', hour, 'UTC'), up_ms, degraded_ms, down_ms, maintenance_ms, NULL, NULL, NULL, NULL, NULL
  FROM check_hours
  WHERE monitor_id = ANY($1) AND hour >= $3::timestamptz AND hour < least($4::timestamptz, (SELECT hours FROM edge))
    AND up_ms IS NOT NULL
  UNION ALL
  SELECT monitor_id, hour, up_ms * counts, degraded_ms * counts, down_ms * counts, maintenance_ms * counts,
    histogram, NULL, NULL, min_ms, max_ms
  FROM check_hours, LATERAL (SELECT (hour >= greatest($4, (SELECT days FROM edge)))::int AS counts) AS day_to_come
  WHERE monitor_id = ANY($1) AND hour >= least($5::timestamptz, greatest($4, (SELECT days FROM edge)))
    AND hour < (SELECT hours FROM edge)
  UNION ALL
  SELECT monitor_id, at, NULL, NULL, NULL, NULL, NULL, buckets, counts, min_ms, max_ms
  FROM (${countChecks('greatest($5::timestamptz, (SELECT hours FROM edge))', '$6::timestamptz')}) AS tail`

function addToDay(days: RecentResults['days'], { at, ...times }: KnownTimes & { at: Date }): void {
  if (times.upMs === null || knownMs(times) === 0) return
  const day = startOfDay(at).getTime()
  const sum = days.get(day) ?? noTime()
  addTimes(sum, times)
  days.set(day, sum)
}

function addResponseTimes(
  into: RecentResults,
  { histogram: encoded, buckets, counts, minMs, maxMs }: Part,
): void {
  const histogram: Histogram = encoded ? decodeHistogram(encoded) : new Map()
  for (const [index, bucket] of (buckets ?? []).entries())
    addToBucket(histogram, bucket, counts?.[index] as number)
  into.extent = joinedExtent(into, { histogram, extent: extentOf(minMs, maxMs) })
  mergeInto(into.histogram, histogram)
}
