import type { Query } from './database.ts'

export type SessionRow = {
  id: number
  user_id: number
  team_id: number | null
  address: string
  user_agent: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

const COLUMNS = [
  'id',
  'user_id',
  'team_id',
  'address',
  'user_agent',
  'created_at',
  'last_used_at',
  'expires_at',
] as const

export async function insertSession(
  query: Query,
  session: {
    userId: number
    teamId: number | null
    tokenHash: Buffer
    address: string
    userAgent: string
    createdAt: Date
    expiresAt: Date
  },
): Promise<number> {
  // Nobody asks for a session that is over: this is when they go.
  await query
    .deleteFrom('sessions')
    .where('user_id', '=', session.userId)
    .where('expires_at', '<=', session.createdAt)
    .execute()
  const row = await query
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      team_id: session.teamId,
      token_hash: session.tokenHash,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_used_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function findSession(
  query: Query,
  tokenHash: Buffer,
  now: Date,
): Promise<SessionRow | undefined> {
  return query
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function touchSession(query: Query, id: number, usedAt: Date, expiresAt: Date): Promise<void> {
  await query
    .updateTable('sessions')
    .set({ last_used_at: usedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

/** The one used last first. */
export async function listSessions(query: Query, userId: number, now: Date): Promise<SessionRow[]> {
  return query
    .selectFrom('sessions')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function setSessionTeam(query: Query, id: number, teamId: number): Promise<void> {
  await query.updateTable('sessions').set({ team_id: teamId }).where('id', '=', id).execute()
}

export async function deleteSession(query: Query, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends all sessions of a user, but for the one to keep. */
export async function deleteSessionsOf(query: Query, userId: number, keptId: number | null = null) {
  await query
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== null, (sessions) => sessions.where('id', '<>', keptId as number))
    .execute()
}
