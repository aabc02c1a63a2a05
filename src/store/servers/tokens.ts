import { putLast } from '../../core/bounded-map.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'
import { hashSecret } from '../sealing/secret-addresses.ts'

export function hashServerToken(token: string): Buffer {
  return hashSecret('server', token)
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

/** Tokens that are remembered at most; the one that was used longest ago goes first. */
const MAX_REMEMBERED = 100_000

export type ServerTokens = {
  /** Whether an active server has the token, or had it when it was last asked for: the recorder looks again. */
  isKnown(hash: Buffer): Promise<boolean>
  /** The recorder has found no active server. */
  forget(hash: Buffer): void
}

/** Spares reports the look-up of their token, and us the reading of what comes with a wrong one. */
export function createServerTokens({ pool }: Database): ServerTokens {
  const known = new Map<string, true>()
  const keyOf = (hash: Buffer) => hash.toString('base64')
  const lookUp = gather(async (hashes: Buffer[]) => {
    // OFFSET 0 keeps the conditions out of the look-up, so that each hash uses the index, whatever the statistics suggest.
    const { rows } = await pool.query<{ number: number }>({
      name: 'find-server-tokens',
      text: `SELECT asked.number
             FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, number)
             CROSS JOIN LATERAL (SELECT is_active, deleted_at FROM servers WHERE token_hash = asked.hash OFFSET 0) s
             WHERE s.is_active AND s.deleted_at IS NULL`,
      values: [hashes],
    })
    const found = new Set(rows.map(({ number }) => number))
    return hashes.map((_, index) => found.has(index + 1))
  })
  return {
    async isKnown(hash) {
      const key = keyOf(hash)
      const isKnown = known.has(key) || (await lookUp(hash))
      if (isKnown) putLast(known, key, true, MAX_REMEMBERED)
      return isKnown
    },
    forget(hash) {
      known.delete(keyOf(hash))
    },
  }
}
