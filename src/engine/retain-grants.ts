import { grantEdges } from '../core/oauth.ts'
import type { Database } from '../store/database.ts'
import { removeSomeOauthClients } from '../store/oauth-clients.ts'
import { removeSomeGrants } from '../store/oauth-grants.ts'

/** Removes what programs let in by a sign-in use no more, in short steps. */
export async function* retainGrants({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const edges = grantEdges(now())
  while (await removeSomeGrants(db, edges.codes, edges.grants)) yield
  yield
  while (await removeSomeOauthClients(db, edges.neverUsedClients, edges.usedClients)) yield
  yield
}
