import { sql } from 'kysely'
import type { FlapRule, FlapStanding } from '../../core/alerting/flapping.ts'
import { SUBJECT_KINDS, type SubjectKind, type SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import { IS_PROBED } from '../probing/schedule.ts'

/** A subject that flaps, or a part of one that has incidents of its own. A row is changed while the state of its subject is held. */

type Client = Pick<Connection, 'query'>

export type FlapKey = { subject: SubjectRef; about: string | null }

/** SQL for the rule of a team `t`; null while it wants every alert. */
export const FLAP_RULE = `CASE WHEN t.flap_changes IS NOT NULL
  THEN json_build_object('changes', t.flap_changes, 'minutes', t.flap_minutes) END`

/** More changes than any rule counts begin or end no more incidents than these. */
const MOST_INCIDENTS = 60

/** SQL for the last incidents of kind `$1`, subject `$2` and part `$3` that count: not those whose alert waited for another monitor. */
const LAST_INCIDENTS = `(SELECT i.id, i.started_at, i.resolved_at, i.untold, i.while_flapping, i.warns_only FROM team_incidents i
  WHERE i.kind = $1 AND i.subject_id = $2 AND i.about IS NOT DISTINCT FROM $3 AND (i.while_flapping OR NOT i.untold)
  ORDER BY i.started_at DESC, i.id DESC LIMIT ${MOST_INCIDENTS})`

/** `holdsOpen`: the alert of the open incident waits already because it flaps. */
export type ReadStanding = FlapStanding & { holdsOpen: boolean }

/** How something changed until now, for one of its changes. */
export async function readFlapStanding(
  client: Client,
  { subject: { kind, id }, about }: FlapKey,
): Promise<ReadStanding> {
  const { rows } = await client.query<
    ReadStanding & { changes: readonly (Date | null)[] } & { isFlapping: boolean | null }
  >({
    name: 'read-flap-standing',
    text: `SELECT f.since IS NOT NULL AND f.ended_at IS NULL AS "isFlapping", f.ended_at AS "endedAt", c.*
           FROM (SELECT coalesce(array_agg(i.started_at) || array_agg(i.resolved_at), '{}') AS changes,
                        coalesce(bool_or(i.while_flapping AND i.untold AND i.resolved_at IS NULL), false) AS "holdsOpen"
                 FROM ${LAST_INCIDENTS} i) c
           LEFT JOIN flaps f ON f.kind = $1 AND f.subject_id = $2 AND f.about = coalesce($3, '')`,
    values: [kind, id, about],
  })
  const [row] = rows
  if (!row) throw new Error('a row of figures is missing')
  return { ...row, changes: row.changes.filter((change) => change !== null) }
}

export type NewFlap = FlapKey & {
  teamId: number
  at: Date
  minutes: number
  changes: number
  incidentId: number
  /** The alert that waits, as JSON. */
  alert: string
}

export async function beginFlap(
  client: Client,
  { subject, about, teamId, at, minutes, changes, incidentId, alert }: NewFlap,
): Promise<void> {
  await client.query({
    name: 'begin-flap',
    text: `INSERT INTO flaps (kind, subject_id, about, team_id, since, changes, team_incident_id, alert, look_at)
           VALUES ($1, $2, coalesce($3, ''), $4, $5::timestamptz, $6, $7, $8,
             $5::timestamptz + $9 * interval '1 minute')
           ON CONFLICT (kind, subject_id, about) DO UPDATE SET team_id = excluded.team_id, since = excluded.since,
             ended_at = NULL, changes = excluded.changes, team_incident_id = excluded.team_incident_id, left_open = NULL,
             alert = excluded.alert, look_at = excluded.look_at`,
    values: [subject.kind, subject.id, about, teamId, at, changes, incidentId, alert, minutes],
  })
}

/** Keeps a change of something that flaps, and the alert that waits for it, if it has one. */
export async function goOnFlapping(
  client: Client,
  { subject, about, isChange, alert }: FlapKey & { isChange: boolean; alert: string | null },
): Promise<void> {
  await client.query({
    name: 'go-on-flapping',
    text: `UPDATE flaps SET changes = changes + $4, alert = coalesce($5, alert)
           WHERE kind = $1 AND subject_id = $2 AND about = coalesce($3, '') AND ended_at IS NULL`,
    values: [subject.kind, subject.id, about, isChange ? 1 : 0, alert],
  })
}

/** Keeps with an open incident why its alert waits, and whether nobody was alerted. */
export async function noteHold(
  client: Client,
  { kind, teamId, incidentId }: { kind: SubjectKind; teamId: number; incidentId: number },
  {
    by = null,
    isFlapping = false,
    isUntold,
  }: { by?: number | null; isFlapping?: boolean; isUntold: boolean },
): Promise<void> {
  await client.query({
    name: 'note-hold',
    text: `UPDATE team_incidents SET held_by = coalesce($3, held_by), untold = $4, while_flapping = while_flapping OR $5
           WHERE kind = $6 AND team_id = $2 AND id = $1
             AND (untold <> $4 OR held_by IS DISTINCT FROM coalesce($3, held_by) OR while_flapping < $5)`,
    values: [incidentId, teamId, by, isUntold, isFlapping, kind],
  })
}

/** The subject of a flap that is to be looked at; null if there is none. */
export async function findDueFlap(client: Client): Promise<FlapKey | null> {
  const { rows } = await client.query<{ kind: SubjectKind; id: number; about: string }>({
    name: 'find-due-flap',
    text: `SELECT kind, subject_id AS id, about FROM flaps WHERE ended_at IS NULL AND look_at <= now()
           ORDER BY look_at, kind, subject_id LIMIT 1`,
  })
  const [row] = rows
  return row ? { subject: { kind: row.kind, id: row.id }, about: row.about === '' ? null : row.about } : null
}

export type HeldFlap = {
  teamId: number
  since: Date
  changes: number
  incidentId: number
  alert: unknown
  rule: FlapRule | null
  /** The last change that counts: at the latest when it began to flap. */
  lastChangeAt: Date
  open: { id: number; startedAt: Date; isUntold: boolean; warnsOnly: boolean } | null
  /** It fails under a window, so that no incident says that it does. */
  isPlanned: boolean
  /** Until when somebody is known to have looked; null where nobody has to. */
  seenUntil: Date | null
  /** The database's clock. */
  now: Date
}

/** SQL for what each kind `$1` of subject says of `$2`, and of its part `$3`. */
function byKind(says: Record<SubjectKind, string>): string {
  return `CASE $1 ${SUBJECT_KINDS.map((kind) => `WHEN '${kind}' THEN ${says[kind]}`).join('\n  ')} END`
}

/** Until when it is known to be as it is: what is asked was answered, and what reports was heard. */
const SEEN_UNTIL = byKind({
  monitor: `(SELECT s.last_checked_at FROM monitor_state s JOIN monitors m ON m.id = s.monitor_id
    WHERE s.monitor_id = $2 AND ${IS_PROBED})`,
  server: `CASE WHEN o.id IS NULL OR $3 <> 'silent' THEN (SELECT s.last_report_at FROM server_state s WHERE s.server_id = $2) END`,
  site: `(SELECT a.looked_at FROM site_areas a WHERE a.site_id = $2 AND a.area = $3)`,
})

/** Whether it fails as planned. */
const IS_PLANNED = `coalesce('maintenance' = ${byKind({
  monitor: `(SELECT s.status FROM monitor_state s WHERE s.monitor_id = $2)`,
  server: `(SELECT s.status FROM server_state s WHERE s.server_id = $2)`,
  site: `(SELECT a.status FROM site_areas a WHERE a.site_id = $2 AND a.area = $3)`,
})}, false)`

/** A flap, once the state of its subject is held; null if it does not any more. */
export async function readFlap(
  client: Client,
  { subject: { kind, id }, about }: FlapKey,
): Promise<HeldFlap | null> {
  const { rows } = await client.query<HeldFlap>({
    name: 'read-flap',
    text: `SELECT f.team_id AS "teamId", f.since, f.changes, f.team_incident_id AS "incidentId", f.alert,
                  ${FLAP_RULE} AS rule, ${SEEN_UNTIL} AS "seenUntil", ${IS_PLANNED} AS "isPlanned", clock_timestamp() AS now,
                  greatest(f.since, (SELECT max(greatest(i.started_at, i.resolved_at)) FROM ${LAST_INCIDENTS} i)) AS "lastChangeAt",
                  CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'isUntold', o.untold,
                    'warnsOnly', o.warns_only) END AS open, o.started_at AS "openSince"
           FROM flaps f JOIN teams t ON t.id = f.team_id
           LEFT JOIN team_incidents o ON o.kind = $1 AND o.subject_id = $2 AND o.about IS NOT DISTINCT FROM $3
             AND o.resolved_at IS NULL
           WHERE f.kind = $1 AND f.subject_id = $2 AND f.about = coalesce($3, '') AND f.ended_at IS NULL`,
    values: [kind, id, about],
  })
  const [row] = rows as (HeldFlap & { openSince: Date | null })[]
  if (!row) return null
  const { openSince, open, ...flap } = row
  return { ...flap, open: open && openSince ? { ...open, startedAt: openSince } : null }
}

/** Has a flap looked at later. */
export async function restFlap(client: Client, { subject, about }: FlapKey, until: Date): Promise<void> {
  await client.query({
    name: 'rest-flap',
    text: `UPDATE flaps SET look_at = $4
           WHERE kind = $1 AND subject_id = $2 AND about = coalesce($3, '') AND ended_at IS NULL`,
    values: [subject.kind, subject.id, about, until],
  })
}

/** Ends a flap; `leftOpen`: the incident that is open. Its alert waits no longer. */
export async function endFlap(
  client: Client,
  { subject: { kind, id }, about }: FlapKey,
  leftOpen: number | null,
): Promise<void> {
  await client.query({
    name: 'end-flap',
    text: `UPDATE flaps SET ended_at = clock_timestamp(), left_open = $4
           WHERE kind = $1 AND subject_id = $2 AND about = coalesce($3, '') AND ended_at IS NULL`,
    values: [kind, id, about, leftOpen],
  })
  if (kind !== 'monitor' || leftOpen === null) return
  await client.query({
    name: 'end-hold-of-monitor',
    text: 'UPDATE monitor_state SET held_since = NULL WHERE monitor_id = $1 AND open_incident_id = $2',
    values: [id, leftOpen],
  })
}

/** Ends flaps of locked subjects, or of some of their parts, without an alert. */
export async function endFlapsQuietly(
  query: Query,
  { kind, ids, about }: { kind: SubjectKind; ids: readonly number[]; about?: readonly string[] },
): Promise<void> {
  await sql`
    WITH held AS (SELECT f.subject_id, f.about FROM flaps f
      WHERE f.kind = ${kind} AND f.subject_id = ANY(${ids}::int[]) AND f.ended_at IS NULL
        ${about ? sql`AND f.about = ANY(${about}::text[])` : sql``}
      ORDER BY f.kind, f.subject_id, f.about FOR NO KEY UPDATE)
    UPDATE flaps f SET ended_at = clock_timestamp() FROM held
    WHERE f.kind = ${kind} AND f.subject_id = held.subject_id AND f.about = held.about`.execute(query)
}

/** Has all flaps of a team looked at, since its rule has changed. */
export async function lookAtFlaps(query: Query, teamId: number): Promise<void> {
  await sql`
    WITH held AS (SELECT f.kind, f.subject_id, f.about FROM flaps f
      WHERE f.team_id = ${teamId} AND f.ended_at IS NULL
      ORDER BY f.kind, f.subject_id, f.about FOR NO KEY UPDATE)
    UPDATE flaps f SET look_at = now() FROM held
    WHERE f.kind = held.kind AND f.subject_id = held.subject_id AND f.about = held.about`.execute(query)
}

/** SQL for since when a subject flaps, or the first part of it that does; `id` is SQL, too. */
export function flappingSince(kind: SubjectKind, id: string): string {
  return `(SELECT min(f.since) FROM flaps f WHERE f.kind = '${kind}' AND f.subject_id = ${id} AND f.ended_at IS NULL)`
}

/** The same of one monitor; null if it does not. */
export async function readFlappingSince(client: Client, monitorId: number): Promise<Date | null> {
  const { rows } = await client.query<{ since: Date | null }>({
    name: 'read-flapping-since',
    text: `SELECT ${flappingSince('monitor', '$1')} AS since`,
    values: [monitorId],
  })
  return rows[0]?.since ?? null
}
