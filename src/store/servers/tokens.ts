import { createHash } from 'node:crypto'
import type { Query } from '../../postgres/database.ts'

/** The token of a server's address has 122 random bits or more, so that a plain hash finds it safely. */
export function hashServerToken(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest()
}

export type TokenServer = { serverId: number; teamId: number; name: string }

/** The active server of a token; null if there is none. */
export async function findServerByToken(query: Query, token: string): Promise<TokenServer | null> {
  const row = await query
    .selectFrom('servers')
    .select(['id as serverId', 'team_id as teamId', 'name'])
    .where('token_hash', '=', hashServerToken(token))
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
