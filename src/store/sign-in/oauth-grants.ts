import { sql } from 'kysely'
import type { GrantAccess, Resource } from '../../core/sign-in/oauth.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

/** The access that a user granted to a client. */
export type Allowed = {
  clientId: string
  userId: number
  teamId: number
  resource: Resource
  access: GrantAccess
}

export type CodeRecord = Allowed & {
  redirectUri: string
  challenge: string
  expiresAt: Date
  /** The token that the code was exchanged for. */
  tokenId: number | null
}

export type GrantRecord = Allowed & { id: number; name: string; expiresAt: Date; revokedAt: Date | null }

/** The keys of a grant, as hashes with their expiry. */
export type GrantKeys = {
  accessHash: Buffer
  ending: string
  accessExpiresAt: Date
  refreshHash: Buffer
  refreshExpiresAt: Date
}

export async function insertOauthCode(
  query: Query,
  codeHash: Buffer,
  code: Omit<CodeRecord, 'tokenId'>,
): Promise<void> {
  await query
    .insertInto('oauth_codes')
    .values({
      code_hash: codeHash,
      client_id: code.clientId,
      user_id: code.userId,
      team_id: code.teamId,
      redirect_uri: code.redirectUri,
      challenge: code.challenge,
      resource: code.resource,
      access: code.access,
      expires_at: code.expiresAt,
      token_id: null,
    })
    .execute()
}

/** Finds a code; with `lock`, locks it until the transaction ends. */
export async function findOauthCode(
  query: Query,
  codeHash: Buffer,
  lock = false,
): Promise<CodeRecord | undefined> {
  return query
    .selectFrom('oauth_codes')
    .select(['client_id as clientId', 'user_id as userId', 'team_id as teamId', 'resource', 'access'])
    .select(['redirect_uri as redirectUri', 'challenge', 'expires_at as expiresAt', 'token_id as tokenId'])
    .where('code_hash', '=', codeHash)
    .$if(lock, (codes) => codes.forUpdate())
    .executeTakeFirst()
}

export async function markOauthCodeUsed(query: Query, codeHash: Buffer, tokenId: number): Promise<void> {
  await query
    .updateTable('oauth_codes')
    .set({ token_id: tokenId })
    .where('code_hash', '=', codeHash)
    .execute()
}

/** Creates the token of a grant, with its first keys. */
export async function insertGrant(
  query: Query,
  allowed: Allowed,
  name: string,
  keys: GrantKeys,
): Promise<number> {
  const { id } = await query
    .insertInto('tokens')
    .values({
      team_id: allowed.teamId,
      user_id: allowed.userId,
      name,
      token_hash: keys.accessHash,
      ending: keys.ending,
      expires_at: keys.refreshExpiresAt,
      client_id: allowed.clientId,
      resource: allowed.resource,
      access: allowed.access,
      access_expires_at: keys.accessExpiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertRefreshToken(query, id, keys)
  return id
}

/** The grant that a token of a program belongs to, as its limit counts; null for an unknown one. */
export async function findGrantIdOf(query: Query, tokenHash: Buffer): Promise<number | null> {
  const grant = await query
    .selectFrom('tokens as k')
    .select('k.id')
    .where('k.resource', 'is not', null)
    .where(
      sql<boolean>`(k.token_hash = ${tokenHash}
        OR k.id = (SELECT token_id FROM oauth_refresh_tokens WHERE token_hash = ${tokenHash}))`,
    )
    .executeTakeFirst()
  return grant?.id ?? null
}

/** The grant of an access or refresh token, locked until the transaction ends. */
export async function lockGrantOf(
  query: Query,
  tokenHash: Buffer,
): Promise<(GrantRecord & { refresh: { expiresAt: Date; usedAt: Date | null } | null }) | null> {
  const grant = await query
    .selectFrom('tokens as k')
    .select(['k.id', 'k.name', 'k.user_id as userId', 'k.team_id as teamId', 'k.client_id as clientId'])
    .select(['k.resource', 'k.access', 'k.expires_at as expiresAt', 'k.revoked_at as revokedAt'])
    .where('k.resource', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('k.token_hash', '=', tokenHash),
        eb(
          'k.id',
          '=',
          eb.selectFrom('oauth_refresh_tokens').select('token_id').where('token_hash', '=', tokenHash),
        ),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!grant) return null
  // Read after locking, because the previous holder of the lock may have used the refresh token.
  const refresh = await query
    .selectFrom('oauth_refresh_tokens')
    .select(['expires_at as expiresAt', 'used_at as usedAt'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return { ...(grant as GrantRecord), refresh: refresh ?? null }
}

/** Replaces the keys of a grant, which must be locked. */
export async function renewGrant(
  query: Query,
  tokenId: number,
  used: { refreshHash: Buffer; at: Date },
  keys: GrantKeys,
): Promise<void> {
  await query
    .updateTable('oauth_refresh_tokens')
    .set({ used_at: used.at })
    .where('token_hash', '=', used.refreshHash)
    .execute()
  await query
    .updateTable('tokens')
    .set({
      token_hash: keys.accessHash,
      ending: keys.ending,
      access_expires_at: keys.accessExpiresAt,
      expires_at: keys.refreshExpiresAt,
    })
    .where('id', '=', tokenId)
    .execute()
  await insertRefreshToken(query, tokenId, keys)
}

async function insertRefreshToken(query: Query, tokenId: number, keys: GrantKeys): Promise<void> {
  await query
    .insertInto('oauth_refresh_tokens')
    .values({
      token_hash: keys.refreshHash,
      token_id: tokenId,
      expires_at: keys.refreshExpiresAt,
      used_at: null,
    })
    .execute()
}

/** Revokes a user's grants and deletes unused codes, in all teams or in one. */
export async function endGrantsOf(
  query: Query,
  userId: number,
  now: Date,
  teamId: number | null = null,
): Promise<void> {
  await query
    .deleteFrom('oauth_codes')
    .where('user_id', '=', userId)
    .$if(teamId !== null, (codes) => codes.where('team_id', '=', teamId as number))
    .execute()
  await query
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('resource', 'is not', null)
    .where('revoked_at', 'is', null)
    .$if(teamId !== null, (tokens) => tokens.where('team_id', '=', teamId as number))
    .execute()
}

/**
 * Deletes codes that expired before `codeCutoff`, and refresh tokens and grants that ended before `grantCutoff`.
 * A bounded number of each; true if there may be more.
 */
export async function removeSomeGrants(db: Database, codeCutoff: Date, grantCutoff: Date): Promise<boolean> {
  const removals = [
    { table: 'oauth_codes', key: 'code_hash', where: 'expires_at < $1', cutoff: codeCutoff },
    { table: 'oauth_refresh_tokens', key: 'token_hash', where: 'expires_at < $1', cutoff: grantCutoff },
    {
      table: 'tokens',
      key: 'id',
      where: 'resource IS NOT NULL AND (expires_at < $1 OR revoked_at < $1)',
      cutoff: grantCutoff,
    },
  ]
  let isMore = false
  for (const { table, key, where, cutoff } of removals) {
    isMore = (await removeSome(db, { table, key: [key], where, values: [cutoff] })) || isMore
  }
  return isMore
}
