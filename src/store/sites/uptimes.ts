import { DAY_MS } from '../../core/history/history-span.ts'
import { type KnownTimes, stateTimes, type WatchedTime } from '../../core/history/uptime.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { addDay, addWatchedDays, type DayTimes } from '../history/day-times.ts'
import { readProgress } from '../history/history-progress.ts'
import { readWatchedSites } from './watched-time.ts'

/** The known time of sites in the days from `from`, the start of one, up to now: closed ones as they were closed. */
export async function readSiteDayTimes(
  db: Database,
  siteIds: number[],
  from: Date,
  now: Date,
): Promise<DayTimes> {
  if (siteIds.length === 0) return new Map()
  const daysUntil = (await readProgress(db.pool))?.siteDaysUntil ?? new Date(0)
  const tail = { from: new Date(Math.max(from.getTime(), daysUntil.getTime())), to: now }
  const [{ rows }, watched] = await Promise.all([
    db.pool.query<KnownTimes & { id: number; day: Date }>({
      name: 'read-site-day-times',
      text: `SELECT site_id AS id, day, up_ms AS "upMs", degraded_ms AS "degradedMs", down_ms AS "downMs",
               maintenance_ms AS "maintenanceMs"
             FROM site_days WHERE site_id = ANY($1) AND day >= $2 AND day < $3`,
      values: [siteIds, from, daysUntil],
    }),
    readWatchedSites(db.pool, siteIds, tail),
  ])
  const times: DayTimes = new Map()
  for (const { id, day, ...known } of rows) addDay(times, id, day.getTime(), known)
  addWatchedDays(times, watched, tail)
  return times
}

/** The start of the history of sites; null where there is none. */
export async function oldestSiteChange(query: Query): Promise<Date | null> {
  const { at } = await query
    .selectFrom('subject_status_changes')
    .select(({ fn }) => fn.min('at').as('at'))
    .where('kind', '=', 'site')
    .executeTakeFirstOrThrow()
  return at
}

/** Closes a day; what is known of it stays so. */
export async function writeSiteDays(
  client: Connection,
  day: Date,
  watched: ReadonlyMap<number, WatchedTime>,
): Promise<void> {
  const span = { fromMs: day.getTime(), toMs: day.getTime() + DAY_MS }
  const known = [...watched].flatMap(([id, one]) => {
    const { unknownMs, ...times } = stateTimes(one, span)
    return unknownMs < DAY_MS ? [{ id, ...times }] : []
  })
  await client.query({
    name: 'write-site-days',
    text: `INSERT INTO site_days (site_id, day, up_ms, degraded_ms, down_ms, maintenance_ms)
           SELECT n.site_id, $1, n.up_ms, n.degraded_ms, n.down_ms, n.maintenance_ms
           FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[])
             AS n (site_id, up_ms, degraded_ms, down_ms, maintenance_ms)
           ON CONFLICT (site_id, day) DO UPDATE SET up_ms = excluded.up_ms, degraded_ms = excluded.degraded_ms,
             down_ms = excluded.down_ms, maintenance_ms = excluded.maintenance_ms`,
    values: [
      day,
      known.map(({ id }) => id),
      known.map(({ upMs }) => upMs),
      known.map(({ degradedMs }) => degradedMs),
      known.map(({ downMs }) => downMs),
      known.map(({ maintenanceMs }) => maintenanceMs),
    ],
  })
}
