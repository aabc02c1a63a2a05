import { SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addRow, addRows, type Given } from './rows.ts'

/** Checks that found the monitor up, now, where nothing else is given. */
export async function addChecks(
  db: Database,
  checks: ({ monitor_id: number } & Given<'checks'>)[],
): Promise<void> {
  const rows = checks.map((columns) => ({ checked_at: new Date(), status: 'up' as const, ...columns }))
  await addRows(db, 'checks', rows)
}

type OfSubject = Partial<Record<`${SubjectKind}_id`, number>>
type GivenIncident = { team_id: number } & OfSubject & Given<'team_incidents'>

/** An incident that is open, and began now, where nothing else is given. One of the ids says what it is of. */
export async function addIncident(db: Database, incident: GivenIncident): Promise<number> {
  return (await addRow(db, 'team_incidents', incidentRow(incident))).id
}

export function incidentRow({ monitor_id, server_id, site_id, ...incident }: GivenIncident) {
  const ids = { monitor: monitor_id, server: server_id, site: site_id }
  const [kind = 'monitor'] = SUBJECT_KINDS.filter((one) => ids[one] !== undefined)
  return { started_at: new Date(), kind, subject_id: ids[kind] ?? null, ...incident }
}
