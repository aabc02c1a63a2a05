import type { KnownTimes } from '../../core/history/uptime.ts'
import type { Database } from '../../postgres/database.ts'
import { addDay, addWatchedDays, type DayTimes } from '../history/day-times.ts'
import { readProgress } from '../history/history-progress.ts'
import { readWatchedServers } from './watched-time.ts'

/** The end of the roll-ups of servers; later samples are rows. The beginning of all time while nothing is rolled up. */
export async function readServerHoursUntil({ pool }: Database): Promise<Date> {
  return (await readProgress(pool))?.serverHoursUntil ?? new Date(0)
}

/** The known time of servers in the days from `from`, the start of one, up to now: from hours, and from samples since. */
export async function readServerDayTimes(
  db: Database,
  serverIds: number[],
  from: Date,
  now: Date,
): Promise<DayTimes> {
  if (serverIds.length === 0) return new Map()
  const hoursUntil = await readServerHoursUntil(db)
  const tail = { from: new Date(Math.max(from.getTime(), hoursUntil.getTime())), to: now }
  const [{ rows }, watched] = await Promise.all([
    db.pool.query<KnownTimes & { id: number; day: Date }>({
      name: 'read-server-day-times',
      text: `SELECT server_id AS id, date_trunc('day', hour, 'UTC') AS day, sum(up_ms)::bigint AS "upMs",
               sum(degraded_ms)::bigint AS "degradedMs", sum(down_ms)::bigint AS "downMs",
               sum(maintenance_ms)::bigint AS "maintenanceMs"
             FROM server_hours WHERE server_id = ANY($1) AND hour >= $2 AND hour < $3
             GROUP BY 1, 2`,
      values: [serverIds, from, hoursUntil],
    }),
    readWatchedServers(db.pool, serverIds, tail),
  ])
  const times: DayTimes = new Map()
  for (const { id, day, ...known } of rows) addDay(times, id, day.getTime(), known)
  addWatchedDays(times, watched, tail)
  return times
}
