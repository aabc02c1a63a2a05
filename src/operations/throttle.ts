import { Refusal } from '../core/errors.ts'
import type { RateLimit } from '../store/rate-limits.ts'
import type { Services } from './services.ts'
import { hashToken } from './tokens.ts'

/** Counts a try against an account, existing or not; the name is hashed to have one length. */
export async function throttleAccount(services: Services, email: string): Promise<void> {
  await throttle(services.limits.perSignInAccount, hashToken(email.toLowerCase()).toString('hex'))
}

export async function throttle(limit: RateLimit, key: string): Promise<void> {
  const { retryAfterSeconds } = await limit.take(key)
  if (retryAfterSeconds === null) return
  throw new Refusal('tooManyRequests', {}, { 'retry-after': String(retryAfterSeconds) })
}
