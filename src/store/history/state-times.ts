import type { CountedDay, TimedDay } from '../../core/history/uptime-of-counts.ts'
import type { Connection } from '../../postgres/database.ts'

/** Days of these monitors before `until` whose time in each state no roll-up says, in order. */
export async function readUntimedDays(
  client: Connection,
  monitorIds: readonly number[],
  until: Date,
): Promise<Map<number, CountedDay[]>> {
  const { rows } = await client.query<{ id: number; at: Date; up: number; degraded: number; down: number }>({
    name: 'read-untimed-days',
    text: `SELECT monitor_id AS id, day AS at, sum(up) AS up, sum(degraded) AS degraded, sum(down) AS down
           FROM check_days WHERE monitor_id = ANY($1) AND day < $2
           GROUP BY monitor_id, day HAVING count(up_ms) = 0 ORDER BY monitor_id, day`,
    values: [monitorIds, until],
  })
  const days = rows.map(({ id, at, up, degraded, down }) => ({ id, atMs: at.getTime(), up, degraded, down }))
  return Map.groupBy(days, ({ id }) => id)
}

/** Writes times into one row of each day, and makes one where there is none; a day that has them stays as it is. */
export async function writeTimesOfDays(
  client: Connection,
  days: readonly (TimedDay & { id: number })[],
): Promise<void> {
  const column = <T>(read: (day: TimedDay & { id: number }) => T) => days.map(read)
  await client.query({
    name: 'write-times-of-days',
    text: `INSERT INTO check_days (monitor_id, day, region, up_ms, degraded_ms, down_ms, maintenance_ms)
           SELECT t.id, t.day, coalesce((SELECT min(region) FROM check_days r WHERE r.monitor_id = t.id AND r.day = t.day), ''),
             t.up_ms, t.degraded_ms, t.down_ms, t.maintenance_ms
           FROM unnest($1::int[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[])
             AS t (id, day, up_ms, degraded_ms, down_ms, maintenance_ms)
           WHERE NOT EXISTS (SELECT FROM check_days d
                             WHERE d.monitor_id = t.id AND d.day = t.day AND d.up_ms IS NOT NULL)
           ON CONFLICT (monitor_id, day, region) DO UPDATE SET up_ms = excluded.up_ms,
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
