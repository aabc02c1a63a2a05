import type { Role } from '../core/access.ts'
import type { PlanName } from '../core/plan.ts'
import type { Database, Query } from './database.ts'
import { gather } from './gather.ts'

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
  number: number
  id: number
  user_id: number
  team_id: number | null
  role: Role | null
  plan: PlanName | null
  last_used_at: Date | null
}

/** Looks a token up by its hash; null when it is unknown, revoked or expired. Notes its use, at most once a minute. */
export type FindTokenHolder = (tokenHash: Buffer) => Promise<TokenHolder | null>

export function createTokenHolderFinder(db: Database, now: () => Date): FindTokenHolder {
  const find = gather((tokenHashes: Buffer[]) => readHolders(db, tokenHashes, now()))
  const touch = gather(async (ids: number[]) => {
    await noteUse(db, ids, now())
    return ids
  })
  return async (tokenHash) => {
    const row = await find(tokenHash)
    if (!row) return null
    const { id, last_used_at } = row
    if (!last_used_at || now().getTime() - last_used_at.getTime() > TOUCH_AFTER_MS) await touch(id)
    return { tokenId: id, userId: row.user_id, teamId: row.team_id, role: row.role, plan: row.plan }
  }
}

async function readHolders(
  { pool }: Database,
  tokenHashes: Buffer[],
  now: Date,
): Promise<(HolderRow | null)[]> {
  const found: (HolderRow | null)[] = tokenHashes.map(() => null)
  const { rows } = await pool.query<HolderRow>({
    name: 'find-token-holders',
    text: `SELECT asked.number, k.id, k.user_id, k.team_id, m.role, t.plan, k.last_used_at
           FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, number)
           JOIN tokens k ON k.token_hash = asked.hash
           LEFT JOIN members m ON m.team_id = k.team_id AND m.user_id = k.user_id
           LEFT JOIN teams t ON t.id = k.team_id
           WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`,
    values: [tokenHashes, now],
  })
  for (const row of rows) found[row.number - 1] = row
  return found
}

/** A token that is held elsewhere is being noted there, or revoked. */
async function noteUse({ pool }: Database, ids: number[], now: Date): Promise<void> {
  await pool.query({
    name: 'note-use-of-tokens',
    text: `UPDATE tokens SET last_used_at = $2
           WHERE id IN (SELECT id FROM tokens WHERE id = ANY ($1::int[]) FOR NO KEY UPDATE SKIP LOCKED)`,
    values: [ids, now],
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
