import type { Database } from '../../../src/postgres/database.ts'
import { addRows, type Given } from './rows.ts'

/** Webhooks that get every alert of their team, with a configuration that no key opens; in the order given. */
export async function addContacts(
  db: Database,
  contacts: ({ team_id: number } & Given<'contacts'>)[],
): Promise<number[]> {
  const rows = contacts.map((columns) => ({
    name: 'Ops',
    type: 'webhook' as const,
    config: '',
    notify_on_down: true,
    notify_on_recovery: true,
    ...columns,
  }))
  return (await addRows(db, 'contacts', rows)).map(({ id }) => id)
}

/** Deliveries of test alerts, pending unless a state is given; in the order given. */
export async function addDeliveries(
  db: Database,
  deliveries: ({ team_id: number } & Given<'deliveries'>)[],
): Promise<number[]> {
  const rows = deliveries.map((columns) => ({
    contact_name: 'Ops',
    contact_type: 'webhook' as const,
    event: 'test' as const,
    alert: '{}',
    ...columns,
  }))
  return (await addRows(db, 'deliveries', rows)).map(({ id }) => id)
}

/** Whether an alert waits to be delivered, or a monitor or a server that was heard is not up. */
export async function isUnsettled({ pool }: Database): Promise<boolean> {
  const { rows } = await pool.query<{ unsettled: boolean }>(
    `SELECT EXISTS (SELECT FROM monitor_state WHERE status <> 'up')
         OR EXISTS (SELECT FROM server_state WHERE status NOT IN ('up', 'pending'))
         OR EXISTS (SELECT FROM site_areas WHERE status NOT IN ('up', 'pending'))
         OR EXISTS (SELECT FROM deliveries WHERE state = 'pending') AS unsettled`,
  )
  return rows[0]?.unsettled ?? true
}
