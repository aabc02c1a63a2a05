import type { Query } from '../../postgres/database.ts'
import { lockUser } from './users.ts'

/** The effect of a mailed link, and the account it belongs to. */
export type EmailLink = {
  userId: number
  email: string
  /** True if the account's address was never proved before. */
  isFirstProof: boolean
  /** True if the link replaces `accountEmail` with `email`. */
  isChange: boolean
  accountEmail: string
}

export async function insertEmailLink(
  query: Query,
  link: { userId: number; email: string; tokenHash: Buffer; isChange: boolean; expiresAt: Date },
): Promise<void> {
  await query
    .insertInto('email_links')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      email: link.email,
      is_change: link.isChange,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** Null if the link was used or has expired, or if the account's address has changed. */
export async function findEmailLink(query: Query, tokenHash: Buffer, now: Date): Promise<EmailLink | null> {
  const row = await query
    .selectFrom('email_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.user_id as userId', 'l.email', 'l.is_change as isChange', 'u.email as accountEmail'])
    .select('u.email_verified_at')
    .where((eb) => eb.or([eb('l.is_change', '=', true), eb('u.email', '=', eb.ref('l.email'))]))
    .where('l.token_hash', '=', tokenHash)
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return null
  const { email_verified_at, ...link } = row
  return { ...link, isFirstProof: email_verified_at === null }
}

/** Consumes the link and all other links of the user, and locks the account. Null as above. */
export async function redeemEmailLink(query: Query, tokenHash: Buffer, now: Date): Promise<EmailLink | null> {
  const early = await findEmailLink(query, tokenHash, now)
  if (!early || !(await lockUser(query, early.userId))) return null
  const found = await findEmailLink(query, tokenHash, now)
  if (found) await query.deleteFrom('email_links').where('user_id', '=', found.userId).execute()
  return found
}
