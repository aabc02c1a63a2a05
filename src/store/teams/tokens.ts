import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { GrantAccess, Resource } from '../../core/sign-in/oauth.ts'
import type { Role } from '../../core/teams/access.ts'
import type { PlanName } from '../../core/teams/plan.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'

/** The stored form of a token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The user of a valid token. Team and role are null if the token has lost them. */
export type TokenHolder = {
  tokenId: number
  userId: number
  teamId: number | null
  role: Role | null
  plan: PlanName | null
  /** Resource and access of an OAuth grant; null for a token created by hand, which has no such limits. */
  resource: Resource | null
  access: GrantAccess | null
}

const TOUCH_AFTER_MS = 60_000

type HolderRow = {
  number: number
  id: number
  user_id: number
  team_id: number | null
  role: Role | null
  plan: PlanName | null
  resource: Resource | null
  access: GrantAccess | null
  last_used_at: Date | null
}

/** Where a token is used; '' where that is not known. */
type UsedFrom = { address: string; userAgent: string }
type Use = UsedFrom & { id: number }

const MAX_USER_AGENT_LENGTH = 300
const NOWHERE: UsedFrom = { address: '', userAgent: '' }

/**
 * Looks up a token by its hash; null if it is unknown, revoked or expired. Records its use at most once a minute: only then
 * it asks `from`, which reads the request's headers.
 */
export type FindTokenHolder = (tokenHash: Buffer, from?: () => UsedFrom) => Promise<TokenHolder | null>

export function createTokenHolderFinder(db: Database, now: () => Date): FindTokenHolder {
  const find = gather((tokenHashes: Buffer[]) => readHolders(db, tokenHashes, now()))
  const touch = gather(async (uses: Use[]) => {
    await noteUse(db, uses, now())
    return uses
  })
  return async (tokenHash, from = () => NOWHERE) => {
    const row = await find(tokenHash)
    if (!row) return null
    const { id, last_used_at } = row
    if (!last_used_at || now().getTime() - last_used_at.getTime() > TOUCH_AFTER_MS)
      await touch({ id, ...from() })
    const { user_id: userId, team_id: teamId, role, plan, resource, access } = row
    return { tokenId: id, userId, teamId, role, plan, resource, access }
  }
}

async function readHolders(
  { runShared }: Database,
  tokenHashes: Buffer[],
  now: Date,
): Promise<(HolderRow | null)[]> {
  const found: (HolderRow | null)[] = tokenHashes.map(() => null)
  // OFFSET 0 keeps the conditions out of the lookup, so that each hash uses the index, whatever the statistics suggest.
  // The inner SELECT hides how many hashes there are: else most calls are planned anew, which takes longer than they do.
  const { rows } = await runShared<HolderRow>({
    name: 'find-token-holders',
    text: `SELECT asked.number, k.id, k.user_id, k.team_id, m.role, t.plan, k.resource, k.access,
             k.last_used_at
           FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS asked (hash, number)
           CROSS JOIN LATERAL (SELECT * FROM tokens WHERE token_hash = asked.hash OFFSET 0) k
           LEFT JOIN members m ON m.team_id = k.team_id AND m.user_id = k.user_id
           LEFT JOIN teams t ON t.id = k.team_id
           WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)
             AND (k.access_expires_at IS NULL OR k.access_expires_at > $2)`,
    values: [tokenHashes, now],
  })
  for (const row of rows) found[row.number - 1] = row
  return found
}

/** Skips locked tokens: another process is recording their use or revoking them. */
async function noteUse({ pool }: Database, uses: Use[], now: Date): Promise<void> {
  await pool.query({
    name: 'note-use-of-tokens',
    text: `WITH held AS (SELECT id FROM tokens WHERE id = ANY ($1::int[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
           UPDATE tokens k SET last_used_at = $2, last_used_from = nullif(used.address, ''),
             last_used_by = nullif(used.user_agent, '')
           FROM held JOIN unnest($1::int[], $3::text[], $4::text[]) AS used (id, address, user_agent) USING (id)
           WHERE k.id = held.id`,
    values: [
      uses.map(({ id }) => id),
      now,
      uses.map(({ address }) => address),
      uses.map(({ userAgent }) => userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
    ],
  })
}

export async function insertToken(
  query: Query,
  token: {
    teamId: number
    userId: number
    name: string
    tokenHash: Buffer
    ending: string
    expiresAt: Date | null
    /** Null: what the role of its user may. */
    access?: GrantAccess | null
  },
): Promise<{ id: number; createdAt: Date }> {
  const row = await query
    .insertInto('tokens')
    .values({
      team_id: token.teamId,
      user_id: token.userId,
      name: token.name,
      token_hash: token.tokenHash,
      ending: token.ending,
      expires_at: token.expiresAt,
      access: token.access ?? null,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
  return { id: row.id, createdAt: row.created_at }
}

export async function listTokens(query: Query) {
  return query
    .selectFrom('tokens as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select([
      'k.id',
      'k.team_id',
      'u.email',
      'k.name',
      'k.ending',
      'k.created_at',
      'k.last_used_at',
      'k.expires_at',
      'k.revoked_at',
    ])
    .orderBy('k.id')
    .execute()
}

/** Revokes a token; null if there is none or it was revoked already. */
export async function revokeToken(
  query: Query,
  tokenId: number,
  now: Date,
): Promise<{ teamId: number | null; name: string } | null> {
  const row = await query
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .returning(['team_id as teamId', 'name'])
    .executeTakeFirst()
  return row ?? null
}

/** Ends a valid token at that time, unless it ends before; false if there is none. */
export async function endTokenAt(query: Query, tokenId: number, at: Date): Promise<boolean> {
  const ended = await query
    .updateTable('tokens')
    .set({ expires_at: sql<Date>`least(expires_at, ${at})` })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Revokes all tokens of a user in every team, including OAuth grants. */
export async function revokeTokensOf(query: Query, userId: number, now: Date): Promise<void> {
  await query
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

export type TeamToken = {
  id: number
  userId: number
  name: string
  ending: string
  createdBy: string
  createdAt: Date
  lastUsedAt: Date | null
  lastUsedFrom: string | null
  lastUsedBy: string | null
  expiresAt: Date | null
  revokedAt: Date | null
  resource: Resource | null
  access: GrantAccess | null
}

/** At most `limit` tokens of the team, or of one of its users: valid ones first, then newest first. */
export async function listTeamTokens(
  query: Query,
  teamId: number,
  userId: number | null,
  limit: number,
): Promise<TeamToken[]> {
  return teamTokens(query, teamId)
    .$if(userId !== null, (tokens) => tokens.where('k.user_id', '=', userId as number))
    .orderBy(sql`k.revoked_at IS NOT NULL`)
    .orderBy('k.id', 'desc')
    .limit(limit)
    .execute()
}

export async function findTeamToken(query: Query, teamId: number, id: number): Promise<TeamToken | null> {
  return (await teamTokens(query, teamId).where('k.id', '=', id).executeTakeFirst()) ?? null
}

function teamTokens(query: Query, teamId: number) {
  return query
    .selectFrom('tokens as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .where('k.team_id', '=', teamId)
    .select(['k.id', 'k.user_id as userId', 'k.name', 'k.ending', 'u.name as createdBy'])
    .select(['k.created_at as createdAt', 'k.last_used_at as lastUsedAt'])
    .select(['k.last_used_from as lastUsedFrom', 'k.last_used_by as lastUsedBy'])
    .select(['k.expires_at as expiresAt', 'k.revoked_at as revokedAt', 'k.resource', 'k.access'])
}

/** Number of tokens that a user can still use in a team. */
export async function countValidTokens(
  query: Query,
  teamId: number,
  userId: number,
  now: Date,
): Promise<number> {
  const { count } = await query
    .selectFrom('tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}
