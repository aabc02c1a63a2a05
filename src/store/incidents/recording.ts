import { sql } from 'kysely'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Connection, Query } from '../../postgres/database.ts'
import { NEWS_CHANNEL } from '../news.ts'
import { endStepsQuietly } from '../on-call/new-escalations.ts'
import { INCIDENT_PARTS, INCIDENT_TABLES } from './incident-ref.ts'

/** Incidents of every kind, as the recorders and changes by people begin and end them. */

/** An incident of each kind as it begins. */
export type NewIncident = { teamId: number; subjectId: number; startedAt: Date } & (
  | { kind: 'monitor'; cause: string | null }
  | { kind: 'server'; cause: string; condition: string; warnsOnly: boolean; processes: TopProcess[] }
  | { kind: 'site'; cause: string; area: SiteArea }
)

export async function openIncident(
  client: Pick<Connection, 'query'>,
  incident: NewIncident,
): Promise<number> {
  const { kind, teamId, subjectId, startedAt, cause } = incident
  const row = {
    ...{ team_id: teamId, [`${kind}_id`]: subjectId, started_at: startedAt, cause },
    ...ownColumns(incident),
  }
  const parameters = Object.keys(row).map((_, index) => `$${index + 1}`)
  const { rows } = await client.query<{ id: number }>({
    name: `open-incident-of-${kind}`,
    text: `INSERT INTO ${INCIDENT_TABLES[kind]} (${Object.keys(row).join(', ')})
           VALUES (${parameters.join(', ')}) RETURNING id`,
    values: Object.values(row),
  })
  return (rows[0] as { id: number }).id
}

/** The values of the columns that only the table of its kind has. */
function ownColumns(incident: NewIncident): Record<string, unknown> {
  if (incident.kind === 'monitor') return {}
  if (incident.kind === 'site') return { area: incident.area }
  const { condition, warnsOnly, processes } = incident
  return {
    condition,
    warns_only: warnsOnly,
    processes: processes.length > 0 ? JSON.stringify(processes) : null,
  }
}

export type ResolvedIncident<Kind extends IncidentKind> = Pick<
  Extract<NewIncident, { kind: Kind }>,
  'startedAt' | 'cause'
> & { resolvedAt: Date }

/** Resolves an open incident, at the earliest when it started; null if it is not open. */
export async function resolveIncident<Kind extends IncidentKind>(
  client: Pick<Connection, 'query'>,
  { kind, id }: { kind: Kind; id: number },
  resolvedAt: Date,
): Promise<ResolvedIncident<Kind> | null> {
  const { rows } = await client.query<ResolvedIncident<Kind>>({
    name: `resolve-incident-of-${kind}`,
    text: `UPDATE ${INCIDENT_TABLES[kind]} SET resolved_at = greatest(started_at, $2)
           WHERE id = $1 AND resolved_at IS NULL
           RETURNING started_at AS "startedAt", resolved_at AS "resolvedAt", cause`,
    values: [id, resolvedAt],
  })
  return rows[0] ?? null
}

/**
 * Resolves open incidents of locked subjects without an alert, and what waits for them: for a pause, a deletion, or parts
 * (`about`) that are not judged from here on.
 */
export async function resolveQuietly(
  query: Query,
  { kind, ids, about }: { kind: IncidentKind; ids: readonly number[]; about?: readonly string[] },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    UPDATE ${sql.table(INCIDENT_TABLES[kind])} AS i SET resolved_at = greatest(i.started_at, ${now}::timestamptz)
    WHERE ${sql.ref(`i.${kind}_id`)} = ANY(${ids}::int[]) AND i.resolved_at IS NULL
      ${about ? sql`AND ${sql.raw(INCIDENT_PARTS[kind].about)} = ANY(${about}::text[])` : sql``}
    RETURNING i.id ${kind === 'monitor' ? sql`, ${RESOLVED_NEWS}` : sql``}`.execute(query)
  await endStepsQuietly(query, kind, rows)
}

/** Changes by people announce servers and sites as a whole. */
const RESOLVED_NEWS = sql`pg_notify(${NEWS_CHANNEL}, json_build_object('team_id', i.team_id, 'event', 'incident', 'data',
  json_build_object('id', i.id, 'monitor_id', i.monitor_id, 'state', 'resolved'))::text)`
