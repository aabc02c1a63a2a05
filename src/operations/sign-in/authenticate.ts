import { Refusal } from '../../core/errors.ts'
import { type Resource, roleWithin, scopeOf } from '../../core/sign-in/oauth.ts'
import { challengeOf } from '../../core/sign-in/oauth-metadata.ts'
import { type Access, mayUse, type Role } from '../../core/teams/access.ts'
import type { TokenHolder } from '../../store/teams/tokens.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { hashToken } from '../teams/tokens.ts'

/** The ways in that a token opens. */
export type TokenDoor = Resource

/** Who stands behind a token; `role` is as what the token acts, `ownRole` the member's own. */
export type Holder = TokenHolder & { ownRole: Role | null }

/**
 * Says who asks, or refuses: 401 without a valid token, 429 over the rate limit, 403 for a token that has lost
 * its team, for a viewer who writes, and for a program that was only allowed to read. Puts what is left of the
 * limit into `headers`.
 */
export async function authenticate(
  services: Services,
  access: Access,
  authorization: string | null | undefined,
  headers: Record<string, string>,
  door: TokenDoor = 'api',
): Promise<Actor> {
  const holder = await findHolder(services, authorization, door)
  const allowance = await services.limits.perUser.take(holder.userId)
  headers['x-ratelimit-limit'] = String(allowance.limit)
  headers['x-ratelimit-remaining'] = String(allowance.remaining)
  if (allowance.retryAfterSeconds !== null) {
    throw new Refusal('tooManyRequests', {}, { 'retry-after': String(allowance.retryAfterSeconds) })
  }

  const { userId, teamId, role, ownRole, plan } = holder
  if (teamId === null || role === null || ownRole === null || plan === null) throw new Refusal('forbidden')
  if (mayUse(ownRole, access) && !mayUse(role, access)) throw outOfScope(services, door)
  return admit({ userId, teamId, role, plan, door }, access)
}

/**
 * Who stands behind the token, without counting a request; 401 without a valid one. One that a program has by a
 * sign-in is good at one door, and as a viewer's where it was only allowed to read.
 */
export async function findHolder(
  services: Services,
  authorization: string | null | undefined,
  door: TokenDoor,
): Promise<Holder> {
  const token = bearerToken(authorization)
  const holder = token ? await services.findTokenHolder(hashToken(token)) : null
  if (!holder || (holder.resource ?? door) !== door) {
    const challenge = door === 'mcp' ? challengeOf(services.siteUrl, door) : 'Bearer'
    throw new Refusal('unauthorized', {}, { 'www-authenticate': challenge })
  }
  const { role } = holder
  return { ...holder, role: role && roleWithin(role, holder.access), ownRole: role }
}

/** The token of an Authorization header (RFC 6750 section 2.1); null where it holds none. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** What the person may do, and did not let the program do: it can ask for more (RFC 6750 section 3.1). */
function outOfScope({ siteUrl }: Services, door: TokenDoor): Refusal {
  const detail = 'The program was only allowed to read. Connect it again, and let it change things.'
  const challenge = challengeOf(siteUrl, door, { error: 'insufficient_scope', scope: scopeOf('write') })
  return new Refusal('forbidden', { detail }, { 'www-authenticate': challenge })
}

/** Refuses a viewer who writes. */
export function admit(actor: Actor, access: Access): Actor {
  if (!mayUse(actor.role, access)) throw new Refusal('forbidden')
  return actor
}
