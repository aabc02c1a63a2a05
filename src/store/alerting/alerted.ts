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
    .leftJoin('monitor_contacts', (join) =>
      join
        .onRef('monitor_contacts.contact_id', '=', 'contacts.id')
        .on('monitor_contacts.monitor_id', '=', monitorId),
    )
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.type',
      'contacts.notify_on_down as notifyOnDown',
      'contacts.notify_on_recovery as notifyOnRecovery',
      sql<boolean>`monitor_contacts.monitor_id IS NOT NULL`.as('attached'),
      sql<boolean>`contacts.unagreed_hash IS NOT NULL`.as('awaitsAgreement'),
    ])
    .where('contacts.team_id', '=', teamId)
    .orderBy(sql`lower(contacts.name) COLLATE "C"`)
    .orderBy('contacts.id')
    .execute()
}
