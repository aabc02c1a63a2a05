import type { Query } from '../../postgres/database.ts'
import { hashAddressToken } from '../maintenance/addresses.ts'

/** The token of a server's address has 122 random bits or more, so that a plain hash finds it safely. */
export const hashServerToken = hashAddressToken

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
