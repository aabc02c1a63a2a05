import type { ContactType } from '../../core/alerting/contact.ts'
import type { Database } from '../../postgres/database.ts'
import { flappingSince } from '../alerting/flaps.ts'
import { QUARTER_OF_AN_HOUR, quarterOf } from '../history/quarters.ts'
import { acknowledgedBy, type HolderColumn } from '../on-call/acknowledged-by.ts'
import type { Vault } from '../sealing/vault.ts'
import { BRIEF, type BriefRow, openBrief, type SealedBrief, URGENCY } from './monitor-briefs.ts'

/*
 * The queries of the overview screen. Each is bounded by the team's monitors or by an index. They are prepared by name,
 * because planning them takes as long as running them.
 */

export type MonitorInTrouble = BriefRow & {
  reason: string | null
  acknowledgement: HolderColumn
  flappingSince: Date | null
}

/**
 * Monitors that are down, degraded, or still pending after a check that could not be judged: worst first,
 * then newest first.
 */
export async function monitorsInTrouble(
  { pool }: Database,
  vault: Vault,
  teamId: number,
  limit: number,
): Promise<MonitorInTrouble[]> {
  const { rows } = await pool.query<SealedBrief<MonitorInTrouble>>({
    name: 'monitors-in-trouble',
    text: `
      WITH worst AS (
        SELECT ${BRIEF}, s.last_checked_at, s.open_incident_id, ${URGENCY} AS urgency
        FROM monitors m JOIN monitor_state s ON s.monitor_id = m.id
        WHERE m.team_id = $1 AND m.deleted_at IS NULL AND m.is_active
          AND (s.status IN ('down', 'degraded') OR s.status = 'pending' AND s.last_checked_at >= s.status_since)
        ORDER BY urgency, s.status_since DESC, m.id DESC LIMIT $2
      )
      SELECT w.*, coalesce(i.cause, c.error_message) AS reason,
        ${acknowledgedBy({ kind: "'monitor'", id: 'w.open_incident_id', team: '$1' })} AS acknowledgement,
        ${flappingSince('monitor', 'w.id')} AS "flappingSince"
      FROM worst w LEFT JOIN team_incidents i ON i.kind = 'monitor' AND i.id = w.open_incident_id
      LEFT JOIN LATERAL (
        SELECT error_message FROM checks
        WHERE i.cause IS NULL AND monitor_id = w.id AND checked_at = w.last_checked_at
          AND ${QUARTER_OF_AN_HOUR} = ${quarterOf('w.last_checked_at')}
        LIMIT 1
      ) AS c ON true
      WHERE w.status <> 'pending' OR c.error_message IS NOT NULL
      ORDER BY w.urgency, w."statusSince" DESC, w.id DESC`,
    values: [teamId, limit],
  })
  return rows.map((row) => openBrief(row, vault))
}

export type IncidentEvent = {
  at: Date
  kind: 'opened' | 'resolved'
  incidentId: number
  monitorId: number
  monitorName: string
  cause: string | null
  startedAt: Date
}

/** Newest first, without deleted monitors. */
export async function newestEvents(
  { pool }: Database,
  teamId: number,
  limit: number,
): Promise<IncidentEvent[]> {
  const newest = (time: string) => `
    SELECT i.id, i.cause, i.started_at, i.${time} AS at, m.id AS monitor_id, m.name
    FROM team_incidents i JOIN monitors m ON m.id = i.subject_id
    WHERE i.team_id = $1 AND i.kind = 'monitor' AND i.${time} IS NOT NULL AND m.deleted_at IS NULL ORDER BY i.${time} DESC LIMIT $2`
  const { rows } = await pool.query<IncidentEvent>({
    name: 'newest-events',
    text: `
      SELECT at, kind, id AS "incidentId", monitor_id AS "monitorId", name AS "monitorName", cause,
             started_at AS "startedAt"
      FROM (SELECT 'opened' AS kind, * FROM (${newest('started_at')}) AS opened
            UNION ALL
            SELECT 'resolved', * FROM (${newest('resolved_at')}) AS resolved) AS events
      -- At the same instant, the end of an incident counts as newer.
      ORDER BY at DESC, id DESC, kind DESC LIMIT $2`,
    values: [teamId, limit],
  })
  return rows
}

export type FailingContactRow = {
  id: number
  name: string
  type: ContactType
  failedAt: Date
  detail: string
}

/**
 * Contacts whose newest attempted delivery did not arrive or waits for another attempt. Attempts with the
 * detail `notSetUp` do not count as failures.
 */
export async function failingContacts(
  { pool }: Database,
  teamId: number,
  limit: number,
  notSetUp: string,
): Promise<FailingContactRow[]> {
  const { rows } = await pool.query<FailingContactRow>({
    name: 'failing-contacts',
    text: `
      SELECT c.id, c.name, c.type, a.attempted_at AS "failedAt", a.detail
      FROM contacts c
      JOIN LATERAL (
        SELECT d.id, d.state, d.attempts FROM deliveries d
        WHERE d.team_id = $1 AND d.contact_id = c.id AND d.attempts > 0 ORDER BY d.id DESC LIMIT 1
      ) AS newest ON newest.state NOT IN ('sent', 'dropped')
      JOIN delivery_attempts a ON a.delivery_id = newest.id AND a.attempt = newest.attempts
      WHERE c.team_id = $1 AND a.detail <> $3 ORDER BY a.attempted_at DESC, c.id LIMIT $2`,
    values: [teamId, limit, notSetUp],
  })
  return rows
}

export async function countContacts({ pool }: Database, teamId: number, withEmail: boolean): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count-contacts',
    text: "SELECT count(*) AS count FROM contacts WHERE team_id = $1 AND ($2 OR type <> 'email')",
    values: [teamId, withEmail],
  })
  return rows[0]?.count ?? 0
}
