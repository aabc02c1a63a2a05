import type { Role } from '../../core/teams/access.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { sessionsNotification } from '../news.ts'

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
  // Expired sessions are never used again, so this is the time to delete them.
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

/** A session, which may have expired. */
export async function findSession(query: Query, tokenHash: Buffer): Promise<SessionRow | undefined> {
  return query.selectFrom('sessions').select(COLUMNS).where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Whether a session exists and has not expired. */
export async function hasSession(query: Query, id: number, now: Date): Promise<boolean> {
  const row = await query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

export async function touchSession(query: Query, id: number, usedAt: Date, expiresAt: Date): Promise<void> {
  await query
    .updateTable('sessions')
    .set({ last_used_at: usedAt, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Most recently used first. */
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

/** Switches a user's sessions from one team to another, or to none. */
export async function moveSessions(
  query: Query,
  userId: number,
  fromTeamId: number,
  toTeamId: number | null,
): Promise<void> {
  await query
    .updateTable('sessions')
    .set({ team_id: toTeamId })
    .where('user_id', '=', userId)
    .where('team_id', '=', fromTeamId)
    .returning(sessionsNotification(userId).as('notified'))
    .execute()
}

export async function deleteSession(query: Query, userId: number, id: number): Promise<boolean> {
  const row = await query
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', sessionsNotification(userId).as('notified')])
    .executeTakeFirst()
  return row !== undefined
}

/** Ends all sessions of a user, except `keptId`. */
export async function deleteSessionsOf(query: Query, userId: number, keptId: number | null = null) {
  await query
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptId !== null, (sessions) => sessions.where('id', '<>', keptId as number))
    .returning(sessionsNotification(userId).as('notified'))
    .execute()
}

/** Says of each watcher, in order, whether its session is valid and its user still has that role in the team. */
export async function stillAllowed(
  { pool }: Database,
  watchers: { sessionId: number; userId: number; teamId: number; role: Role }[],
  now: Date,
): Promise<boolean[]> {
  const { rows } = await pool.query<{ position: number }>({
    name: 'still-allowed',
    text: `SELECT w.position
           FROM unnest($1::int[], $2::int[], $3::int[], $4::text[]) WITH ORDINALITY
             AS w (session_id, user_id, team_id, role, position)
           JOIN sessions s ON s.id = w.session_id AND s.user_id = w.user_id AND s.expires_at > $5
           JOIN members m ON m.team_id = w.team_id AND m.user_id = w.user_id AND m.role = w.role`,
    values: [
      watchers.map(({ sessionId }) => sessionId),
      watchers.map(({ userId }) => userId),
      watchers.map(({ teamId }) => teamId),
      watchers.map(({ role }) => role),
      now,
    ],
  })
  const allowed = new Set(rows.map(({ position }) => position))
  return watchers.map((_, index) => allowed.has(index + 1))
}
