import { sql } from 'kysely'
import type { AlertedContact } from '../../core/alerting/alerted.ts'
import type { Query } from '../../postgres/database.ts'

/** The contacts of a team in name order, with what decides whether an outage of the monitor alerts them. */
export async function listAlerted(
  query: Query,
  teamId: number,
  monitorId: number,
): Promise<AlertedContact[]> {
  return await query
    .selectFrom('contacts')
    .leftJoin('subject_contacts as own', (join) =>
      join
        .onRef('own.contact_id', '=', 'contacts.id')
        .on('own.kind', '=', 'monitor')
        .on('own.subject_id', '=', monitorId),
    )
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.type',
      'contacts.notify_on_down as notifyOnDown',
      'contacts.notify_on_recovery as notifyOnRecovery',
      sql<boolean>`own.contact_id IS NOT NULL`.as('attached'),
      sql<boolean>`contacts.unagreed_hash IS NOT NULL`.as('awaitsAgreement'),
    ])
    .where('contacts.team_id', '=', teamId)
    .orderBy(sql`lower(contacts.name) COLLATE "C"`)
    .orderBy('contacts.id')
    .execute()
}
