import {
  addToBucket,
  BUCKET_STARTS,
  decodeHistogram,
  type Extent,
  encodeHistogram,
} from '../../core/history/histogram.ts'
import { DAY_MS, HOUR_MS } from '../../core/history/history-span.ts'
import { emptyRollUp, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import { addTimes, type KnownTimes, noTime, stateTimes, type WatchedTime } from '../../core/history/uptime.ts'
import type { Connection } from '../../postgres/database.ts'
import { inQuarters } from './quarters.ts'

/** The roll-up of one monitor's checks from one region, for the hour or day that starts at `at`. */
export type RolledUp = { monitorId: number; at: Date; region: string; rollUp: RollUp }

export type CountedRow = {
  monitorId: number
  at: Date
  region: string
  up: number
  degraded: number
  down: number
  pending: number
  responseTimeSumMs: number
  minMs: number | null
  maxMs: number | null
  buckets: number[]
  counts: number[]
}

/** A row to write. One row of a monitor's hour or day has the times; in those of other regions they are null. */
type WrittenRow = RolledUp & { times?: KnownTimes | undefined }

const HOUR = `date_trunc('hour', checked_at, 'UTC')`

/**
 * SQL that counts the checks of $1 (monitor ids) by hour and region; $2 holds the bucket starts. `from` and
 * `to` are SQL expressions for full hours. With another `startOf`, all periods may be quarter-hours. Only
 * checks that passed have a bucket; those that failed under maintenance are not counted.
 */
export function countChecks(from: string, to: string, startOf = HOUR): string {
  return `
  SELECT monitor_id, at, region,
    coalesce(sum(n) FILTER (WHERE status = 'up'), 0)::int AS up,
    coalesce(sum(n) FILTER (WHERE status = 'degraded'), 0)::int AS degraded,
    coalesce(sum(n) FILTER (WHERE status = 'down'), 0)::int AS down,
    coalesce(sum(n) FILTER (WHERE status = 'pending'), 0)::int AS pending,
    coalesce(sum(sum_ms), 0)::bigint AS response_time_sum_ms, min(min_ms) AS min_ms, max(max_ms) AS max_ms,
    coalesce(array_agg(bucket) FILTER (WHERE bucket IS NOT NULL), '{}') AS buckets,
    coalesce(array_agg(n::int) FILTER (WHERE bucket IS NOT NULL), '{}') AS counts
  FROM (
    SELECT monitor_id, ${startOf} AS at, coalesce(region, '') AS region, status,
      CASE WHEN status IN ('up', 'degraded') THEN width_bucket(response_time_ms, $2::int[]) END AS bucket,
      count(*) AS n, sum(response_time_ms) FILTER (WHERE status IN ('up', 'degraded')) AS sum_ms,
      min(response_time_ms) FILTER (WHERE status IN ('up', 'degraded')) AS min_ms,
      max(response_time_ms) FILTER (WHERE status IN ('up', 'degraded')) AS max_ms
    FROM checks
    WHERE monitor_id = ANY($1::int[]) AND checked_at >= ${from} AND checked_at < ${to} AND status <> 'maintenance'
      AND ${inQuarters(from, to)}
    GROUP BY 1, 2, 3, 4, 5
  ) AS c
  GROUP BY monitor_id, at, region`
}

/**
 * Recomputes the roll-ups of full hours from the checks. Without `watched`, the time in each state stays what it was when
 * the hour was closed.
 */
export async function rollUpHours(
  client: Connection,
  monitorIds: number[],
  from: Date,
  to: Date,
  watched: ReadonlyMap<number, WatchedTime> | null,
): Promise<void> {
  const { rows } = await client.query<CountedRow>({
    name: 'count-checks',
    text: `SELECT monitor_id AS "monitorId", at, region, up, degraded, down, pending,
             response_time_sum_ms AS "responseTimeSumMs", min_ms AS "minMs", max_ms AS "maxMs", buckets, counts FROM (${countChecks('$3', '$4')}) AS c`,
    values: [monitorIds, BUCKET_STARTS, from, to],
  })
  const rolledUp = rows.map(toRolledUp)
  if (!watched) return write(client, 'hour', rolledUp)
  await forgetTimes(client, 'hour', monitorIds, from, to)
  await write(client, 'hour', withTimesOfHours(rolledUp, watched, from, to))
}

/** An hour in which something is known gets a row even without a check, as one between the pings of a daily job. */
function withTimesOfHours(
  rolledUp: RolledUp[],
  watched: ReadonlyMap<number, WatchedTime>,
  from: Date,
  to: Date,
): WrittenRow[] {
  const rows: WrittenRow[] = []
  const byHour = Map.groupBy(rolledUp, ({ monitorId, at }) => `${monitorId} ${at.getTime()}`)
  for (const [monitorId, one] of watched) {
    for (let atMs = from.getTime(); atMs < to.getTime(); atMs += HOUR_MS) {
      const times = stateTimes(one, { fromMs: atMs, toMs: atMs + HOUR_MS })
      const [first, ...others] = byHour.get(`${monitorId} ${atMs}`) ?? []
      if (first) rows.push({ ...first, times }, ...others)
      else if (times.unknownMs < HOUR_MS)
        rows.push({ monitorId, at: new Date(atMs), region: '', rollUp: emptyRollUp(), times })
    }
  }
  return rows
}

/** Rolls up a day of these monitors from its hours; its times only when it is closed, as for hours. */
export async function rollUpDay(
  client: Connection,
  monitorIds: number[],
  day: Date,
  closes: boolean,
): Promise<void> {
  const end = new Date(day.getTime() + DAY_MS)
  const { rows } = await client.query<StoredRow & Record<keyof KnownTimes, number | null>>({
    name: 'read-hours',
    text: `SELECT hour AS at, ${STORED}, up_ms AS "upMs", degraded_ms AS "degradedMs", down_ms AS "downMs",
             maintenance_ms AS "maintenanceMs"
           FROM check_hours WHERE monitor_id = ANY($1) AND hour >= $2 AND hour < $3`,
    values: [monitorIds, day, end],
  })
  const days = new Map<string, WrittenRow>()
  const times = new Map<number, KnownTimes>()
  for (const row of rows) {
    const { monitorId, region, rollUp } = openStored(row)
    const key = `${monitorId} ${region}`
    const whole = days.get(key) ?? { monitorId, at: day, region, rollUp: emptyRollUp() }
    mergeRollUp(whole.rollUp, rollUp)
    days.set(key, whole)
    if (row.upMs === null) continue
    const sum = times.get(monitorId) ?? noTime()
    addTimes(sum, row as KnownTimes)
    times.set(monitorId, sum)
  }
  if (closes) {
    await forgetTimes(client, 'day', monitorIds, day, end)
    for (const row of days.values()) {
      row.times = times.get(row.monitorId)
      times.delete(row.monitorId)
    }
  }
  await write(client, 'day', [...days.values()])
}

/** Before times are written anew, perhaps into the row of another region: no hour or day may have them twice. */
async function forgetTimes(
  client: Connection,
  unit: 'hour' | 'day',
  monitorIds: number[],
  from: Date,
  to: Date,
): Promise<void> {
  await client.query({
    name: `forget-times-of-${unit}s`,
    text: `UPDATE check_${unit}s SET up_ms = NULL, degraded_ms = NULL, down_ms = NULL, maintenance_ms = NULL
           WHERE monitor_id = ANY($1) AND ${unit} >= $2 AND ${unit} < $3 AND up_ms IS NOT NULL`,
    values: [monitorIds, from, to],
  })
}

/** Number of checks that the roll-ups of a day count, by monitor. */
export async function countRolledUp(
  client: Connection,
  monitorIds: number[],
  day: Date,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; checks: number }>({
    name: 'count-rolled-up',
    text: `SELECT monitor_id AS id, sum(up + degraded + down + pending) AS checks FROM check_days
           WHERE monitor_id = ANY($1) AND day = $2 GROUP BY monitor_id`,
    values: [monitorIds, day],
  })
  return new Map(rows.map(({ id, checks }) => [id, checks]))
}

export type StoredRow = Omit<RollUp, 'histogram' | 'extent'> & {
  monitorId: number
  at: Date
  region: string
  /** Null in rows of releases that did not keep them. */
  minMs: number | null
  maxMs: number | null
  histogram: Buffer
}

/** The columns shared by both roll-up tables, without their time. */
export const STORED = `monitor_id AS "monitorId", region, up, degraded, down, pending,
  response_time_sum_ms AS "responseTimeSumMs", min_ms AS "minMs", max_ms AS "maxMs", histogram`

export function openStored({
  monitorId,
  at,
  region,
  histogram,
  minMs,
  maxMs,
  ...counts
}: StoredRow): RolledUp {
  const { up, degraded, down, pending, responseTimeSumMs } = counts
  const sums = { up, degraded, down, pending, responseTimeSumMs }
  const rollUp = { ...sums, extent: extentOf(minMs, maxMs), histogram: decodeHistogram(histogram) }
  return { monitorId, at, region, rollUp }
}

export function toRolledUp({
  monitorId,
  at,
  region,
  buckets,
  counts,
  minMs,
  maxMs,
  ...sums
}: CountedRow): RolledUp {
  const { up, degraded, down, pending, responseTimeSumMs } = sums
  const extent = extentOf(minMs, maxMs)
  const rollUp: RollUp = { up, degraded, down, pending, responseTimeSumMs, extent, histogram: new Map() }
  // Up and degraded checks are counted separately and may share a bucket.
  for (const [index, bucket] of buckets.entries()) {
    addToBucket(rollUp.histogram, bucket, counts[index] as number)
  }
  return { monitorId, at, region, rollUp }
}

export function extentOf(minMs: number | null, maxMs: number | null): Extent {
  return minMs === null || maxMs === null ? null : { min: minMs, max: maxMs }
}

async function write(client: Connection, unit: 'hour' | 'day', rolledUp: WrittenRow[]): Promise<void> {
  if (rolledUp.length === 0) return
  const column = <T>(read: (row: WrittenRow) => T) => rolledUp.map(read)
  await client.query({
    name: `write-${unit}s`,
    text: `INSERT INTO check_${unit}s AS kept (monitor_id, ${unit}, region, up, degraded, down, pending,
                                       response_time_sum_ms, histogram, up_ms, degraded_ms, down_ms, maintenance_ms,
                                       min_ms, max_ms)
           SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::text[], $4::int[], $5::int[], $6::int[],
                                $7::int[], $8::bigint[], $9::bytea[], $10::int[], $11::int[], $12::int[], $13::int[],
                                $14::int[], $15::int[])
           ON CONFLICT (monitor_id, ${unit}, region) DO UPDATE SET
             up = excluded.up, degraded = excluded.degraded, down = excluded.down, pending = excluded.pending,
             response_time_sum_ms = excluded.response_time_sum_ms, histogram = excluded.histogram,
             min_ms = excluded.min_ms, max_ms = excluded.max_ms,
             up_ms = coalesce(excluded.up_ms, kept.up_ms),
             degraded_ms = coalesce(excluded.degraded_ms, kept.degraded_ms),
             down_ms = coalesce(excluded.down_ms, kept.down_ms),
             maintenance_ms = coalesce(excluded.maintenance_ms, kept.maintenance_ms)`,
    values: [
      column(({ monitorId }) => monitorId),
      column(({ at }) => at),
      column(({ region }) => region),
      column(({ rollUp }) => rollUp.up),
      column(({ rollUp }) => rollUp.degraded),
      column(({ rollUp }) => rollUp.down),
      column(({ rollUp }) => rollUp.pending),
      column(({ rollUp }) => rollUp.responseTimeSumMs),
      column(({ rollUp }) => encodeHistogram(rollUp.histogram)),
      column(({ times }) => times?.upMs ?? null),
      column(({ times }) => times?.degradedMs ?? null),
      column(({ times }) => times?.downMs ?? null),
      column(({ times }) => times?.maintenanceMs ?? null),
      column(({ rollUp }) => rollUp.extent?.min ?? null),
      column(({ rollUp }) => rollUp.extent?.max ?? null),
    ],
  })
}
