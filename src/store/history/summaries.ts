import { BUCKET_STARTS } from '../../core/history/histogram.ts'
import { DAY_MS, HOUR_MS, nextWhole, QUARTER_MS, windowStart } from '../../core/history/history-span.ts'
import { uptimeOf } from '../../core/history/roll-up.ts'
import type { Database } from '../../postgres/database.ts'
import { QUARTER_OF_AN_HOUR } from './history.ts'
import {
  type CountedRow,
  countChecks,
  openStored,
  type RolledUp,
  STORED,
  type StoredRow,
  toRolledUp,
} from './roll-ups.ts'

export const UPTIME_DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type UptimeWindow = keyof typeof UPTIME_DAYS

/** Shares of checks that passed, 0 to 1; null if none was judged. */
export type Uptimes = Record<UptimeWindow, number | null>

/** The times up to which hours and days are rolled up; later data is in `checks` only. */
export const EDGE = `
  SELECT coalesce(max(hours_until), '-infinity') AS hours,
         coalesce(date_trunc('day', max(hours_until), 'UTC'), '-infinity') AS days
  FROM history_progress`

/**
 * Each monitor's uptime in windows that end now. A window starts at its first full hour, so older checks
 * never count. The result has all monitors; windows not requested are null.
 */
export async function readUptimes(
  db: Database,
  monitorIds: number[],
  now: Date,
  windows = Object.keys(UPTIME_DAYS) as UptimeWindow[],
): Promise<Map<number, Uptimes>> {
  const sinces = windows.map((window) => nextWhole(windowStart(UPTIME_DAYS[window], now) as Date, HOUR_MS))
  const { rows } = await db.pool.query<{ n: number; id: number; up: number; degraded: number; down: number }>(
    {
      name: 'read-uptimes',
      text: `
      WITH edge AS (${EDGE}),
      windows AS (SELECT * FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS w (since, whole, n)),
      tail AS MATERIALIZED (
        SELECT monitor_id, date_trunc('hour', checked_at, 'UTC') AS at, count(*) FILTER (WHERE status = 'up') AS up,
          count(*) FILTER (WHERE status = 'degraded') AS degraded, count(*) FILTER (WHERE status = 'down') AS down
        FROM checks
        WHERE monitor_id = ANY($1::int[]) AND checked_at >= greatest((SELECT hours FROM edge), $4::timestamptz)
          AND ${QUARTER_OF_AN_HOUR} >= greatest((SELECT hours FROM edge), $4::timestamptz)
        GROUP BY 1, 2
      )
      SELECT w.n, p.monitor_id AS id, sum(p.up)::int AS up, sum(p.degraded)::int AS degraded, sum(p.down)::int AS down
      FROM windows AS w CROSS JOIN LATERAL (
        SELECT monitor_id, up, degraded, down FROM check_days
        WHERE monitor_id = ANY($1) AND day >= w.whole AND day < (SELECT days FROM edge)
        UNION ALL
        SELECT monitor_id, up, degraded, down FROM check_hours
        WHERE monitor_id = ANY($1) AND hour >= w.since AND hour < least(w.whole, (SELECT hours FROM edge))
        UNION ALL
        SELECT monitor_id, up, degraded, down FROM check_hours
        WHERE monitor_id = ANY($1) AND hour >= greatest(w.whole, (SELECT days FROM edge))
          AND hour < (SELECT hours FROM edge)
        UNION ALL
        SELECT monitor_id, up, degraded, down FROM tail WHERE at >= w.since
      ) AS p
      GROUP BY w.n, p.monitor_id`,
      values: [
        monitorIds,
        sinces,
        sinces.map((since) => nextWhole(since, DAY_MS)),
        new Date(Math.min(...sinces.map((since) => since.getTime()))),
      ],
    },
  )
  const nothing = { '24h': null, '7d': null, '30d': null, '90d': null }
  const uptimes = new Map<number, Uptimes>(monitorIds.map((id) => [id, { ...nothing }]))
  for (const { n, id, ...counts } of rows) {
    const window = windows[n - 1] as UptimeWindow
    ;(uptimes.get(id) as Uptimes)[window] = uptimeOf(counts)
  }
  return uptimes
}

/**
 * Roll-ups of each monitor and region per quarter-hour, hour or day, unordered and without empty ones, from
 * the first full unit at or after `from` to the one that contains `to`. Days that are not rolled up yet are
 * returned as hours. Quarter-hours are computed from the checks, which exist for today and yesterday.
 */
export async function readRolledUp(
  { pool }: Database,
  monitorIds: number[],
  unit: 'quarter' | 'hour' | 'day',
  from: Date,
  to: Date,
): Promise<RolledUp[]> {
  const unitMs = { quarter: QUARTER_MS, hour: HOUR_MS, day: DAY_MS }[unit]
  const { rows } = await pool.query<StoredRow & CountedRow>({
    name: `read-${unit}-summaries`,
    text: ROLLED_UP[unit],
    values: [
      monitorIds,
      BUCKET_STARTS,
      nextWhole(from, unitMs),
      nextWhole(new Date(to.getTime() + 1), unitMs),
    ],
  })
  return rows.map((row) => (row.histogram ? openStored(row) : toRolledUp(row)))
}

const COUNTED = `monitor_id AS "monitorId", at, region, up, degraded, down, pending,
  response_time_sum_ms AS "responseTimeSumMs", NULL::bytea AS histogram, buckets, counts`

const ROLLED_UP = {
  quarter: `
    SELECT ${COUNTED} FROM (${countChecks('$3::timestamptz', '$4::timestamptz', QUARTER_OF_AN_HOUR)}) AS c`,
  hour: `
    WITH edge AS (${EDGE}) ${hoursAndTail('$3::timestamptz')}`,
  day: `
    WITH edge AS (${EDGE})
    SELECT day AS at, ${STORED}, NULL::int[] AS buckets, NULL::int[] AS counts FROM check_days
    WHERE monitor_id = ANY($1) AND day >= $3::timestamptz AND day < least($4::timestamptz, (SELECT days FROM edge))
    UNION ALL ${hoursAndTail('greatest($3::timestamptz, (SELECT days FROM edge))')}`,
}

function hoursAndTail(from: string): string {
  return `
    SELECT hour AS at, ${STORED}, NULL::int[] AS buckets, NULL::int[] AS counts FROM check_hours
    WHERE monitor_id = ANY($1) AND hour < least($4::timestamptz, (SELECT hours FROM edge)) AND hour >= ${from}
    UNION ALL
    SELECT at, monitor_id, region, up, degraded, down, pending, response_time_sum_ms, NULL, buckets, counts
    FROM (${countChecks('greatest($3::timestamptz, (SELECT hours FROM edge))', '$4::timestamptz')}) AS tail`
}
