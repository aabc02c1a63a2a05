import { StatusPage } from '../../../src/core/status-pages/status-page.ts'
import type { Database } from '../../../src/postgres/database.ts'
import type { Vault } from '../../../src/store/sealing/vault.ts'
import { insertPage } from '../../../src/store/status-pages/pages.ts'
import { insertSubscriber, type NewSubscriber } from '../../../src/store/status-pages/subscribers.ts'

let made = 0

/** A page with nothing on it, as its schema makes it from a name. */
export async function addStatusPage(
  db: Pick<Database, 'query'>,
  teamId: number,
  settings: Partial<StatusPage> = {},
): Promise<number> {
  const page = StatusPage.parse({ name: 'Shop', slug: `added-${++made}`, ...settings })
  return (await insertPage(db.query, teamId, page)) as number
}

/** A confirmed subscriber, by mail and of everything, where nothing else is given. */
export async function addSubscriber(
  db: Pick<Database, 'query'>,
  vault: Vault,
  of: Pick<NewSubscriber, 'teamId' | 'pageId'> & Partial<NewSubscriber>,
): Promise<number> {
  const subscriber = {
    type: 'email' as const,
    address: `reader${++made}@example.com`,
    token: crypto.randomUUID(),
    componentIds: null,
    confirmedAt: new Date(),
    ...of,
  }
  return (await insertSubscriber(db.query, vault, subscriber)) as number
}
