import { BUCKET_STARTS } from '../../core/history/histogram.ts'
import { DAY_MS, HOUR_MS, nextWhole, QUARTER_MS } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import { QUARTER_OF_AN_HOUR } from './quarters.ts'
import {
  type CountedRow,
  countChecks,
  openStored,
  type RolledUp,
  STORED,
  type StoredRow,
  toRolledUp,
} from './roll-ups.ts'

/** The times up to which hours and days are rolled up; later data is in `checks` only. */
export const EDGE = `
  SELECT coalesce(max(hours_until), '-infinity') AS hours,
         coalesce(date_trunc('day', max(hours_until), 'UTC'), '-infinity') AS days
  FROM history_progress`

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
  response_time_sum_ms AS "responseTimeSumMs", min_ms AS "minMs", max_ms AS "maxMs", NULL::bytea AS histogram, buckets, counts`

/** An hour in which no check was due has a row for its time in each state alone. */
const HAS_CHECKS = 'up + degraded + down + pending > 0'

const ROLLED_UP = {
  quarter: `
    SELECT ${COUNTED} FROM (${countChecks('$3::timestamptz', '$4::timestamptz', QUARTER_OF_AN_HOUR)}) AS c`,
  hour: `
    WITH edge AS (${EDGE}) ${hoursAndTail('$3::timestamptz')}`,
  day: `
    WITH edge AS (${EDGE})
    SELECT day AS at, ${STORED}, NULL::int[] AS buckets, NULL::int[] AS counts FROM check_days
    WHERE ${HAS_CHECKS} AND monitor_id = ANY($1) AND day >= $3::timestamptz AND day < least($4::timestamptz, (SELECT days FROM edge))
    UNION ALL ${hoursAndTail('greatest($3::timestamptz, (SELECT days FROM edge))')}`,
}

function hoursAndTail(from: string): string {
  return `
    SELECT hour AS at, ${STORED}, NULL::int[] AS buckets, NULL::int[] AS counts FROM check_hours
    WHERE ${HAS_CHECKS} AND monitor_id = ANY($1) AND hour < least($4::timestamptz, (SELECT hours FROM edge)) AND hour >= ${from}
    UNION ALL
    SELECT at, monitor_id, region, up, degraded, down, pending, response_time_sum_ms, min_ms, max_ms, NULL, buckets, counts
    FROM (${countChecks('greatest($3::timestamptz, (SELECT hours FROM edge))', '$4::timestamptz')}) AS tail`
}
