import { type Access, mayUse } from '../core/access.ts'
import { Refusal } from '../core/errors.ts'
import { type Resource, roleWithin, scopeOf } from '../core/oauth.ts'
import { challengeOf } from '../core/oauth-metadata.ts'
import type { Actor } from './implementation.ts'
import type { Services } from './services.ts'
import { hashToken } from './tokens.ts'

/**
 * Says who asks, or refuses: 401 without a valid token, 429 over the rate limit, 403 for a token that has lost
 * its team and for a viewer who writes. Puts what is left of the limit into `headers`. `door` is where the token is
 * shown: one that a program has by a sign-in is good at a single one.
 */
export async function authenticate(
  services: Services,
  access: Access,
  authorization: string | null | undefined,
  headers: Record<string, string>,
  door: Resource = 'api',
): Promise<Actor> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  const holder = token ? await services.findTokenHolder(hashToken(token)) : null
  if (!holder || (holder.resource ?? door) !== door) {
    throw new Refusal('unauthorized', {}, { 'www-authenticate': 'Bearer' })
  }

  const allowance = await services.limits.perUser.take(holder.userId)
  headers['x-ratelimit-limit'] = String(allowance.limit)
  headers['x-ratelimit-remaining'] = String(allowance.remaining)
  if (allowance.retryAfterSeconds !== null) {
    throw new Refusal('tooManyRequests', {}, { 'retry-after': String(allowance.retryAfterSeconds) })
  }

  const { userId, teamId, role, plan } = holder
  if (teamId === null || role === null || plan === null) throw new Refusal('forbidden')
  const actor = { userId, teamId, role: roleWithin(role, holder.access), plan, door }
  if (mayUse(role, access) && !mayUse(actor.role, access)) throw outOfScope(services, door)
  return admit(actor, access)
}

/** What the person may do, and did not let the program do: it can ask for more (RFC 6750 section 3.1). */
function outOfScope({ siteUrl }: Services, door: Resource): Refusal {
  const detail = 'The program was only allowed to read. Connect it again, and let it change things.'
  const challenge = challengeOf(siteUrl, door, { error: 'insufficient_scope', scope: scopeOf('write') })
  return new Refusal('forbidden', { detail }, { 'www-authenticate': challenge })
}

/** Refuses a viewer who writes. */
export function admit(actor: Actor, access: Access): Actor {
  if (!mayUse(actor.role, access)) throw new Refusal('forbidden')
  return actor
}
