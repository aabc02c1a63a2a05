import type { ContactTimeZone } from '../../core/alerting/contact-zone.ts'
import type { Query } from '../../postgres/database.ts'
import { updateRecord } from '../records.ts'

/** Null if the team has no such contact. */
export async function readContactZone(
  query: Query,
  teamId: number,
  contactId: number,
): Promise<ContactTimeZone | null> {
  const row = await query
    .selectFrom('contacts as c')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .select(['c.time_zone', 't.time_zone as team_time_zone'])
    .where('c.team_id', '=', teamId)
    .where('c.id', '=', contactId)
    .executeTakeFirst()
  return row ?? null
}

/** Alerts that are sent from now on have it. False if the team has no such contact. */
export async function updateContactZone(
  query: Query,
  teamId: number,
  contactId: number,
  time_zone: string | null,
): Promise<boolean> {
  return updateRecord(query, 'contacts', { teamId, id: contactId }, { time_zone })
}
