import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'

const SECRET = 'authenticators.secret'

export type Authenticator = { secret: string; isConfirmed: boolean; lastStep: number | null }

/** Stores the secret of an app that is yet to be confirmed; false if the user has a confirmed one. */
export async function insertAuthenticator(query: Query, vault: Vault, userId: number, secret: string) {
  const sealed = vault.seal(secret, SECRET, userId)
  const row = await query
    .insertInto('authenticators')
    .values({ user_id: userId, secret: sealed, confirmed_at: null, last_step: null })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: sealed })
        .where('authenticators.confirmed_at', 'is', null),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the app's row until the transaction ends, so that no code is accepted twice. */
export async function lockAuthenticator(
  query: Query,
  vault: Vault,
  userId: number,
): Promise<Authenticator | null> {
  const row = await query
    .selectFrom('authenticators')
    .select(['secret', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return null
  return {
    secret: vault.open(row.secret, SECRET, userId),
    isConfirmed: row.confirmed_at !== null,
    lastStep: row.last_step,
  }
}

export async function hasAuthenticator(query: Query, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('authenticators')
    .select('id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Records the time step of the last accepted code. */
export async function noteStep(query: Query, userId: number, step: number): Promise<void> {
  await query.updateTable('authenticators').set({ last_step: step }).where('user_id', '=', userId).execute()
}

export async function confirmAuthenticator(query: Query, userId: number, now: Date): Promise<void> {
  await query.updateTable('authenticators').set({ confirmed_at: now }).where('user_id', '=', userId).execute()
}

/** Deletes the app and its recovery codes. */
export async function deleteAuthenticator(query: Query, userId: number): Promise<void> {
  await query.deleteFrom('authenticators').where('user_id', '=', userId).execute()
  await query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function replaceRecoveryCodes(query: Query, userId: number, hashes: Buffer[]): Promise<void> {
  await query.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await query
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

/** Consumes a recovery code; false if it is invalid. */
export async function redeemRecoveryCode(query: Query, userId: number, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
