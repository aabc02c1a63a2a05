import { type Access, mayUse } from '../core/access.ts'
import { Refusal } from '../core/errors.ts'
import type { Actor } from './implementation.ts'
import type { Services } from './services.ts'
import { hashToken } from './tokens.ts'

/**
 * Says who asks, or refuses: 401 without a valid token, 429 over the rate limit, 403 for a token that has lost
 * its team and for a viewer who writes. Puts what is left of the limit into `headers`.
 */
export async function authenticate(
  services: Services,
  access: Access,
  authorization: string | null | undefined,
  headers: Record<string, string>,
): Promise<Actor> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  const holder = token ? await services.findTokenHolder(hashToken(token)) : null
  if (!holder) throw new Refusal('unauthorized', {}, { 'www-authenticate': 'Bearer' })

  const allowance = await services.limits.perUser.take(holder.userId)
  headers['x-ratelimit-limit'] = String(allowance.limit)
  headers['x-ratelimit-remaining'] = String(allowance.remaining)
  if (allowance.retryAfterSeconds !== null) {
    throw new Refusal('tooManyRequests', {}, { 'retry-after': String(allowance.retryAfterSeconds) })
  }

  const { userId, teamId, role, plan } = holder
  if (teamId === null || role === null || plan === null) throw new Refusal('forbidden')
  return admit({ userId, teamId, role, plan, door: 'api' }, access)
}

/** Refuses a viewer who writes. */
export function admit(actor: Actor, access: Access): Actor {
  if (!mayUse(actor.role, access)) throw new Refusal('forbidden')
  return actor
}
