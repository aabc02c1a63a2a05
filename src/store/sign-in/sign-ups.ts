import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

export type SignUpRow = { email: string; name: string; passwordHash: string }

/** Stores a sign-up and deletes those that expired unconfirmed. */
export async function insertSignUp(
  query: Query,
  signUp: SignUpRow & { tokenHash: Buffer; expiresAt: Date },
  now: Date,
): Promise<void> {
  await query.deleteFrom('sign_ups').where('expires_at', '<=', now).execute()
  await query
    .insertInto('sign_ups')
    .values({
      token_hash: signUp.tokenHash,
      email: signUp.email,
      name: signUp.name,
      password_hash: signUp.passwordHash,
      expires_at: signUp.expiresAt,
    })
    .execute()
}

export async function findSignUp(query: Query, tokenHash: Buffer, now: Date): Promise<SignUpRow | undefined> {
  return query
    .selectFrom('sign_ups')
    .select(['email', 'name', 'password_hash as passwordHash'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes all sign-ups of an address; false if there were none. */
export async function redeemSignUps(query: Query, email: string): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('sign_ups')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  return numDeletedRows > 0n
}
