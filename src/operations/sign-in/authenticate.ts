import { Refusal } from '../../core/errors.ts'
import { inWords } from '../../core/language/said.ts'
import { type Resource, scopeOf } from '../../core/sign-in/oauth.ts'
import { challengeOf } from '../../core/sign-in/oauth-metadata.ts'
import { type Access, mayUse, type Role, roleWithin } from '../../core/teams/access.ts'
import type { TokenHolder } from '../../store/teams/tokens.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { currentOrigin } from './throttle.ts'

/** The interfaces that accept tokens. */
export type TokenDoor = Resource

/** The member behind a token. `role` is what the token may act as, `ownRole` the member's own. */
export type MemberOfToken = TokenHolder & { ownRole: Role | null }

/**
 * Identifies the caller, or refuses: 401 without a valid token, 429 over the rate limit, 403 for a token whose owner
 * left the team, for a viewer who writes, and for a program with read-only access. Reports the remaining limit in
 * `headers`.
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
    throw Refusal.tooMany(allowance.retryAfterSeconds)
  }

  const { userId, teamId, role, ownRole, plan } = holder
  if (teamId === null || role === null || ownRole === null || plan === null) throw new Refusal('forbidden')
  if (mayUse(ownRole, access) && !mayUse(role, access)) throw outOfScope(services, door, holder.resource)
  return admit({ userId, teamId, role, plan, door }, access)
}

/**
 * Finds the member behind a token without counting a request; 401 without a valid token. An OAuth token works at one
 * door only, and as a viewer if it was granted read access.
 */
export async function findHolder(
  services: Services,
  authorization: string | null | undefined,
  door: TokenDoor,
): Promise<MemberOfToken> {
  const token = bearerToken(authorization)
  const holder = token ? await services.findTokenHolder(hashToken(token), currentOrigin) : null
  if (!holder || (holder.resource ?? door) !== door) {
    const challenge = door === 'mcp' ? challengeOf(services.siteUrl, door) : 'Bearer'
    throw new Refusal('unauthorized', {}, { 'www-authenticate': challenge })
  }
  const { role } = holder
  return { ...holder, role: role && roleWithin(role, holder.access), ownRole: role }
}

/** The token of an Authorization header (RFC 6750, section 2.1); null if there is none. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Refuses what the person may do but did not allow the token to do; a program can request more (RFC 6750, section 3.1). */
function outOfScope({ siteUrl }: Services, door: TokenDoor, granted: Resource | null): Refusal {
  if (granted === null)
    return new Refusal('forbidden', { detail: inWords('This token is read-only. Use one that may write.') })
  const detail = inWords('The program was only allowed to read. Connect it again, and let it change things.')
  const challenge = challengeOf(siteUrl, door, { error: 'insufficient_scope', scope: scopeOf('write') })
  return new Refusal('forbidden', { detail }, { 'www-authenticate': challenge })
}

/** Refuses callers whose role does not allow this access. */
export function admit(actor: Actor, access: Access): Actor {
  if (!mayUse(actor.role, access)) throw new Refusal('forbidden')
  return actor
}
