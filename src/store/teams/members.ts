import { sql } from 'kysely'
import type { Role } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'

export type MemberRecord = {
  /** The user's id. */
  id: number
  name: string
  email: string
  role: Role
  usesSecondFactor: boolean
  joinedAt: Date
}

/** Ordered by name. */
export async function listMembers(query: Query, teamId: number): Promise<MemberRecord[]> {
  return members(query, teamId).orderBy(sql`lower(u.name) COLLATE "C"`).orderBy('u.id').execute()
}

export async function findMember(query: Query, teamId: number, userId: number): Promise<MemberRecord | null> {
  return (await members(query, teamId).where('u.id', '=', userId).executeTakeFirst()) ?? null
}

function members(query: Query, teamId: number) {
  return query
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('authenticators as a', 'a.user_id', 'u.id')
    .where('m.team_id', '=', teamId)
    .select(['u.id', 'u.name', 'u.email', 'm.role', 'm.created_at as joinedAt'])
    .select(sql<boolean>`a.confirmed_at IS NOT NULL`.as('usesSecondFactor'))
}

export async function countMembers(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function hasMemberWithEmail(query: Query, teamId: number, email: string): Promise<boolean> {
  const row = await members(query, teamId)
    .where(sql`lower(u.email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}
