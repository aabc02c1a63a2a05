import { sql } from 'kysely'
import type { QuietHours } from '../../core/alerting/quiet-hours.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { Reachable } from '../../core/on-call/escalation.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** Those of the ids that are contacts of the team, by ID. */
export async function knownContacts(
  query: Query,
  teamId: number,
  ids: readonly number[],
): Promise<Map<number, { name: string; notifyOnDown: boolean }>> {
  if (ids.length === 0) return new Map()
  const rows = await query
    .selectFrom('contacts')
    .select(['id', 'name', 'notify_on_down as notifyOnDown'])
    .where('team_id', '=', teamId)
    .where('id', '=', anyOf([...ids]))
    .execute()
  return new Map(rows.map(({ id, ...contact }) => [id, contact]))
}

export type AlertableContact = Reachable & { name: string; quietHours: QuietHours | null }

/** All contacts of the team; those of the subject are `attached`. */
export async function readAlertable(
  query: Query,
  teamId: number,
  { kind, id }: { kind: SubjectKind; id: number },
): Promise<AlertableContact[]> {
  const { rows } = await sql<AlertableContact>`
    SELECT c.id AS "contactId", c.name, c.notify_on_down AS "notifyOnDown", c.notify_on_recovery AS "notifyOnRecovery",
           c.quiet_hours AS "quietHours",
           EXISTS (SELECT FROM subject_contacts sc
                   WHERE sc.contact_id = c.id AND sc.kind = ${kind} AND sc.subject_id = ${id}) AS attached,
           NULL::timestamptz AS "lastAlertedAt"
    FROM contacts c WHERE c.team_id = ${teamId} ORDER BY c.id`.execute(query)
  return rows
}
