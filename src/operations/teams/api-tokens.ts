import { Refusal } from '../../core/errors.ts'
import { DAY_MS, HOUR_MS } from '../../core/history/history-span.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { type Said, said } from '../../core/language/said.ts'
import type { GrantAccess } from '../../core/sign-in/oauth.ts'
import type { ApiToken } from '../../core/teams/people.ts'
import type { Query } from '../../postgres/database.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import {
  countValidTokens,
  endTokenAt,
  findTeamToken,
  hashToken,
  insertToken,
  listTeamTokens,
  revokeToken,
  type TeamToken,
} from '../../store/teams/tokens.ts'
import { refuseDisabled } from '../accounts/account-administration.ts'
import { tellHolder } from '../accounts/account-log.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { refuseEndedSession } from '../sign-in/sessions.ts'
import { endingOf, generateToken } from './tokens.ts'

export const MAX_TOKENS_OF_MEMBER = 100
const MAX_LISTED = 1_000

export const listApiTokens: Implementation<'listApiTokens'> = {
  async perform({ db }, { actor }) {
    const userId = actor.role === 'owner' ? null : actor.userId
    const tokens = await listTeamTokens(db.query, actor.teamId, userId, MAX_LISTED)
    return { body: { data: tokens.map((token) => present(token, actor)) } }
  },
}

export const createApiToken: Implementation<'createApiToken'> = {
  async perform(services, { actor, body }) {
    const { db, now } = services
    const { teamId, userId } = actor
    const days = body.expires_in_days
    const expiresAt = days === null ? null : new Date(now().getTime() + days * DAY_MS)
    const data = await db.query.transaction().execute(async (query) => {
      await lockForToken(services, query, actor)
      if ((await countValidTokens(query, teamId, userId, now())) >= MAX_TOKENS_OF_MEMBER)
        throw Refusal.invalid({ name: [tooMany()] })
      const access = body.is_read_only ? 'read' : null
      return issueAndPresent(services, query, actor, { name: body.name, expiresAt, access })
    })
    return { body: { data } }
  },
}

/**
 * Makes a token with the name, the access and the length of life of one's own, and ends that after the chosen time: programs
 * change over meanwhile.
 */
export const rotateApiToken: Implementation<'rotateApiToken'> = {
  async perform(services, { actor, record, body }) {
    const { db, now } = services
    if (record.userId !== actor.userId || record.resource !== null) throw new Refusal('notFound')
    const { name, access, createdAt, expiresAt } = record
    const lifeMs = expiresAt && expiresAt.getTime() - createdAt.getTime()
    const data = await db.query.transaction().execute(async (query) => {
      await lockForToken(services, query, actor)
      const at = now()
      const isOver = expiresAt !== null && expiresAt <= at
      const end = new Date(at.getTime() + body.old_works_hours * HOUR_MS)
      const hasEnded =
        body.old_works_hours === 0
          ? (await revokeToken(query, record.id, at)) !== null
          : await endTokenAt(query, record.id, end)
      if (isOver || !hasEnded) throw new Refusal('notFound')
      if ((await countValidTokens(query, actor.teamId, actor.userId, at)) >= MAX_TOKENS_OF_MEMBER)
        throw Refusal.invalid({ old_works_hours: [tooMany()] })
      const next = { name, access, expiresAt: lifeMs === null ? null : new Date(at.getTime() + lifeMs) }
      return issueAndPresent(services, query, actor, next)
    })
    return { body: { data } }
  },
}

async function lockForToken(services: Services, query: Query, actor: Actor): Promise<void> {
  // Locks the account before the team, in the same order as the deletion of an account.
  await refuseDisabled(query, actor.userId)
  // Two tokens created at once must not both take the last place.
  await lockTeam(query, actor.teamId)
  await refuseEndedSession(services, query, actor)
}

function tooMany(): Said {
  return said('must wait: you have {count} valid tokens, the most; revoke one first', {
    count: MAX_TOKENS_OF_MEMBER,
  })
}

async function issueAndPresent(
  services: Services,
  query: Query,
  actor: Actor,
  wanted: { name: string; expiresAt: Date | null; access: GrantAccess | null },
) {
  const { teamId, userId } = actor
  const { id, token } = await issueToken(services, query, { teamId, userId, ...wanted })
  const issued = (await findTeamToken(query, teamId, id)) as TeamToken
  return { ...present(issued, actor), token }
}

/** Members revoke their own tokens, owners anyone's. For admins, other members' tokens do not exist. */
export const revokeApiToken: Implementation<'revokeApiToken'> = {
  async perform({ db, now }, { actor, record }) {
    if (record.userId !== actor.userId && actor.role !== 'owner') throw new Refusal('notFound')
    if (!(await revokeToken(db.query, record.id, now()))) throw new Refusal('notFound')
    return {}
  },
}

/**
 * Creates a token for an account that is not disabled, and notifies its holder. The token appears only in this answer,
 * because only its hash is stored.
 */
export async function issueToken(
  services: Services,
  query: Query,
  owner: {
    teamId: number
    userId: number
    name: string
    expiresAt: Date | null
    access?: GrantAccess | null
  },
): Promise<{ id: number; token: string; createdAt: Date }> {
  const token = generateToken()
  const issued = await insertToken(query, {
    ...owner,
    tokenHash: hashToken(token),
    ending: endingOf(token),
  })
  const told = { kind: 'api_token_created' as const, detail: owner.name, visitor: null }
  await tellHolder(services, query, owner.userId, told)
  return { ...issued, token }
}

function present(token: TeamToken, actor: Actor): ApiToken {
  return {
    id: token.id,
    name: token.name,
    ending: token.ending,
    created_by: token.createdBy,
    is_yours: token.userId === actor.userId,
    created_at: formatInstant(token.createdAt),
    last_used_at: formatInstantOrNull(token.lastUsedAt),
    last_used_from: token.lastUsedFrom,
    last_used_by: token.lastUsedBy,
    is_read_only: token.resource === null && token.access === 'read',
    expires_at: formatInstantOrNull(token.expiresAt),
    revoked_at: formatInstantOrNull(token.revokedAt),
    connection: token.resource && token.access && { resource: token.resource, access: token.access },
  }
}
