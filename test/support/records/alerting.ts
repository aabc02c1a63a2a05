import type { Database } from '../../../src/postgres/database.ts'
import { addRows, type Given } from './rows.ts'

/** Webhooks of teams that get every alert, with settings that no key opens; in the order given. */
export async function addContacts(
  db: Database,
  contacts: ({ team_id: number } & Given<'contacts'>)[],
): Promise<number[]> {
  const plain = {
    name: 'Ops',
    type: 'webhook',
    config: '',
    notify_on_down: true,
    notify_on_recovery: true,
  } as const
  const rows = await addRows(
    db,
    'contacts',
    contacts.map((columns) => ({ ...plain, ...columns })),
  )
  return rows.map(({ id }) => id)
}
