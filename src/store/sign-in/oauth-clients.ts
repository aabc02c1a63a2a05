import type { OauthClient } from '../../core/sign-in/oauth-client.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

export type OauthClientRecord = OauthClient & { describedAt: Date | null }

/** Stores a client, or updates one whose metadata document was fetched again. */
export async function putOauthClient(
  query: Query,
  client: OauthClient,
  now: Date,
  describedAt: Date | null,
): Promise<void> {
  const said = { name: client.name, redirect_uris: client.redirectUris, described_at: describedAt }
  await query
    .insertInto('oauth_clients')
    .values({ id: client.id, created_at: now, last_used_at: null, ...said })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said))
    .execute()
}

export async function findOauthClient(query: Query, id: string): Promise<OauthClientRecord | null> {
  const row = await query
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris as redirectUris', 'described_at as describedAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function touchOauthClient(query: Query, id: string, now: Date): Promise<void> {
  await query.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', id).execute()
}

/**
 * Deletes clients that were never used and are older than `neverUsedCutoff`, or last used before `usedCutoff`. A
 * bounded number; true if there may be more.
 */
export async function removeSomeOauthClients(
  db: Database,
  neverUsedCutoff: Date,
  usedCutoff: Date,
): Promise<boolean> {
  return removeSome(db, {
    ...{ table: 'oauth_clients', key: ['id'] },
    where: '((last_used_at IS NULL AND created_at < $1) OR last_used_at < $2)',
    values: [neverUsedCutoff, usedCutoff],
  })
}
