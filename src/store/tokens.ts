import type { Role } from '../core/access.ts'
import type { PlanName } from '../core/plan.ts'
import type { Database, Query } from './database.ts'

/** Who stands behind a token that is valid; team and role are null where the token has lost them. */
export type TokenHolder = {
  tokenId: number
  userId: number
  teamId: number | null
  role: Role | null
  plan: PlanName | null
}

const TOUCH_AFTER_MS = 60_000

type HolderRow = {
  id: number
  user_id: number
  team_id: number | null
  role: Role | null
  plan: PlanName | null
  last_used_at: Date | null
}

/** Looks a token up by its hash; null when it is unknown, revoked or expired. Notes its use, at most once a minute. */
export async function findTokenHolder(
  db: Database,
  tokenHash: Buffer,
  now: Date,
): Promise<TokenHolder | null> {
  const { rows } = await db.pool.query<HolderRow>({
    name: 'find-token-holder',
    text: `SELECT k.id, k.user_id, k.team_id, m.role, t.plan, k.last_used_at
           FROM tokens k
           LEFT JOIN members m ON m.team_id = k.team_id AND m.user_id = k.user_id
           LEFT JOIN teams t ON t.id = k.team_id
           WHERE k.token_hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
    values: [tokenHash, now],
  })
  const row = rows[0]
  if (!row) return null
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > TOUCH_AFTER_MS) {
    await db.query.updateTable('tokens').set({ last_used_at: now }).where('id', '=', row.id).execute()
  }
  return { tokenId: row.id, userId: row.user_id, teamId: row.team_id, role: row.role, plan: row.plan }
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

export async function revokeToken(query: Query, tokenId: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
