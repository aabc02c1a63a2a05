import { sql } from 'kysely'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import { endFlapsQuietly } from '../alerting/flaps.ts'
import { NEWS_CHANNEL } from '../news.ts'
import { endStepsQuietly } from '../on-call/new-escalations.ts'
import { ASKED_WITH_INCIDENT } from './diagnoses.ts'

/** Incidents of every kind, as the recorders and changes by people begin and end them. */

/** An incident of each kind as it begins; `about`: the part of its subject that is in trouble. */
export type NewIncident = {
  teamId: number
  subjectId: number
  startedAt: Date
  warnsOnly?: boolean
  processes?: TopProcess[]
} & (
  | { kind: 'monitor'; cause: string | null; about?: never }
  | { kind: 'server'; cause: string; about: string }
  | { kind: 'site'; cause: string; about: SiteArea }
)

export async function openIncident(
  client: Pick<Connection, 'query'>,
  incident: NewIncident,
): Promise<number> {
  const { kind, teamId, subjectId, startedAt, cause, about, warnsOnly, processes } = incident
  const { rows } = await client.query<{ id: number }>({
    name: 'open-incident',
    text: `WITH opened AS (
             INSERT INTO team_incidents (kind, team_id, subject_id, started_at, cause, about, warns_only, processes)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING kind, id, team_id, subject_id),
           ${ASKED_WITH_INCIDENT}
           SELECT id FROM opened`,
    values: [
      ...[kind, teamId, subjectId, startedAt, cause, about ?? null, warnsOnly ?? false],
      processes && processes.length > 0 ? JSON.stringify(processes) : null,
    ],
  })
  return (rows[0] as { id: number }).id
}

export type ResolvedIncident<Kind extends IncidentKind> = Pick<
  Extract<NewIncident, { kind: Kind }>,
  'startedAt' | 'cause'
> & { resolvedAt: Date; isUntold: boolean }

/** Resolves an open incident, at the earliest when it started; null if it is not open. */
export async function resolveIncident<Kind extends IncidentKind>(
  client: Pick<Connection, 'query'>,
  { kind, id }: { kind: Kind; id: number },
  resolvedAt: Date,
): Promise<ResolvedIncident<Kind> | null> {
  const { rows } = await client.query<ResolvedIncident<Kind>>({
    name: 'resolve-incident',
    text: `UPDATE team_incidents SET resolved_at = greatest(started_at, $3)
           WHERE kind = $1 AND id = $2 AND resolved_at IS NULL
           RETURNING started_at AS "startedAt", resolved_at AS "resolvedAt", cause, untold AS "isUntold"`,
    values: [kind, id, resolvedAt],
  })
  return rows[0] ?? null
}

/**
 * Resolves open incidents of locked subjects without an alert, what waits for them, and that they flap: for a pause, a deletion, or parts
 * (`about`) that are not judged from here on.
 */
export async function resolveQuietly(
  query: Query,
  { kind, ids, about }: { kind: IncidentKind; ids: readonly number[]; about?: readonly string[] },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    UPDATE team_incidents i SET resolved_at = greatest(i.started_at, ${now}::timestamptz)
    WHERE i.kind = ${kind} AND i.subject_id = ANY(${ids}::int[]) AND i.resolved_at IS NULL
      ${about ? sql`AND i.about = ANY(${about}::text[])` : sql``}
    RETURNING i.id ${kind === 'monitor' ? sql`, ${RESOLVED_NEWS}` : sql``}`.execute(query)
  await endStepsQuietly(query, kind, rows)
  await endFlapsQuietly(query, about ? { kind, ids, about } : { kind, ids })
}

/** Changes by people announce servers and sites as a whole. */
const RESOLVED_NEWS = sql`pg_notify(${NEWS_CHANNEL}, json_build_object('team_id', i.team_id, 'event', 'incident', 'data',
  json_build_object('id', i.id, 'monitor_id', i.subject_id, 'state', 'resolved'))::text)`
