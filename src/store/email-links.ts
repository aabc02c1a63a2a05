import type { Query } from './database.ts'

export async function insertEmailLink(
  query: Query,
  link: { userId: number; email: string; tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await query
    .insertInto('email_links')
    .values({
      token_hash: link.tokenHash,
      user_id: link.userId,
      email: link.email,
      expires_at: link.expiresAt,
    })
    .execute()
}

/** The address of a link that works; null when it was used, has expired, or the account has another address now. */
export async function findEmailLink(query: Query, tokenHash: Buffer, now: Date): Promise<string | null> {
  const row = await query
    .selectFrom('email_links as l')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 'l.user_id').onRef('u.email', '=', 'l.email'))
    .select('l.email')
    .where('l.token_hash', '=', tokenHash)
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Uses the link up, and the user's others with it. */
export async function redeemEmailLink(query: Query, tokenHash: Buffer, now: Date): Promise<boolean> {
  const link = await query
    .deleteFrom('email_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  if (!link) return false
  await query.deleteFrom('email_links').where('user_id', '=', link.user_id).execute()
  const { numUpdatedRows } = await query
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', link.user_id)
    .where('email', '=', link.email)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
