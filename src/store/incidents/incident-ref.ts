import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'

/** An incident of a monitor, server or site, or a drill: all can be acknowledged. Each kind numbers its own. */
export type IncidentRef = { kind: IncidentKind | 'drill'; id: number }

/** The column that refers to an incident of each kind. */
export const INCIDENT_COLUMNS = {
  monitor: 'incident_id',
  server: 'server_incident_id',
  site: 'site_incident_id',
  drill: 'drill_id',
} as const satisfies Record<IncidentRef['kind'], string>

/**
 * The table that has the incidents of each kind. They are three, as the columns above are: whatever refers to an incident names
 * its kind by its column, which has an index of its own. Statements about any kind are built from these entries.
 */
export const INCIDENT_TABLES = {
  monitor: 'incidents',
  server: 'server_incidents',
  site: 'site_incidents',
  drill: 'drills',
} as const satisfies Record<IncidentRef['kind'], string>

/** SQL for what only some kinds have, in a row `i`: the part that is in trouble, whether it only warns, and culprits. */
export const INCIDENT_PARTS = {
  monitor: { about: 'NULL::text', warnsOnly: 'false', processes: 'NULL' },
  server: { about: 'i.condition', warnsOnly: 'i.warns_only', processes: 'i.processes' },
  site: { about: 'i.area', warnsOnly: 'false', processes: 'NULL' },
} as const satisfies Record<IncidentKind, { about: string; warnsOnly: string; processes: string }>

/** SQL for whether a row `i` of such a table is over. The end of a drill is known from its start. */
export function isOver(kind: IncidentRef['kind']): string {
  return kind === 'drill' ? 'i.resolved_at <= now()' : 'i.resolved_at IS NOT NULL'
}
