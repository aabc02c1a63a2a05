import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'

/** An incident of a subject, or a drill: all can be acknowledged. Only together, kind and id name one. */
export type IncidentRef = { kind: IncidentKind | 'drill'; id: number }

/** SQL for whether an incident `i` is over. The end of a drill is known from its start. */
export const IS_OVER = `CASE i.kind WHEN 'drill' THEN i.resolved_at <= now() ELSE i.resolved_at IS NOT NULL END`
