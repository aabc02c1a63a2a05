import type { Query } from '../../postgres/database.ts'
import { deleteAuthenticator } from '../sign-in/authenticators.ts'
import { endGrantsOf } from '../sign-in/oauth-grants.ts'
import { deletePasskeysOf } from '../sign-in/passkeys.ts'
import { deleteSessionsOf } from '../sign-in/sessions.ts'
import { revokeTokensOf } from '../teams/tokens.ts'
import { confirmAddress, lockUser } from './users.ts'

/**
 * Confirms an account's address by a proof that does not identify the creator of the account. The first such
 * proof ends all earlier access: the creator may not own the address and may be waiting for its owner. False
 * if the address was confirmed before, in which case nothing ends.
 */
export async function confirmAddressFirst(query: Query, userId: number, now: Date): Promise<boolean> {
  const user = await lockUser(query, userId)
  if (!user || user.email_verified_at !== null) return false
  await query.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
  await confirmAddress(query, userId, now)
  await deleteAuthenticator(query, userId)
  await query.deleteFrom('invitations').where('invited_by', '=', userId).execute()
  await endSignInsOf(query, userId, now)
  await revokeTokensOf(query, userId, now)
  return true
}

/**
 * Ends sessions, passkeys, OAuth grants and unused links. The password, the authenticator app and API tokens remain.
 */
export async function endSignInsOf(query: Query, userId: number, now: Date): Promise<void> {
  await query.deleteFrom('password_links').where('user_id', '=', userId).execute()
  await query.deleteFrom('email_links').where('user_id', '=', userId).execute()
  // Passkeys first: a sign-in in progress holds its passkey, so its session exists before sessions are deleted.
  await deletePasskeysOf(query, userId)
  await deleteSessionsOf(query, userId)
  await endGrantsOf(query, userId, now)
}
