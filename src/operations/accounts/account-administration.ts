import type { Account, AccountPage, AccountPatch } from '../../core/accounts/account-list.ts'
import { ACCOUNTS_PER_PAGE } from '../../core/accounts/account-list.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { inWords, said } from '../../core/language/said.ts'
import { pageOf } from '../../core/pagination.ts'
import type { Door } from '../../core/teams/audit.ts'
import type { Query } from '../../postgres/database.ts'
import {
  type AccountRecord,
  countAccounts,
  deleteUser,
  endTokensAndLinks,
  findAccount,
  lockDisabled,
  listAccounts as readAccounts,
  setDisabled,
} from '../../store/accounts/accounts.ts'
import { hasOtherOperator, isOperator, lockOperators, setOperator } from '../../store/accounts/operators.ts'
import { hasOtherOwner, listMemberships, lockUser, type Membership } from '../../store/accounts/users.ts'
import { deleteContact, listBrowsersOf, listContacts } from '../../store/alerting/contacts.ts'
import { forgetContactName } from '../../store/alerting/delivery-log.ts'
import { forgetKept } from '../../store/deleted-records.ts'
import { endGrantsOf } from '../../store/sign-in/oauth-grants.ts'
import { deleteSessionsOf } from '../../store/sign-in/sessions.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Services } from '../services.ts'
import { endMembership } from '../teams/members.ts'

/** The author of a change to an account; `userId` is null for the operator at the command line. */
export type ChangeAuthor = { userId: number | null; door: Door }

const ACCOUNT = 'account'

export async function listAccountPage(
  { db, siteUrl }: Services,
  { page, search }: { page: number; search: string },
): Promise<AccountPage> {
  const total = await countAccounts(db.query, search)
  const perPage = ACCOUNTS_PER_PAGE
  const accounts = await readAccounts(db.query, search, { limit: perPage, offset: (page - 1) * perPage })
  const path = `${siteUrl}/auth/accounts`
  const { meta } = pageOf({ path, query: {}, page, perPage, total, count: accounts.length })
  return { accounts: accounts.map(present), meta }
}

export async function listAllAccounts({ db }: Services): Promise<Account[]> {
  return (await readAccounts(db.query, '', null)).map(present)
}

/** The signed-in operator, as the author of a change to another account. Refuses changes to their own. */
export function authorOf({ userId }: { userId: number }, id: number): ChangeAuthor {
  if (userId !== id) return { userId, door: 'dashboard' }
  throw Refusal.invalid({
    [ACCOUNT]: [said('cannot be your own here: your account page has what you can do')],
  })
}

/** Changes only the fields that were sent. */
export async function updateAccount(
  services: Services,
  author: ChangeAuthor,
  userId: number,
  patch: AccountPatch,
): Promise<Account> {
  await services.db.query.transaction().execute(async (query) => {
    await lockOperators(query)
    const user = await lockUser(query, userId)
    if (!user) throw noAccount(userId)
    if (patch.is_operator !== undefined && patch.is_operator !== user.is_operator) {
      if (!patch.is_operator) await refuseLosingLastOperator(query, userId)
      await setOperator(query, userId, patch.is_operator)
      await auditInEveryTeam(
        services,
        query,
        author,
        user,
        patch.is_operator ? 'nameOperator' : 'endOperator',
      )
    }
    if (patch.is_disabled === true) await disable(services, query, author, user)
    if (patch.is_disabled === false && (await setDisabled(query, userId, null))) {
      await auditInEveryTeam(services, query, author, user, 'enableAccount')
    }
  })
  return present((await findAccount(services.db.query, userId)) as AccountRecord)
}

/** Ends every session, grant, token and link of the account, permanently. Teams keep contacts with its address. */
async function disable(
  services: Services,
  query: Query,
  author: ChangeAuthor,
  user: { id: number; name: string },
): Promise<void> {
  const now = services.now()
  await refuseLosingLastOperator(query, user.id)
  // First, so that a concurrent sign-in or connection of a program either finishes before this or finds the account
  // disabled.
  if (!(await setDisabled(query, user.id, now))) return
  await endGrantsOf(query, user.id, now)
  await endTokensAndLinks(query, user.id, now)
  await deleteSessionsOf(query, user.id)
  await auditInEveryTeam(services, query, author, user, 'disableAccount')
}

/**
 * Deletes an account and its personal data; audit log entries keep its id. Refused for the last owner of a team, for
 * the last operator, and where a team would be left without a contact to alert.
 */
export async function deleteAccount(
  services: Services,
  query: Query,
  author: ChangeAuthor,
  userId: number,
): Promise<void> {
  await lockOperators(query)
  const user = await lockUser(query, userId)
  if (!user) throw noAccount(userId)
  await refuseLosingLastOperator(query, userId)
  const memberships = (await listMemberships(query, userId)).sort((a, b) => a.id - b.id)
  for (const team of memberships) {
    await lockTeam(query, team.id)
    if (team.role === 'owner' && !(await hasOtherOwner(query, team.id, userId))) throw lastOwner(team)
    await forgetContactsOf(services, query, team, user)
    await forgetKept(query, team.id)
  }
  await auditInEveryTeam(services, query, author, user, 'deleteAccount')
  for (const team of memberships) await endMembership(query, team.id, userId, services.now())
  await deleteSessionsOf(query, userId)
  await deleteUser(query, user)
}

function lastOwner({ name }: Membership): Refusal {
  return Refusal.invalid({
    [ACCOUNT]: [
      said('cannot be deleted: it is the last owner of the team {name}; make somebody else one first', {
        name,
      }),
    ],
  })
}

/** Removes a team's contacts that use the address, unless they are the only ones the team has. */
async function forgetContactsOf(
  { vault }: Services,
  query: Query,
  team: Membership,
  { id: userId, email }: { id: number; email: string },
): Promise<void> {
  const contacts = await listContacts(query, vault, team.id)
  const browsers = await listBrowsersOf(query, team.id, userId)
  const own = contacts.filter(
    ({ id, config }) =>
      browsers.has(id) || ('email' in config && config.email.toLowerCase() === email.toLowerCase()),
  )
  if (own.length === 0) return
  if (own.length === contacts.length) {
    throw Refusal.invalid({
      [ACCOUNT]: [
        browsers.size > 0
          ? said(
              'cannot be deleted: the team {name} is alerted at its address and in its browsers only; add another contact first',
              { name: team.name },
            )
          : said(
              'cannot be deleted: the team {name} is alerted at its address only; add another contact first',
              { name: team.name },
            ),
      ],
    })
  }
  for (const { id } of own.toSorted((one, other) => one.id - other.id)) {
    await forgetContactName(query, team.id, id)
    await deleteContact(query, team.id, id)
  }
}

/** Adds an audit entry to each of the account's teams, since their members share something with it. */
async function auditInEveryTeam(
  { now }: Services,
  query: Query,
  { userId, door }: ChangeAuthor,
  user: { id: number; name: string },
  action: string,
): Promise<void> {
  for (const { id: teamId } of await listMemberships(query, user.id)) {
    const line = { teamId, at: now(), userId, door, action, fields: [] }
    await insertAudit(query, { ...line, subject: user.name, subjectId: user.id })
  }
}

/** Refuses a disabled account, and keeps it from being disabled until the transaction ends. */
export async function refuseDisabled(query: Query, userId: number): Promise<void> {
  if (!(await lockDisabled(query, userId))) return
  throw new Refusal('forbidden', {
    detail: said('This account is disabled. Ask the operator of this service.'),
  })
}

/** A service never loses its last operator. Requires the lock on operators. */
async function refuseLosingLastOperator(query: Query, userId: number): Promise<void> {
  if (!(await isOperator(query, userId)) || (await hasOtherOperator(query, userId))) return
  throw Refusal.invalid({
    [ACCOUNT]: [said('must stay: it is the last operator of this service; name another one first')],
  })
}

function noAccount(userId: number): Refusal {
  return new Refusal('notFound', { detail: inWords(`there is no account ${userId}`) })
}

function present(record: AccountRecord): Account {
  return {
    id: record.id,
    name: record.name,
    email: record.email,
    is_operator: record.isOperator,
    is_email_verified: record.isEmailVerified,
    uses_second_factor: record.usesSecondFactor,
    disabled_at: formatInstantOrNull(record.disabledAt),
    created_at: formatInstant(record.createdAt),
    last_seen_at: formatInstantOrNull(record.lastSeenAt),
    teams: record.teams,
  }
}
