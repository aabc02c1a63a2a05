import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'
import { openPhone, type StoredPhone } from '../accounts/phones.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'
import type { Vault } from '../sealing/vault.ts'

export type MemberWithPhone = { name: string; phone: string }

/** The members of a team who have given a phone number, by account. Disabled accounts are left out. */
export async function membersWithPhone(
  query: Query,
  vault: Vault,
  teamId: number,
): Promise<Map<number, MemberWithPhone>> {
  const { rows } = await sql<StoredPhone & { id: number; name: string }>`
    SELECT u.id, u.name, u.phone, u.sealed_phone FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = ${teamId} AND coalesce(u.phone, u.sealed_phone) IS NOT NULL AND u.disabled_at IS NULL`.execute(
    query,
  )
  return new Map(rows.map((row) => [row.id, { name: row.name, phone: openPhone(row, row.id, vault) ?? '' }]))
}

/** The account that has an open incident, and the schedules that its escalation asks; null: it has no policy. */
export type AskedPeople = { acknowledgedBy: number | null; scheduleIds: number[] | null }

/** A link acknowledges for a contact: that is a person where the contact is of one participant of the schedules alone. */
export async function readAskedPeople(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<AskedPeople> {
  const { rows } = await sql<AskedPeople>`
    SELECT (SELECT coalesce(a.user_id, (
              SELECT CASE WHEN count(DISTINCT p.user_id) = 1 THEN min(p.user_id) END
              FROM schedule_participant_contacts c
              JOIN schedule_participants p ON p.schedule_id = c.schedule_id AND p.key = c.participant
              WHERE c.contact_id = a.contact_id AND p.team_id = a.team_id))
            FROM acknowledgements a
            WHERE a.team_id = ${teamId} AND a.kind = ${kind} AND a.team_incident_id = ${id}
              AND a.withdrawn_at IS NULL) AS "acknowledgedBy",
           (SELECT ARRAY(SELECT (step ->> 'schedule_id')::int FROM jsonb_array_elements(e.steps) AS step
                         WHERE step ->> 'schedule_id' IS NOT NULL)
            FROM escalations e
            WHERE e.team_id = ${teamId} AND e.kind = ${kind} AND e.team_incident_id = ${id}
              AND e.policy_name IS NOT NULL) AS "scheduleIds"`.execute(query)
  return rows[0] ?? { acknowledgedBy: null, scheduleIds: null }
}
