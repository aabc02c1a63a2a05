import * as z from 'zod'
import { SUBJECT_KINDS } from '../../maintenance/subject-kind.ts'

/** The kinds of subjects that have incidents. Each numbers its incidents by itself. */
export const IncidentKind = z.enum(SUBJECT_KINDS)
export type IncidentKind = z.infer<typeof IncidentKind>

export const IncidentState = z.enum(['open', 'resolved'])
export type IncidentState = z.infer<typeof IncidentState>

/** The states that a list is filtered by: one that nobody has acknowledged is open, too. */
export const IncidentFilterState = z.enum([...IncidentState.options, 'unacknowledged'])
export type IncidentFilterState = z.infer<typeof IncidentFilterState>

/** The page of an incident in the dashboard, below the service's address. */
export function pathOfIncident(teamId: number, { kind, id }: { kind: IncidentKind; id: number }): string {
  return `/teams/${teamId}/incidents/${kind === 'monitor' ? '' : `${kind}s/`}${id}`
}
