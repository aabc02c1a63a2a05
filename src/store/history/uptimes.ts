import { DAY_MS, HOUR_MS, nextWhole, windowStart } from '../../core/history/history-span.ts'
import { addTimes, type KnownTimes, noTime, stateTimes, uptimeOf } from '../../core/history/uptime.ts'
import type { Database } from '../../postgres/database.ts'
import { readProgress } from './history-progress.ts'
import { readWatchedTime } from './watched-time.ts'

export const UPTIME_DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const
export type UptimeWindow = keyof typeof UPTIME_DAYS

/** Shares of judged time that passed, 0 to 1; null if none was judged. */
export type Uptimes = Record<UptimeWindow, number | null>

/** Each monitor's uptime in windows that end now. The result has all monitors; windows not requested are null. */
export async function readUptimes(
  db: Database,
  monitorIds: number[],
  now: Date,
  windows = Object.keys(UPTIME_DAYS) as UptimeWindow[],
): Promise<Map<number, Uptimes>> {
  const times = await readTimesOfWindows(db, monitorIds, now, windows)
  return new Map(
    monitorIds.map((id) => {
      const shares: Uptimes = { '24h': null, '7d': null, '30d': null, '90d': null }
      for (const window of windows) shares[window] = uptimeOf(times[window].get(id) as KnownTimes)
      return [id, shares]
    }),
  )
}

/** When a window that ends now begins: at its first full hour, so that it is made of roll-ups and the time since. */
export function startOfWindow(window: UptimeWindow, now: Date): Date {
  return nextWhole(windowStart(UPTIME_DAYS[window], now) as Date, HOUR_MS)
}

/** The time of each of these monitors in each state, by window. */
export async function readTimesOfWindows<W extends UptimeWindow>(
  db: Database,
  monitorIds: number[],
  now: Date,
  windows: readonly W[],
): Promise<Record<W, Map<number, KnownTimes>>> {
  const sinces = windows.map((window) => startOfWindow(window, now))
  const sums = sinces.map(() => new Map<number, KnownTimes>(monitorIds.map((id) => [id, noTime()])))
  const hoursUntil = await readHoursUntil(db)
  const [rows, latest] = await Promise.all([
    readSums(db, monitorIds, sinces, hoursUntil),
    readLatestTimes(db, monitorIds, sinces, hoursUntil, now),
  ])
  for (const { n, id, ...times } of rows) addTimes(sums[n - 1]?.get(id) as KnownTimes, times)
  for (const { index, id, times } of latest) {
    const sum = sums[index]?.get(id)
    if (sum) addTimes(sum, times)
  }
  return Object.fromEntries(windows.map((window, index) => [window, sums[index]])) as Record<
    W,
    Map<number, KnownTimes>
  >
}

/**
 * The end of the roll-ups. Later checks are in rows only, and stay there for longer than any reading takes. The beginning
 * of all time while nothing is rolled up.
 */
export async function readHoursUntil({ pool }: Database): Promise<Date> {
  return (await readProgress(pool))?.hoursUntil ?? new Date(0)
}

type Latest = { index: number; id: number; times: KnownTimes }

/** The time from the last roll-up until now, or as much of it as is after each of `sinces`. */
export async function readLatestTimes(
  db: Database,
  monitorIds: number[],
  sinces: Date[],
  hoursUntil: Date,
  now: Date,
): Promise<Latest[]> {
  const starts = sinces.map((since) => Math.max(since.getTime(), hoursUntil.getTime()))
  const from = new Date(Math.min(...starts))
  const watched = await readWatchedTime(db.pool, db.query, monitorIds, { from, to: now })
  return [...watched].flatMap(([id, one]) => {
    const known = new Map<number, KnownTimes>()
    for (const fromMs of starts)
      if (!known.has(fromMs)) known.set(fromMs, stateTimes(one, { fromMs, toMs: now.getTime() }))
    return starts.map((fromMs, index) => ({ index, id, times: known.get(fromMs) as KnownTimes }))
  })
}

async function readSums(
  { pool }: Database,
  monitorIds: number[],
  sinces: Date[],
  hoursUntil: Date,
): Promise<(KnownTimes & { n: number; id: number })[]> {
  const { rows } = await pool.query<KnownTimes & { n: number; id: number }>({
    name: 'read-uptimes',
    text: UPTIMES,
    values: [monitorIds, sinces, sinces.map((since) => nextWhole(since, DAY_MS)), hoursUntil],
  })
  return rows
}

/** Whole days from their roll-ups; hours of the first day of a window, and of days that are not rolled up yet. */
const UPTIMES = `
  WITH edge AS (SELECT $4::timestamptz AS hours, date_trunc('day', $4::timestamptz, 'UTC') AS days),
  windows AS (SELECT * FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS w (since, whole, n))
  SELECT w.n, p.monitor_id AS id, sum(p.up_ms)::bigint AS "upMs", sum(p.degraded_ms)::bigint AS "degradedMs",
    sum(p.down_ms)::bigint AS "downMs", sum(p.maintenance_ms)::bigint AS "maintenanceMs"
  FROM windows AS w CROSS JOIN LATERAL (
    SELECT monitor_id, up_ms, degraded_ms, down_ms, maintenance_ms FROM check_days
    WHERE monitor_id = ANY($1) AND day >= w.whole AND day < (SELECT days FROM edge)
    UNION ALL
    SELECT monitor_id, up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours
    WHERE monitor_id = ANY($1) AND hour >= w.since AND hour < least(w.whole, (SELECT hours FROM edge))
    UNION ALL
    SELECT monitor_id, up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours
    WHERE monitor_id = ANY($1) AND hour >= greatest(w.whole, (SELECT days FROM edge))
      AND hour < (SELECT hours FROM edge)
  ) AS p
  WHERE p.up_ms IS NOT NULL
  GROUP BY w.n, p.monitor_id`
