import { createHash } from 'node:crypto'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'

const SERVER_TOKEN = 'servers.token'

/** The token of a server's address has 122 random bits or more, so that a plain hash finds it safely. */
export function hashServerToken(token: string): Buffer {
  return createHash('sha256').update(token.toLowerCase()).digest()
}

export function sealServerToken(token: string, serverId: number, vault: Vault): string {
  return vault.seal(token, SERVER_TOKEN, serverId)
}

export async function readServerToken(
  query: Query,
  vault: Vault,
  teamId: number,
  serverId: number,
): Promise<string | null> {
  const row = await query
    .selectFrom('servers')
    .select('token')
    .where('team_id', '=', teamId)
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? vault.open(row.token, SERVER_TOKEN, serverId) : null
}

/** False if the server is gone. */
export async function replaceServerToken(
  query: Query,
  vault: Vault,
  teamId: number,
  serverId: number,
  token: string,
): Promise<boolean> {
  const row = await query
    .updateTable('servers')
    .set({ token: sealServerToken(token, serverId, vault), token_hash: hashServerToken(token) })
    .where('team_id', '=', teamId)
    .where('id', '=', serverId)
    .where('deleted_at', 'is', null)
    .returning(['id', changeNotification(teamId, 'servers').as('notified')])
    .executeTakeFirst()
  return row !== undefined
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
