import { DAY_MS, nextWhole } from '../../core/history/history-span.ts'
import type { KnownTimes } from '../../core/history/uptime.ts'
import type { Database } from '../../postgres/database.ts'
import { startOfWindow } from './uptimes.ts'

type Named = { id: number; name: string }

/** The time of all monitors of a team in a window, and the slowest by the mean of their checks that passed. */
export type TeamDay = { times: KnownTimes; slowest: (Named & { meanMs: number })[] }

/** From roll-ups alone, up to `until`: what is only in checks would be too much to read of thousands of monitors. */
export async function readTeamDay(
  { pool }: Database,
  teamId: number,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<TeamDay> {
  const { rows } = await pool.query<TeamDay>({
    name: 'read-team-day',
    text: TEAM_DAY,
    values: [teamId, startOfWindow('24h', now), until, limit],
  })
  return rows[0] as TeamDay
}

/** The same of seven days; days that are over from their own roll-ups. */
export async function readTeamWeek(
  { pool }: Database,
  teamId: number,
  { now, until }: { now: Date; until: Date },
): Promise<KnownTimes> {
  const since = startOfWindow('7d', now)
  const { rows } = await pool.query<KnownTimes>({
    name: 'read-team-week',
    text: TEAM_WEEK,
    values: [teamId, since, nextWhole(since, DAY_MS), until],
  })
  return rows[0] as KnownTimes
}

const SUMS = ['up', 'degraded', 'down', 'maintenance']
  .map((state) => `coalesce(sum(${state}_ms), 0)::bigint AS "${state}Ms"`)
  .join(', ')

const OF_TEAM = 'SELECT id FROM monitors WHERE team_id = $1 AND deleted_at IS NULL'

const TEAM_DAY = `
  WITH day AS MATERIALIZED (
    SELECT monitor_id, sum(up_ms) AS up_ms, sum(degraded_ms) AS degraded_ms, sum(down_ms) AS down_ms,
      sum(maintenance_ms) AS maintenance_ms, sum(response_time_sum_ms) AS sum_ms, sum(up + degraded) AS passed
    FROM check_hours WHERE monitor_id IN (${OF_TEAM}) AND hour >= $2 AND hour < $3 GROUP BY monitor_id
  ), slowest AS (
    SELECT monitor_id AS id, round(sum_ms / passed)::int AS mean_ms FROM day
    WHERE sum_ms > 0 AND passed > 0 ORDER BY 2 DESC, 1 LIMIT $4
  )
  SELECT (SELECT row_to_json(sums) FROM (SELECT ${SUMS} FROM day) AS sums) AS times,
    coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', m.name, 'meanMs', s.mean_ms)
                ORDER BY s.mean_ms DESC, s.id)
              FROM slowest s JOIN monitors m ON m.id = s.id), '[]') AS slowest`

const TEAM_WEEK = `
  WITH edge AS (SELECT $4::timestamptz AS hours, date_trunc('day', $4::timestamptz, 'UTC') AS days)
  SELECT ${SUMS} FROM (
    SELECT up_ms, degraded_ms, down_ms, maintenance_ms FROM check_days
    WHERE monitor_id IN (${OF_TEAM}) AND day >= $3 AND day < (SELECT days FROM edge)
    UNION ALL
    SELECT up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours
    WHERE monitor_id IN (${OF_TEAM}) AND hour >= $2 AND hour < least($3, (SELECT hours FROM edge))
    UNION ALL
    SELECT up_ms, degraded_ms, down_ms, maintenance_ms FROM check_hours
    WHERE monitor_id IN (${OF_TEAM}) AND hour >= greatest($3, (SELECT days FROM edge))
      AND hour < (SELECT hours FROM edge)
  ) AS parts`

/** Monitors by the incidents that began since a time, from two on, and how many began in all. */
export async function readFlapping(
  { pool }: Database,
  teamId: number,
  since: Date,
  limit: number,
): Promise<{ total: number; flapping: (Named & { incidents: number })[] }> {
  const { rows } = await pool.query<{ total: number; flapping: (Named & { incidents: number })[] }>({
    name: 'read-flapping',
    text: `
      WITH counted AS MATERIALIZED (
        SELECT m.id, m.name, count(*) AS incidents
        FROM team_incidents i JOIN monitors m ON m.id = i.subject_id
        WHERE i.team_id = $1 AND i.kind = 'monitor' AND i.started_at >= $2 AND m.deleted_at IS NULL GROUP BY 1, 2
      ), most AS (SELECT * FROM counted WHERE incidents > 1 ORDER BY incidents DESC, id LIMIT $3)
      SELECT coalesce((SELECT sum(incidents) FROM counted), 0)::bigint AS total,
        coalesce((SELECT json_agg(json_build_object('id', id, 'name', name, 'incidents', incidents)
                    ORDER BY incidents DESC, id) FROM most), '[]') AS flapping`,
    values: [teamId, since, limit],
  })
  return rows[0] as (typeof rows)[number]
}
