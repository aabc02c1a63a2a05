import type { Query } from '../../postgres/database.ts'
import { confirmAddressFirst, endSignInsOf } from '../accounts/address-proof.ts'
import { lockUser } from '../accounts/users.ts'

export async function insertPasswordLink(
  query: Query,
  link: {
    userId: number
    tokenHash: Buffer
    /** It goes to the account's address: who uses it reads mail there. */
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

/** Whose link it is, and whether it would be the first proof of that account's address. */
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
 * Uses the link up and sets the password. A link that was mailed proves the address: the first time that ends
 * everything older, API tokens included; later ones end sessions, passkeys and what programs were let in by.
 * False when it was used already.
 */
export async function redeemPasswordLink(
  query: Query,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<boolean> {
  const found = await findPasswordLink(query, tokenHash, now)
  // The account first, then its links: who changes the password takes the same order.
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
