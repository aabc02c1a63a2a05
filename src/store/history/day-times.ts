import { DAY_MS, startOfDay } from '../../core/history/history-span.ts'
import { addTimes, type KnownTimes, noTime, stateTimes, type WatchedTime } from '../../core/history/uptime.ts'
import type { Database } from '../../postgres/database.ts'
import { readHoursUntil } from './uptimes.ts'
import { readWatchedTime } from './watched-time.ts'

/** The known time of monitors in days of UTC, by monitor and by the start of the day in milliseconds. */
export type DayTimes = Map<number, Map<number, KnownTimes>>

/** The days from `from` up to now: closed ones from their roll-ups, later ones from hours and from checks. */
export async function readDayTimes(
  db: Database,
  monitorIds: number[],
  from: Date,
  now: Date,
): Promise<DayTimes> {
  const hoursUntil = await readHoursUntil(db)
  const tail = { from: new Date(Math.max(from.getTime(), hoursUntil.getTime())), to: now }
  const [{ rows }, watched] = await Promise.all([
    db.pool.query<DayRow>({
      name: 'read-day-times',
      text: DAYS,
      values: [monitorIds, from, startOfDay(hoursUntil), hoursUntil],
    }),
    readWatchedTime(db.pool, db.query, monitorIds, tail),
  ])
  const times: DayTimes = new Map()
  for (const { id, day, ...known } of rows) addDay(times, id, day.getTime(), known)
  addWatchedDays(times, watched, tail)
  return times
}

/** Adds the time of days, or parts of days, that no roll-up says yet. */
export function addWatchedDays(
  times: DayTimes,
  watched: ReadonlyMap<number, WatchedTime>,
  { from, to }: { from: Date; to: Date },
): void {
  for (const [id, one] of watched) {
    for (let dayMs = startOfDay(from).getTime(); dayMs < to.getTime(); dayMs += DAY_MS) {
      const fromMs = Math.max(dayMs, from.getTime())
      const toMs = Math.min(dayMs + DAY_MS, to.getTime())
      addDay(times, id, dayMs, stateTimes(one, { fromMs, toMs }))
    }
  }
}

type DayRow = KnownTimes & { id: number; day: Date }

/** One row of each hour or day has its times; in those of other regions they are null. */
const DAYS = `
  SELECT monitor_id AS id, day, sum(up_ms)::bigint AS "upMs", sum(degraded_ms)::bigint AS "degradedMs",
    sum(down_ms)::bigint AS "downMs", sum(maintenance_ms)::bigint AS "maintenanceMs"
  FROM (
    SELECT monitor_id, day, up_ms, degraded_ms, down_ms, maintenance_ms FROM check_days
    WHERE monitor_id = ANY($1) AND day >= $2 AND day < $3
    UNION ALL
    SELECT monitor_id, date_trunc('day', hour, 'UTC'), up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours
    WHERE monitor_id = ANY($1) AND hour >= greatest($2::timestamptz, $3::timestamptz) AND hour < $4
  ) AS p
  WHERE up_ms IS NOT NULL
  GROUP BY monitor_id, day`

export function addDay(times: DayTimes, id: number, dayMs: number, known: KnownTimes): void {
  let days = times.get(id)
  if (!days) {
    days = new Map()
    times.set(id, days)
  }
  const sum = days.get(dayMs) ?? noTime()
  addTimes(sum, known)
  days.set(dayMs, sum)
}
