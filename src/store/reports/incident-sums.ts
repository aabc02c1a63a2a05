import type { TimeSpan } from '../../core/history/uptime.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import type { IncidentSums } from '../../core/reports/summary.ts'
import type { Database } from '../../postgres/database.ts'

/** Incidents that were open in a span, by subject; subjects without any are left out. Warnings are no incidents of a report. */
export async function readIncidentSums(
  { pool }: Database,
  kind: SubjectKind,
  teamId: number,
  ids: number[],
  { fromMs, toMs }: TimeSpan,
  now: Date,
): Promise<Map<number, IncidentSums>> {
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<IncidentSums & { id: number }>({
    name: 'read-incident-sums',
    text: SUMS,
    values: [teamId, ids, new Date(fromMs), new Date(Math.min(toMs, now.getTime())), kind],
  })
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

/** Seconds from one time to another, as a number; never negative. */
const seconds = (from: string, to: string) => `greatest(0, extract(epoch FROM ${to} - ${from}))::float8`

const WITHIN = seconds('greatest(o.started_at, $3)', 'least(coalesce(o.resolved_at, $4), $4)')

const SUMS = `
  WITH o AS (
    SELECT i.id, i.subject_id, i.started_at, i.resolved_at, a.at AS alerted_at
    FROM team_incidents i LEFT JOIN LATERAL (
      SELECT min(d.finished_at) AS at FROM deliveries d
      WHERE d.kind = $5 AND d.team_incident_id = i.id AND d.event LIKE '%.down' AND d.state = 'sent'
    ) AS a ON i.started_at >= $3
    WHERE i.team_id = $1 AND i.kind = $5 AND i.subject_id = ANY($2) AND NOT i.warns_only AND i.started_at < $4
      AND (i.resolved_at IS NULL OR i.resolved_at >= $3))
  SELECT o.subject_id AS id, count(*)::int AS incidents,
    sum(${WITHIN}) AS seconds, max(${WITHIN}) AS "longestSeconds",
    count(o.alerted_at)::int AS noticed,
    coalesce(sum(${seconds('o.started_at', 'o.alerted_at')}) FILTER (WHERE o.alerted_at IS NOT NULL), 0)::float8
      AS "noticeSeconds",
    count(*) FILTER (WHERE o.resolved_at < $4)::int AS recovered,
    coalesce(sum(${seconds('o.started_at', 'o.resolved_at')}) FILTER (WHERE o.resolved_at < $4), 0)::float8
      AS "recoverSeconds"
  FROM o GROUP BY o.subject_id`
