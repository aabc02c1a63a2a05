import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Adds a link and forgets those that have expired: each process that starts prints one of its own. */
export async function insertSetupLink(query: Query, tokenHash: Buffer, expiresAt: Date, now: Date) {
  await query.deleteFrom('setup_links').where('expires_at', '<=', now).execute()
  await query.insertInto('setup_links').values({ token_hash: tokenHash, expires_at: expiresAt }).execute()
}

/** Whether the link may still make the first account. */
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
 * Uses a link up, and with it all others. Nobody else can make an account until the transaction ends. False when
 * the link is none, or there is an account already.
 */
export async function redeemSetupLink(query: Query, tokenHash: Buffer, now: Date): Promise<boolean> {
  await sql`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`.execute(query)
  if (!(await isSetupLinkValid(query, tokenHash, now))) return false
  await query.deleteFrom('setup_links').execute()
  return true
}
