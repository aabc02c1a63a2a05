import type { Query } from '../../postgres/database.ts'
import { confirmAddressFirst, endSignInsOf } from '../accounts/address-proof.ts'
import { lockUser } from '../accounts/users.ts'

export async function insertPasswordLink(
  query: Query,
  link: {
    userId: number
    tokenHash: Buffer
    /** The link was mailed to the account's address, so using it proves access to that mailbox. */
    isMailed: boolean
    expiresAt: Date
  },
): Promise<void> {
  await query
    .insertInto('password_links')
    .values({
      user_id: link.userId,
      token_hash: link.tokenHash,
      is_mailed: link.isMailed,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** The user of a link, and whether using it would be the first proof of the account's address. */
export async function findPasswordLink(query: Query, tokenHash: Buffer, now: Date) {
  const row = await query
    .selectFrom('password_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id', 'u.email', 'u.name', 'l.is_mailed', 'u.email_verified_at'])
    .where('l.token_hash', '=', tokenHash)
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { is_mailed, email_verified_at, ...user } = row
  return { ...user, isFirstProof: is_mailed && email_verified_at === null }
}

/**
 * Consumes the link and sets the password. A mailed link proves the address: the first proof ends all earlier access,
 * including API tokens; otherwise sessions, passkeys and OAuth grants end. False if it was used already.
 */
export async function redeemPasswordLink(
  query: Query,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const found = await findPasswordLink(query, tokenHash, now)
  // Lock the account before its links, in the same order as a password change.
  if (!found || !(await lockUser(query, found.id))) return false
  const link = await query
    .deleteFrom('password_links')
    .where('token_hash', '=', tokenHash)
    .returning('is_mailed')
    .executeTakeFirst()
  if (!link) return false
  const isFirstProof = link.is_mailed && (await confirmAddressFirst(query, found.id, now))
  if (!isFirstProof) await endSignInsOf(query, found.id, now)
  await query.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', found.id).execute()
  return true
}
