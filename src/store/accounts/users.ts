import { sql } from 'kysely'
import type { Language } from '../../core/language/language.ts'
import type { Role } from '../../core/teams/access.ts'
import type { PlanName } from '../../core/teams/plan.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification, sessionsNotification } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'
import { sealPhone } from './phones.ts'

/** `language` is null until a browser of theirs has said one. */
export type UserRow = { id: number; email: string; name: string; language: Language | null }
export type AccountRow = UserRow & { email_verified_at: Date | null }
export type PersonRow = AccountRow & { is_operator: boolean; has_password: boolean }

/** Arbitrary, but different from our other advisory locks. */
const FIRST_ACCOUNT = 7_216

/** Null if the address already has an account. The first account of a service becomes its operator. */
export async function insertUser(
  query: Query,
  user: {
    email: string
    name: string
    passwordHash: string | null
    emailVerifiedAt?: Date | null
    /** Set if the user signed up themselves. */
    signedUpAt?: Date
    language?: Language
  },
): Promise<number | null> {
  // Two that are made at once would both be the first.
  if (!(await hasUsers(query))) await sql`SELECT pg_advisory_xact_lock(${FIRST_ACCOUNT}::int)`.execute(query)
  const row = await query
    .insertInto('users')
    .values({
      email: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      email_verified_at: user.emailVerifiedAt ?? null,
      signed_up_at: user.signedUpAt ?? null,
      language: user.language ?? null,
      is_operator: sql<boolean>`NOT EXISTS (SELECT FROM users)`,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findUserByEmail(query: Query, email: string): Promise<UserRow | undefined> {
  return query
    .selectFrom('users')
    .select(['id', 'email', 'name', 'language'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

export async function findUser(query: Query, id: number): Promise<PersonRow | undefined> {
  return selectPerson(query, id).executeTakeFirst()
}

/** Locks the account until the transaction ends. */
export async function lockUser(query: Query, id: number): Promise<PersonRow | undefined> {
  return selectPerson(query, id).forNoKeyUpdate().executeTakeFirst()
}

function selectPerson(query: Query, id: number) {
  return query
    .selectFrom('users')
    .select(['id', 'email', 'name', 'language', 'email_verified_at', 'is_operator'])
    .select(sql<boolean>`password_hash IS NOT NULL`.as('has_password'))
    .where('id', '=', id)
}

export async function changePerson(
  query: Query,
  vault: Vault,
  id: number,
  {
    phone,
    ...changes
  }: { name?: string | undefined; language?: Language | undefined; phone?: string | null | undefined },
): Promise<void> {
  const stored = phone === undefined ? {} : sealPhone(phone, id, vault)
  await query
    .updateTable('users')
    .set({ ...changes, ...stored })
    .where('id', '=', id)
    .execute()
}

/** Keeps the language of the first browser that said one, until the person chooses another. */
export async function learnLanguage(query: Query, id: number, language: Language): Promise<void> {
  await query
    .updateTable('users')
    .set({ language })
    .where('id', '=', id)
    .where('language', 'is', null)
    .execute()
}

/**
 * Sets the proved address of a locked account and deletes password links that went to the old one. False if
 * another account has the address.
 */
export async function changeEmail(query: Query, id: number, email: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('users')
    .set({ email, email_verified_at: now })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as o')
            .select('o.id')
            .where(sql<string>`lower(o.email)`, '=', email.toLowerCase())
            .where('o.id', '<>', id),
        ),
      ),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await query.deleteFrom('password_links').where('user_id', '=', id).execute()
  return true
}

/** Sets the confirmation time unless it is set already. */
export async function confirmAddress(query: Query, userId: number, now: Date): Promise<void> {
  await query
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .execute()
}

export async function findCredentials(query: Query, email: string) {
  return query
    .selectFrom('users')
    .select(['id', 'email', 'language', 'password_hash as passwordHash'])
    .select(sql<boolean>`email_verified_at IS NOT NULL`.as('isConfirmed'))
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Locks the password until the transaction ends. */
export async function lockPasswordHash(query: Query, userId: number): Promise<string | null> {
  const row = await query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return row?.password_hash ?? null
}

/** Replaces the password and deletes links to set one; false if the password has changed since. */
export async function replacePassword(
  query: Query,
  userId: number,
  current: string,
  replacement: string,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('users')
    .set({ password_hash: replacement })
    .where('id', '=', userId)
    .where('password_hash', '=', current)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await query.deleteFrom('password_links').where('user_id', '=', userId).execute()
  return true
}

export async function hasUsers(query: Query): Promise<boolean> {
  return (await query.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Adds a member or changes their role. */
export async function upsertMember(
  query: Query,
  member: { teamId: number; userId: number; role: Role },
): Promise<void> {
  await query
    .insertInto('members')
    .values({ team_id: member.teamId, user_id: member.userId, role: member.role })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ role: member.role }))
    .returning([
      changeNotification(member.teamId, 'team').as('notified'),
      sessionsNotification(member.userId).as('notifiedSessions'),
    ])
    .execute()
}

export type Membership = { id: number; name: string; plan: PlanName; role: Role }

/** The user's teams, oldest membership first. */
export async function listMemberships(query: Query, userId: number): Promise<Membership[]> {
  return query
    .selectFrom('members as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select(['t.id', 't.name', 't.plan', 'm.role'])
    .where('m.user_id', '=', userId)
    .orderBy('m.created_at')
    .orderBy('t.id')
    .execute()
}

export async function findRole(query: Query, teamId: number, userId: number): Promise<Role | null> {
  const row = await query
    .selectFrom('members')
    .select('role')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}

/** Whether the user is a member with an enabled account. Locks the membership until the transaction ends. */
export async function lockMembership(query: Query, teamId: number, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('m.user_id')
    .where('m.team_id', '=', teamId)
    .where('m.user_id', '=', userId)
    .where('u.disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the team has another owner with an enabled account. */
export async function hasOtherOwner(query: Query, teamId: number, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.team_id', '=', teamId)
    .where('m.role', '=', 'owner')
    .where('m.user_id', '<>', userId)
    .where('u.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteMember(query: Query, teamId: number, userId: number): Promise<boolean> {
  const row = await query
    .deleteFrom('members')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .returning([
      'user_id',
      changeNotification(teamId, 'team').as('notified'),
      sessionsNotification(userId).as('notifiedSessions'),
    ])
    .executeTakeFirst()
  return row !== undefined
}
