import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import type { Database } from '../../postgres/database.ts'
import { IS_PROBED } from '../probing/schedule.ts'
import { KEPT_IDS } from './occurrences.ts'

/** SQL for whether each subject of an occurrence `o` has been passing since `$2`; the time is `$1`. */
const PASSES = {
  monitor: `SELECT s.status IN ('up', 'degraded') AND s.status_since <= $2
                 AND (NOT ${IS_PROBED} OR s.last_checked_at >= o.starts_at) AS passes
               FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
               WHERE m.team_id = o.team_id AND (o.all_subjects OR m.id = ANY(o.monitor_ids))
                 AND m.is_active AND m.deleted_at IS NULL`,
  server: `SELECT t.status IN ('up', 'degraded') AND t.status_since <= $2 AND t.last_report_at >= o.starts_at
               FROM servers v JOIN server_state t ON t.server_id = v.id
               WHERE v.team_id = o.team_id AND (o.all_subjects OR v.id = ANY(o.server_ids))
                 AND v.is_active AND v.deleted_at IS NULL AND t.last_report_at IS NOT NULL`,
  site: `SELECT a.status IN ('up', 'degraded') AND a.status_since <= $2
                 AND (a.area <> 'home_page' OR a.looked_at >= o.starts_at)
               FROM sites i JOIN site_areas a ON a.site_id = i.id
               WHERE i.team_id = o.team_id AND (o.all_subjects OR i.id = ANY(o.site_ids))
                 AND i.is_active AND i.deleted_at IS NULL AND a.status <> 'pending' AND a.area <> ALL (i.areas_off)
                 AND (a.snoozed_until IS NULL OR a.snoozed_until <= $1)`,
} as const satisfies Record<SubjectKind, string>

/**
 * Running turns of switches that end when all passes, of which every active monitor, server and area of a site has been
 * passing since `since` at the latest. Monitors and home pages have been checked within the turn, servers have reported;
 * a job need not have, nor a group have been judged. Areas that were never judged, or are snoozed, are not waited for.
 */
export async function readPassingTurns(
  { pool }: Database,
  now: Date,
  since: Date,
  limit: number,
): Promise<(KeptOccurrence & { teamId: number })[]> {
  const { rows } = await pool.query<KeptOccurrence & { teamId: number }>({
    name: 'read-passing-turns',
    text: `SELECT o.team_id AS "teamId", o.window_id AS "windowId", o.starts_at AS "startsAt", o.ends_at AS "endsAt",
                  o.ended_by AS "endedBy", o.all_subjects, ${KEPT_IDS}
           FROM maintenance_windows w
           JOIN maintenance_occurrences o ON o.window_id = w.id AND o.starts_at >= w.since
           JOIN LATERAL (
             SELECT bool_and(passes) AS all_pass FROM (
               ${Object.values(PASSES).join('\n               UNION ALL\n               ')}
             ) AS subject
           ) AS subjects ON all_pass
           WHERE w.kind = 'switch' AND w.ends_when_passing AND w.deleted_at IS NULL
             AND o.starts_at <= $2 AND o.ends_at > $1
           ORDER BY o.window_id LIMIT $3`,
    values: [now, since, limit],
  })
  return rows
}
