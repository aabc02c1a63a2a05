import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Adds a link and deletes expired ones. Each process prints its own link when it starts. */
export async function insertSetupLink(query: Query, tokenHash: Buffer, expiresAt: Date, now: Date) {
  await query.deleteFrom('setup_links').where('expires_at', '<=', now).execute()
  await query.insertInto('setup_links').values({ token_hash: tokenHash, expires_at: expiresAt }).execute()
}

/** Whether the link can still create the first account. */
export async function isSetupLinkValid(query: Query, tokenHash: Buffer, now: Date): Promise<boolean> {
  const found = await query
    .selectFrom('setup_links')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('users').select('id'))))
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Consumes the link and all others. Blocks the creation of accounts until the transaction ends. False if the
 * link is invalid or an account exists.
 */
export async function redeemSetupLink(query: Query, tokenHash: Buffer, now: Date): Promise<boolean> {
  await sql`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`.execute(query)
  if (!(await isSetupLinkValid(query, tokenHash, now))) return false
  await query.deleteFrom('setup_links').execute()
  return true
}
