import { Refusal } from '../core/errors.ts'
import { mailboxName } from '../core/mailbox.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import type { Services } from './services.ts'
import { hashToken } from './tokens.ts'

/** Counts a try against an account, existing or not. */
export async function throttleAccount(services: Services, email: string): Promise<void> {
  await throttle(services.limits.perSignInAccount, keyOf(email))
}

/** Counts a letter to an address that may be nobody's account. */
export async function throttleMailbox(services: Services, email: string): Promise<void> {
  await throttle(services.limits.perMailbox, keyOf(mailboxName(email)))
}

/** Hashed, to have one length. */
function keyOf(email: string): string {
  return hashToken(email.toLowerCase()).toString('hex')
}

/** Counts a use; refuses with 429 once the limit is used up. */
export async function throttle(limit: RateLimit, key: string | number): Promise<void> {
  const { retryAfterSeconds } = await limit.take(key)
  if (retryAfterSeconds === null) return
  throw new Refusal('tooManyRequests', {}, { 'retry-after': String(retryAfterSeconds) })
}
