import { deleteAuthenticator, hasAuthenticator } from '../../store/sign-in/authenticators.ts'
import { deletePasskeysOf } from '../../store/sign-in/passkeys.ts'
import { deleteSessionsOf } from '../../store/sign-in/sessions.ts'
import { tellHolder } from '../accounts/account-log.ts'
import { userOrRefuse } from '../accounts/operator-accounts.ts'
import type { Services } from '../services.ts'

/**
 * Lets the operator help a person who lost their phone and recovery codes: removes the authenticator app, the codes and
 * all passkeys, and ends every session. The password stays.
 */
export async function resetSecondFactor(services: Services, input: { email: string }) {
  const user = await userOrRefuse(services, 'email', input.email)
  return services.db.query.transaction().execute(async (query) => {
    const usedTotp = await hasAuthenticator(query, user.id)
    await deleteAuthenticator(query, user.id)
    const passkeys = await deletePasskeysOf(query, user.id)
    await deleteSessionsOf(query, user.id)
    await tellHolder(services, query, user.id, { kind: 'second_factor_reset', visitor: null })
    return { user_id: user.id, email: user.email, removed_totp: usedTotp, removed_passkeys: passkeys }
  })
}
