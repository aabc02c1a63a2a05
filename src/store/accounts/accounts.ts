import { sql } from 'kysely'
import type { Role } from '../../core/teams/access.ts'
import type { Query } from '../../postgres/database.ts'
import { forgetParticipant } from '../on-call/participants.ts'
import { removeReportsTo } from '../reports/recipients.ts'
import { removeSubscriptionsOf } from '../status-pages/subscribers.ts'
import { revokeTokensOf } from '../teams/tokens.ts'

/** An account as operators see it. */
export type AccountRecord = {
  id: number
  name: string
  email: string
  isOperator: boolean
  isEmailVerified: boolean
  usesSecondFactor: boolean
  disabledAt: Date | null
  createdAt: Date
  lastSeenAt: Date | null
  teams: { id: number; name: string; role: Role }[]
}

export async function countAccounts(query: Query, search: string): Promise<number> {
  const { count } = await matching(query, search)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Ordered by name. */
export async function listAccounts(
  query: Query,
  search: string,
  page: { limit: number; offset: number } | null,
): Promise<AccountRecord[]> {
  return matching(query, search)
    .select(['u.id', 'u.name', 'u.email', 'u.is_operator as isOperator', 'u.created_at as createdAt'])
    .select('u.disabled_at as disabledAt')
    .select(sql<boolean>`u.email_verified_at IS NOT NULL`.as('isEmailVerified'))
    .select(
      sql<boolean>`EXISTS (SELECT FROM authenticators a WHERE a.user_id = u.id AND a.confirmed_at IS NOT NULL)`.as(
        'usesSecondFactor',
      ),
    )
    .select(
      sql<Date | null>`(SELECT max(s.last_used_at) FROM sessions s WHERE s.user_id = u.id)`.as('lastSeenAt'),
    )
    .select(
      sql<AccountRecord['teams']>`coalesce(
        (SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'role', m.role) ORDER BY lower(t.name), t.id)
         FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id), '[]')`.as('teams'),
    )
    .orderBy(sql`lower(u.name) COLLATE "C"`)
    .orderBy('u.id')
    .$if(page !== null, (rows) => rows.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute()
}

export async function findAccount(query: Query, id: number): Promise<AccountRecord | null> {
  const { email } =
    (await query.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()) ?? {}
  if (email === undefined) return null
  return (await listAccounts(query, email, null)).find((account) => account.id === id) ?? null
}

/** Accounts whose name or address contains `search`; all accounts for an empty string. */
function matching(query: Query, search: string) {
  const part = search.toLowerCase()
  return query
    .selectFrom('users as u')
    .$if(search !== '', (users) =>
      users.where((eb) =>
        eb.or([
          eb(sql`strpos(lower(u.name), ${part})`, '>', 0),
          eb(sql`strpos(lower(u.email), ${part})`, '>', 0),
        ]),
      ),
    )
}

/** False if the account is gone or already in that state. */
export async function setDisabled(query: Query, userId: number, disabledAt: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('users')
    .set({ disabled_at: disabledAt })
    .where('id', '=', userId)
    .where('disabled_at', disabledAt === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the account is disabled. Locks it until the transaction ends. */
export async function lockDisabled(query: Query, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('users')
    .select('disabled_at')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst()
  return row !== undefined && row.disabled_at !== null
}

/** Permanently ends a user's tokens, mailed links and invitations. */
export async function endTokensAndLinks(query: Query, userId: number, now: Date): Promise<void> {
  await revokeTokensOf(query, userId, now)
  await query.deleteFrom('password_links').where('user_id', '=', userId).execute()
  await query.deleteFrom('email_links').where('user_id', '=', userId).execute()
  await query.deleteFrom('invitations').where('invited_by', '=', userId).execute()
}

/** Deletes the account with everything that belongs to it, and removes its name and address from other records. */
export async function deleteUser(
  query: Query,
  { id, email, name }: { id: number; email: string; name: string },
): Promise<void> {
  const written = email.toLowerCase()
  await query.deleteFrom('sign_ups').where(sql`lower(email)`, '=', written).execute()
  await query.deleteFrom('invitations').where(sql`lower(email)`, '=', written).execute()
  await removeSubscriptionsOf(query, email)
  await removeReportsTo(query, email)
  await forgetParticipant(query, id)
  await query.deleteFrom('users').where('id', '=', id).execute()
  // As the dashboard names a browser of theirs.
  const deviceNames = `${name.toLowerCase()}, `
  const isAbout = sql<boolean>`(lower(subject) = ${written}
    OR (subject_id = ${id} AND action = ANY(${ABOUT_PEOPLE}::text[]))
    OR ((lower(subject) = ${name.toLowerCase()} OR starts_with(lower(subject), ${deviceNames}))
        AND action = ANY(${ABOUT_CONTACTS}::text[])))`
  // The lines keep the ids of the actor and of the account acted on.
  const deleted = `Deleted account ${id}`
  await sql`
    UPDATE audit_entries SET
      actor_name = CASE WHEN user_id = ${id} THEN ${deleted} ELSE actor_name END,
      subject = CASE WHEN ${isAbout} THEN ${deleted} ELSE subject END
    WHERE user_id = ${id} OR ${isAbout}`.execute(query)
}

/** Audit actions whose subject is an account, by id. */
export const ABOUT_PEOPLE = [
  'addMember',
  'updateMember',
  'removeMember',
  'disableAccount',
  'enableAccount',
  'deleteAccount',
  'nameOperator',
  'endOperator',
]
/** Audit actions whose subject is a contact, which is often named after a person. */
export const ABOUT_CONTACTS = [
  'createContact',
  'updateContact',
  'replaceContact',
  'deleteContact',
  'testContact',
  'askContact',
  'updateContactQuietHours',
  'updateContactTimeZone',
  'restoreRecord',
]
