import { createHash, timingSafeEqual } from 'node:crypto'
import { inWords } from '../../core/language/said.ts'
import {
  ACCESS_TOKEN_SECONDS,
  OauthRefusal,
  REFRESH_TOKEN_SECONDS,
  type Resource,
  scopeOf,
} from '../../core/sign-in/oauth.ts'
import { readParameter, readResource, requireParameter } from '../../core/sign-in/oauth-request.ts'
import { describe } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { lockMembership, lockPasswordHash } from '../../store/accounts/users.ts'
import { findOauthClient, touchOauthClient } from '../../store/sign-in/oauth-clients.ts'
import {
  type Allowed,
  type CodeRecord,
  findGrantIdOf,
  findOauthCode,
  type GrantKeys,
  insertGrant,
  lockGrantOf,
  markOauthCodeUsed,
  renewGrant,
} from '../../store/sign-in/oauth-grants.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { hashToken, revokeToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { endingOf, generateToken } from '../teams/tokens.ts'
import { countWrongSecret, throttle } from './throttle.ts'

const REFRESH_PREFIX = 'upr_'

/** A successful token response (RFC 6749, section 5.1). */
export type TokenAnswer = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** The result of a transaction. A refusal is thrown after the commit, so that revocations persist. */
type Outcome = TokenAnswer | OauthRefusal

/** Issues a token to a program, for an authorization code or for the last refresh token. */
export async function issueOauthToken(
  services: Services,
  params: URLSearchParams,
  address: string,
): Promise<TokenAnswer> {
  try {
    return await issue(services, params)
  } catch (error) {
    // A refused request counts like any wrong secret: right ones behind the same address go on.
    if (error instanceof OauthRefusal) await countWrongSecret(services, 'oauth', address)
    throw error
  }
}

async function issue(services: Services, params: URLSearchParams): Promise<TokenAnswer> {
  const grantType = requireParameter(params, 'grant_type')
  const clientId = requireParameter(params, 'client_id')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    const got = describe(grantType)
    throw new OauthRefusal(
      'unsupported_grant_type',
      inWords(`grant_type must be authorization_code or refresh_token, got ${got}.`),
    )
  }
  const client = await findOauthClient(services.db.query, clientId)
  if (!client)
    throw new OauthRefusal('invalid_client', inWords('There is no such client_id: register again.'))
  const outcome = await (grantType === 'authorization_code'
    ? redeemCode(services, params, client)
    : redeemRefreshToken(services, params, clientId))
  if (outcome instanceof OauthRefusal) throw outcome
  return outcome
}

async function redeemCode(
  services: Services,
  params: URLSearchParams,
  client: { id: string; name: string },
): Promise<Outcome> {
  const { db, now, siteUrl } = services
  const codeHash = hashToken(requireParameter(params, 'code'))
  const verifier = requireParameter(params, 'code_verifier')
  const redirectUri = readParameter(params, 'redirect_uri')
  const resource = readResource(params, siteUrl)
  return db.query.transaction().execute(async (query) => {
    const open = await findOauthCode(query, codeHash)
    if (!open || open.clientId !== client.id) return INVALID_CODE
    // The same lock order as in a password change and at the end of a membership.
    await lockPasswordHash(query, open.userId)
    const isMember = await lockMembership(query, open.teamId, open.userId)
    const code = await findOauthCode(query, codeHash, true)
    if (!code || !isMember) return INVALID_CODE
    if (code.tokenId !== null) {
      await endReusedGrant(services, query, code, code.tokenId, client.name)
      return INVALID_CODE
    }
    const fault = faultOf(code, { verifier, redirectUri, resource }, now())
    if (fault) return fault
    const { answer, keys } = makeKeys(now(), code)
    const tokenId = await insertGrant(query, code, client.name, keys)
    await markOauthCodeUsed(query, codeHash, tokenId)
    await touchOauthClient(query, client.id, now())
    await insertAudit(query, entryOf(services, code, 'dashboard', 'connectProgram', tokenId, client.name))
    return answer
  })
}

function faultOf(
  code: CodeRecord,
  sent: { verifier: string; redirectUri: string | null; resource: Resource | null },
  now: Date,
): OauthRefusal | null {
  if (code.expiresAt <= now || !isVerifierOf(code.challenge, sent.verifier)) return INVALID_CODE
  if (sent.redirectUri !== null && sent.redirectUri !== code.redirectUri) return INVALID_CODE
  return otherResource(code.resource, sent.resource)
}

/** PKCE with SHA-256 (RFC 7636, section 4.6). */
function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  const hash = createHash('sha256').update(verifier).digest('base64url')
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge))
}

async function redeemRefreshToken(
  services: Services,
  params: URLSearchParams,
  clientId: string,
): Promise<Outcome> {
  const { db, now, siteUrl } = services
  const refreshHash = hashToken(requireParameter(params, 'refresh_token'))
  const resource = readResource(params, siteUrl)
  const grantId = await findGrantIdOf(db.query, refreshHash)
  if (grantId === null) return INVALID_REFRESH_TOKEN
  await throttle(services.limits.perOauthGrant, grantId)
  return db.query.transaction().execute(async (query) => {
    const grant = await lockGrantOf(query, refreshHash)
    const at = now()
    if (!grant?.refresh || grant.clientId !== clientId || grant.revokedAt) return INVALID_REFRESH_TOKEN
    if (grant.refresh.usedAt) {
      await endReusedGrant(services, query, grant, grant.id, grant.name)
      return INVALID_REFRESH_TOKEN
    }
    if (grant.refresh.expiresAt <= at) return INVALID_REFRESH_TOKEN
    const fault = otherResource(grant.resource, resource)
    if (fault) return fault
    const { answer, keys } = makeKeys(at, grant)
    await renewGrant(query, grant.id, { refreshHash, at }, keys)
    await touchOauthClient(query, clientId, at)
    return answer
  })
}

/** Revokes a program's grant by any of its tokens (RFC 7009). Unknown tokens count as revoked. */
export async function revokeOauthToken(
  services: Services,
  params: URLSearchParams,
  address: string,
): Promise<void> {
  const tokenHash = hashToken(requireParameter(params, 'token'))
  const clientId = readParameter(params, 'client_id')
  const grantId = await findGrantIdOf(services.db.query, tokenHash)
  if (grantId === null) return countWrongSecret(services, 'oauth', address)
  await throttle(services.limits.perOauthGrant, grantId)
  await services.db.query.transaction().execute(async (query) => {
    const grant = await lockGrantOf(query, tokenHash)
    if (!grant || (clientId !== null && grant.clientId !== clientId)) return
    if (!(await revokeToken(query, grant.id, services.now()))) return
    await insertAudit(
      query,
      entryOf(services, grant, grant.resource, 'disconnectProgram', grant.id, grant.name),
    )
  })
}

const INVALID_CODE = new OauthRefusal(
  'invalid_grant',
  inWords(
    'The code is not good: it was used, it is older than a minute, or it was given for something else. Sign in again.',
  ),
)
const INVALID_REFRESH_TOKEN = new OauthRefusal(
  'invalid_grant',
  inWords(
    'The refresh token is not good: it was used, it is older than 30 days, or the connection was ended. Sign in again.',
  ),
)

function otherResource(allowed: Resource, asked: Resource | null): OauthRefusal | null {
  if (asked === null || asked === allowed) return null
  return new OauthRefusal(
    'invalid_target',
    inWords('resource must be the one that the person was asked for.'),
  )
}

/** Two parties hold the same key, so one has stolen it: the grant ends for both. */
async function endReusedGrant(
  services: Services,
  query: Query,
  allowed: Allowed,
  tokenId: number,
  name: string,
): Promise<void> {
  if (!(await revokeToken(query, tokenId, services.now()))) return
  await insertAudit(query, entryOf(services, allowed, allowed.resource, 'endStolenConnection', tokenId, name))
}

function entryOf(
  { now }: Services,
  { teamId, userId }: Allowed,
  door: 'dashboard' | Resource,
  action: string,
  subjectId: number,
  subject: string,
) {
  return { teamId, at: now(), userId, door, action, subject, subjectId, fields: [] }
}

function makeKeys(now: Date, { access }: Allowed): { answer: TokenAnswer; keys: GrantKeys } {
  const [token, refreshToken] = [generateToken(), generateToken(REFRESH_PREFIX)]
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  return {
    answer: {
      access_token: token,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      scope: scopeOf(access),
    },
    keys: {
      accessHash: hashToken(token),
      ending: endingOf(token),
      accessExpiresAt: after(ACCESS_TOKEN_SECONDS),
      refreshHash: hashToken(refreshToken),
      refreshExpiresAt: after(REFRESH_TOKEN_SECONDS),
    },
  }
}
