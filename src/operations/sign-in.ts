import { randomBytes } from 'node:crypto'
import type { SignIn } from '../core/account.ts'
import { Refusal } from '../core/errors.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import { findCredentials, lockPasswordHash } from '../store/users.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { Services } from './services.ts'
import { startSession, type Visitor } from './sessions.ts'
import { hashToken } from './tokens.ts'

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
    return startSession(services, query, user.id, visitor)
  })
}

/** Counts a try against an account, existing or not; the name is hashed to have one length. */
export async function throttleAccount(services: Services, email: string): Promise<void> {
  await throttle(services.limits.perSignInAccount, hashToken(email.toLowerCase()).toString('hex'))
}

export async function throttle(limit: RateLimit, key: string): Promise<void> {
  const { retryAfterSeconds } = await limit.take(key)
  if (retryAfterSeconds === null) return
  throw new Refusal('tooManyRequests', {}, { 'retry-after': String(retryAfterSeconds) })
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
