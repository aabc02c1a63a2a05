import type { CountedHour, TimedHour } from '../../core/history/uptime-of-counts.ts'
import type { Connection } from '../../postgres/database.ts'

/** Rows without times add nothing. */
const SUMMED_TIMES = `coalesce(sum(up_ms), 0)::bigint AS "upMs", coalesce(sum(degraded_ms), 0)::bigint AS "degradedMs",
  coalesce(sum(down_ms), 0)::bigint AS "downMs", coalesce(sum(maintenance_ms), 0)::bigint AS "maintenanceMs"`

/** Hours of these monitors before `until` whose time in each state no roll-up says, in order. */
export async function readUntimedHours(
  client: Connection,
  monitorIds: readonly number[],
  until: Date,
): Promise<Map<number, CountedHour[]>> {
  const { rows } = await client.query<{ id: number; at: Date; up: number; degraded: number; down: number }>({
    name: 'read-untimed-hours',
    text: `SELECT monitor_id AS id, hour AS at, sum(up) AS up, sum(degraded) AS degraded, sum(down) AS down
           FROM check_hours WHERE monitor_id = ANY($1) AND hour < $2
           GROUP BY monitor_id, hour HAVING count(up_ms) = 0 ORDER BY monitor_id, hour`,
    values: [monitorIds, until],
  })
  const hours = rows.map(({ id, at, up, degraded, down }) => ({ id, atMs: at.getTime(), up, degraded, down }))
  return Map.groupBy(hours, ({ id }) => id)
}

/** Writes times into one row of each hour, and makes one where there is none; an hour that has them stays as it is. */
export async function writeTimesOfHours(
  client: Connection,
  hours: readonly (TimedHour & { id: number })[],
): Promise<void> {
  const column = <T>(read: (hour: TimedHour & { id: number }) => T) => hours.map(read)
  await client.query({
    name: 'write-times-of-hours',
    text: `INSERT INTO check_hours (monitor_id, hour, region, up_ms, degraded_ms, down_ms, maintenance_ms)
           SELECT t.id, t.hour, coalesce((SELECT min(region) FROM check_hours r WHERE r.monitor_id = t.id AND r.hour = t.hour), ''),
             t.up_ms, t.degraded_ms, t.down_ms, t.maintenance_ms
           FROM unnest($1::int[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[])
             AS t (id, hour, up_ms, degraded_ms, down_ms, maintenance_ms)
           WHERE NOT EXISTS (SELECT FROM check_hours d
                             WHERE d.monitor_id = t.id AND d.hour = t.hour AND d.up_ms IS NOT NULL)
           ON CONFLICT (monitor_id, hour, region) DO UPDATE SET up_ms = excluded.up_ms,
             degraded_ms = excluded.degraded_ms, down_ms = excluded.down_ms, maintenance_ms = excluded.maintenance_ms`,
    values: [
      column(({ id }) => id),
      column(({ atMs }) => new Date(atMs)),
      column(({ times }) => times.upMs),
      column(({ times }) => times.degradedMs),
      column(({ times }) => times.downMs),
      column(({ times }) => times.maintenanceMs),
    ],
  })
}

/** Adds the hours up into each day before `until` that has no times; a day that has them stays as it is. */
export async function sumUntimedDays(
  client: Connection,
  monitorIds: readonly number[],
  until: Date,
): Promise<void> {
  await client.query({
    name: 'sum-untimed-days',
    text: `INSERT INTO check_days (monitor_id, day, region, up_ms, degraded_ms, down_ms, maintenance_ms)
           SELECT h.id, h.day, coalesce((SELECT min(region) FROM check_days r WHERE r.monitor_id = h.id AND r.day = h.day), ''),
             h."upMs", h."degradedMs", h."downMs", h."maintenanceMs"
           FROM (SELECT monitor_id AS id, date_trunc('day', hour, 'UTC') AS day, ${SUMMED_TIMES}
                 FROM check_hours WHERE monitor_id = ANY($1) AND hour < $2 AND up_ms IS NOT NULL GROUP BY 1, 2) AS h
           WHERE NOT EXISTS (SELECT FROM check_days d
                             WHERE d.monitor_id = h.id AND d.day = h.day AND d.up_ms IS NOT NULL)
           ON CONFLICT (monitor_id, day, region) DO UPDATE SET up_ms = excluded.up_ms,
             degraded_ms = excluded.degraded_ms, down_ms = excluded.down_ms, maintenance_ms = excluded.maintenance_ms`,
    values: [monitorIds, until],
  })
}
