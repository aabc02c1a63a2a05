import { grantCutoffs } from '../../core/sign-in/oauth.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSomeOauthClients } from '../../store/sign-in/oauth-clients.ts'
import { removeSomeGrants } from '../../store/sign-in/oauth-grants.ts'

/** Removes tokens and codes of OAuth clients that have had their time, in short steps. */
export async function* retainGrants({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const cutoffs = grantCutoffs(now())
  while (await removeSomeGrants(db, cutoffs.codes, cutoffs.grants)) yield
  yield
  while (await removeSomeOauthClients(db, cutoffs.neverUsedClients, cutoffs.usedClients)) yield
  yield
}
