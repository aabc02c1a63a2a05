import { randomBytes } from 'node:crypto'
import type { SignIn } from '../core/account.ts'
import { Refusal } from '../core/errors.ts'
import { findCredentials, lockPasswordHash } from '../store/users.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { requireSecondFactor } from './second-factor.ts'
import type { Services } from './services.ts'
import { startSession, type Visitor } from './sessions.ts'
import { throttle, throttleAccount } from './throttle.ts'

/**
 * Signs in by a password; returns the session's `Set-Cookie`. The refusal is the same, and takes as long, whether
 * the password is wrong or there is no such account.
 */
export async function signIn(services: Services, input: SignIn, visitor: Visitor): Promise<string> {
  await throttle(services.limits.perSignInAddress, visitor.address)
  await throttleAccount(services, input.email)
  const user = await findCredentials(services.db.query, input.email)
  const isRight = await verifyPassword(input.password, user?.passwordHash ?? (await nobodysHash()))
  if (!user?.passwordHash || !isRight) throw wrongPassword()
  return services.db.query.transaction().execute(async (query) => {
    // A password that was changed meanwhile has ended all sessions: this one must not outlive them.
    if ((await lockPasswordHash(query, user.id)) !== user.passwordHash) throw wrongPassword()
    await requireSecondFactor(services, query, user.id, input.code)
    return startSession(services, query, user.id, visitor)
  })
}

function wrongPassword(): Refusal {
  return new Refusal('unauthorized', { detail: 'The e-mail address or the password is wrong.' })
}

let nobodys: Promise<string> | undefined

/** Of a password that nobody knows, so that an unknown account costs as much as a known one. */
function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(randomBytes(32).toString('base64'))
  return nobodys
}
