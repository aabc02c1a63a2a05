import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

export type PasskeyRecord = {
  id: number
  userId: number
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

/** Stores a challenge and deletes expired ones. */
export async function insertChallenge(
  query: Query,
  challenge: { hash: Buffer; userId: number | null; expiresAt: Date },
  now: Date,
): Promise<void> {
  await query.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
  await query
    .insertInto('passkey_challenges')
    .values({ challenge_hash: challenge.hash, user_id: challenge.userId, expires_at: challenge.expiresAt })
    .execute()
}

/** Consumes a challenge; false unless it was issued to this user (null: without a user). */
export async function redeemChallenge(
  query: Query,
  hash: Buffer,
  userId: number | null,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where(sql<boolean>`user_id IS NOT DISTINCT FROM ${userId}`)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Null if the passkey is already known. */
export async function insertPasskey(
  query: Query,
  passkey: Omit<PasskeyRecord, 'id'> & { name: string; createdAt: Date },
): Promise<number | null> {
  const row = await query
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      created_at: passkey.createdAt,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function listPasskeys(query: Query, userId: number) {
  return query
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'transports', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Those of all people. */
export async function countPasskeys(query: Query): Promise<number> {
  const { count } = await query
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the passkey until the transaction ends, so that its counter only increases. */
export async function lockPasskey(query: Query, credentialId: string): Promise<PasskeyRecord | null> {
  const row = await query
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', credentialId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return null
  const { user_id: userId, credential_id, public_key: publicKey, ...rest } = row
  return { ...rest, userId, credentialId: credential_id, publicKey }
}

export async function notePasskeyUse(query: Query, id: number, counter: number, now: Date): Promise<void> {
  await query.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}

/** Returns the passkey's name; null if the user has no passkey with that id. */
export async function deletePasskey(query: Query, userId: number, id: number): Promise<string | null> {
  const row = await query
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}

/** Deletes a user's passkeys and pending challenges; returns the number of passkeys. */
export async function deletePasskeysOf(query: Query, userId: number): Promise<number> {
  await query.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await query
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
