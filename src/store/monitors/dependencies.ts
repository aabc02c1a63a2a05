import { sql } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { isGroup, MONITOR_TYPES, type MonitorType } from '../../core/monitors/monitor-types.ts'
import type { Ancestor, Links } from '../../core/monitors/options/dependencies.ts'
import type { IncidentHold } from '../../core/monitors/options/shown-dependencies.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { type ReadMember, readMembersWithin } from './members-within.ts'

/** Monitors that depend on others: `options.depends_on` holds IDs of their team, and of some that are deleted. */

type Reader = Pick<Connection, 'query'>
export type ReadAncestor = Ancestor & ReadMember & { members: ReadMember[] }

/**
 * The ancestors that count, by monitor. A paused one does not, but stands between its parents and its children still; of
 * a deleted one nothing is left.
 */
export async function readAncestors(
  client: Reader,
  monitorIds: readonly number[],
): Promise<Map<number, ReadAncestor[]>> {
  const { rows } = await client.query<
    Omit<ReadAncestor, 'members' | 'isProbed'> & { childId: number; type: MonitorType }
  >({
    name: 'read-ancestors',
    text: `WITH RECURSIVE ancestors (child, team_id, id) AS (
             SELECT m.id, m.team_id, p.id::int
             FROM monitors m, jsonb_array_elements_text(m.options -> 'depends_on') AS p (id) WHERE m.id = ANY($1)
             UNION
             SELECT a.child, a.team_id, p.id::int
             FROM ancestors a JOIN monitors m ON m.id = a.id AND m.team_id = a.team_id AND m.deleted_at IS NULL,
               jsonb_array_elements_text(m.options -> 'depends_on') AS p (id))
           SELECT a.child AS "childId", m.id, m.name, m.type, s.status, s.last_checked_at AS "lastCheckedAt",
                  s.failing_until AS "failingUntil", s.next_attempt_at IS NOT NULL AS "isTrying",
                  coalesce(m.check_interval_seconds, m.check_interval_minutes * 60) AS "intervalSeconds",
                  m.check_requested_at AS "checkRequestedAt"
           FROM ancestors a
           JOIN monitors m ON m.id = a.id AND m.team_id = a.team_id AND m.is_active AND m.deleted_at IS NULL
           JOIN monitor_state s ON s.monitor_id = m.id
           WHERE a.id <> a.child ORDER BY a.child, m.id`,
    values: [monitorIds],
  })
  const groups = new Set(rows.flatMap(({ id, type }) => (isGroup(type) ? [id] : [])))
  const members =
    groups.size > 0 ? await readMembersWithin(client, [...groups]) : new Map<number, ReadMember[]>()
  const ancestors = new Map<number, ReadAncestor[]>()
  for (const { childId, type, ...row } of rows) {
    const of = ancestors.get(childId) ?? []
    of.push({ ...row, isProbed: MONITOR_TYPES[type].isProbed, members: members.get(row.id) ?? [] })
    ancestors.set(childId, of)
  }
  return ancestors
}

/** SQL for the active monitors of team `$1` that depend on monitor `$2`, also by way of others. */
const DEPENDENTS = `WITH RECURSIVE dependents (id) AS (
    SELECT $2::int
    UNION
    SELECT m.id FROM dependents d JOIN monitors m ON m.team_id = $1 AND m.deleted_at IS NULL
      AND m.options ? 'depends_on' AND m.options -> 'depends_on' @> to_jsonb(d.id))`

/** The number of active monitors that depend on one, also by way of others. */
export async function countDependents(client: Reader, teamId: number, monitorId: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'count-dependents',
    text: `${DEPENDENTS} SELECT count(*)::int AS count FROM dependents d JOIN monitors m ON m.id = d.id AND m.is_active
           WHERE d.id <> $2`,
    values: [teamId, monitorId],
  })
  return rows[0]?.count ?? 0
}

export type DependentRow = { id: number; name: string; status: Ancestor['status']; isHeld: boolean }

/** The active monitors that depend on one, those that are held first. */
export async function readDependents(
  client: Reader,
  teamId: number,
  monitorId: number,
  most: number,
): Promise<DependentRow[]> {
  const { rows } = await client.query<DependentRow>({
    name: 'read-dependents',
    text: `${DEPENDENTS} SELECT m.id, m.name, s.status, ${IS_HELD} AS "isHeld"
           FROM dependents d JOIN monitors m ON m.id = d.id AND m.is_active JOIN monitor_state s ON s.monitor_id = m.id
           WHERE d.id <> $2 ORDER BY NOT (${IS_HELD}), s.status <> 'down', lower(m.name), m.id LIMIT $3`,
    values: [teamId, monitorId, most],
  })
  return rows
}

/** A release before may have resolved the incident, and have left the time. */
const IS_HELD = 's.held_since IS NOT NULL AND s.open_incident_id IS NOT NULL'

/** Its alert waits for something else: that it is steady. */
const IS_FLAPPING = `EXISTS (SELECT FROM flaps f WHERE f.kind = 'monitor' AND f.subject_id = s.monitor_id AND f.ended_at IS NULL)`

/** A monitor that is down, and whose alert waits. */
export type UntoldMonitor = {
  monitorId: number
  revision: number
  type: MonitorType
  heldSince: Date
  lastCheckedAt: Date
  checkRequestedAt: Date | null
}

/** Those under a window are followed to its end, those that flap until they are steady, and those that pass again wait for nothing. */
export async function readHeld({ pool }: Database): Promise<UntoldMonitor[]> {
  const { rows } = await pool.query<UntoldMonitor>({
    name: 'read-held-monitors',
    text: `SELECT s.monitor_id AS "monitorId", m.revision, m.type, s.held_since AS "heldSince",
                  s.last_checked_at AS "lastCheckedAt", m.check_requested_at AS "checkRequestedAt"
           FROM monitor_state s JOIN monitors m ON m.id = s.monitor_id
           WHERE ${IS_HELD} AND s.status = 'down' AND s.passing = 0 AND s.revision IS NOT NULL
             AND s.last_checked_at IS NOT NULL AND NOT ${IS_FLAPPING}
           ORDER BY s.monitor_id`,
  })
  return rows
}

/** Whether the alert of an incident waits or came to nobody, and for which monitor it waited last. */
export async function readIncidentHold(
  client: Reader,
  teamId: number,
  { kind, id: incidentId }: { kind: SubjectKind; id: number },
): Promise<IncidentHold> {
  const { rows } = await client.query<{
    untold: boolean
    flapping: boolean
    id: number | null
    name: string | null
  }>({
    name: 'read-incident-hold',
    text: `SELECT i.untold, i.while_flapping AS flapping, m.id, m.name
           FROM team_incidents i LEFT JOIN monitors m ON m.id = i.held_by AND m.team_id = i.team_id
           WHERE i.kind = $3 AND i.id = $2 AND i.team_id = $1`,
    values: [teamId, incidentId, kind],
  })
  const { untold = false, flapping = false, id = null, name = null } = rows[0] ?? {}
  return { is_untold: untold, is_flapping: flapping, by: id === null || name === null ? null : { id, name } }
}

/** The links of all monitors of a team: of deleted ones too, since they may come back. */
export async function readLinks(query: Query, teamId: number): Promise<Links> {
  const { rows } = await sql<{ id: number; parents: number[] }>`
    SELECT id, options -> 'depends_on' AS parents FROM monitors
    WHERE team_id = ${teamId} AND options ? 'depends_on'`.execute(query)
  return new Map(rows.map(({ id, parents }) => [id, parents]))
}

/** The names of those of the IDs that are monitors of the team. */
export async function readMonitorNames(
  query: Query,
  teamId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await query
    .selectFrom('monitors')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
