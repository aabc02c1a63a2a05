import { Refusal } from '../../core/errors.ts'
import { DAY_MS } from '../../core/history/history-span.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import type { ApiToken } from '../../core/teams/people.ts'
import type { Query } from '../../postgres/database.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import {
  countValidTokens,
  findTeamToken,
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
import { endingOf, generateToken, hashToken } from './tokens.ts'

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
      // Locks the account before the team, in the same order as the deletion of an account.
      await refuseDisabled(query, userId)
      // Two tokens created at once must not both take the last place.
      await lockTeam(query, teamId)
      await refuseEndedSession(services, query, actor)
      if ((await countValidTokens(query, teamId, userId, now())) >= MAX_TOKENS_OF_MEMBER) {
        throw Refusal.invalid({
          name: [
            said('must wait: you have {count} valid tokens, the most; revoke one first', {
              count: MAX_TOKENS_OF_MEMBER,
            }),
          ],
        })
      }
      const { id, token } = await issueToken(services, query, { teamId, userId, name: body.name, expiresAt })
      const issued = (await findTeamToken(query, teamId, id)) as TeamToken
      return { ...present(issued, actor), token }
    })
    return { body: { data } }
  },
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
  owner: { teamId: number; userId: number; name: string; expiresAt: Date | null },
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
    expires_at: formatInstantOrNull(token.expiresAt),
    revoked_at: formatInstantOrNull(token.revokedAt),
    connection: token.resource && token.access && { resource: token.resource, access: token.access },
  }
}
