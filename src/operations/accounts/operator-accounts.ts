import { MemberAdd, TeamCreate, TokenCreate, UserCreate } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { inWords, said } from '../../core/language/said.ts'
import { PlanName } from '../../core/teams/plan.ts'
import type { Team } from '../../core/teams/team.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { addressHash } from '../../store/accounts/asked-addresses.ts'
import {
  findRole,
  findUserByEmail,
  insertUser,
  type UserRow,
  upsertMember,
} from '../../store/accounts/users.ts'
import { insertContact } from '../../store/alerting/contacts.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { deleteSessionsOf } from '../../store/sign-in/sessions.ts'
import { findTeam, insertTeam, lockTeam, readSigningSecret, updatePlan } from '../../store/teams/teams.ts'
import { revokeToken as markRevoked, listTokens as readTokens } from '../../store/teams/tokens.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { issuePasswordLink } from '../sign-in/password-links.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { issueToken } from '../teams/api-tokens.ts'
import { recordOperatorAudit } from '../teams/audit-trail.ts'
import { endMembership, refuseLosingLastOwner, setRole } from '../teams/members.ts'
import { generateSigningSecret, renewSigningSecret } from '../teams/signing-secret.ts'
import { readTeam } from '../teams/team.ts'
import { type ChangeAuthor, deleteAccount, refuseDisabled, updateAccount } from './account-administration.ts'

/** The operator at the command line. Operators do the same in the dashboard, under the same rules. */
const AT_COMMAND_LINE: ChangeAuthor = { userId: null, door: 'cli' }
const LINK_LIFETIME_MS = 24 * 3_600_000

export async function createUser(
  services: Services,
  input: { email: string; name: string; password: string | null },
) {
  const { db, siteUrl } = services
  const { email, name, password } = parseOrRefuse(parseFields(UserCreate, input))
  const passwordHash = password === null ? null : await hashNewPassword(services, password, [email, name])
  const created = await db.query.transaction().execute(async (query) => {
    const userId = await insertUser(query, { email, name, passwordHash })
    if (userId === null) throw Refusal.invalid({ email: [said('{email} has an account already', { email })] })
    if (passwordHash !== null) return { id: userId, set_password_url: null }
    // The operator passes the link on, so it does not prove the address.
    const wanted = { userId, isMailed: false, lifetimeMs: LINK_LIFETIME_MS }
    const { secret } = await issuePasswordLink(services, query, wanted)
    return { id: userId, set_password_url: `${siteUrl}/set-password/${secret}` }
  })
  return { id: created.id, email, name, set_password_url: created.set_password_url }
}

export async function setOperator(services: Services, input: { email: string; isOperator: boolean }) {
  const user = await userOrRefuse(services, 'email', input.email)
  return updateAccount(services, AT_COMMAND_LINE, user.id, { is_operator: input.isOperator })
}

export async function setDisabled(services: Services, input: { email: string; isDisabled: boolean }) {
  const user = await userOrRefuse(services, 'email', input.email)
  return updateAccount(services, AT_COMMAND_LINE, user.id, { is_disabled: input.isDisabled })
}

export async function deleteUser(services: Services, input: { email: string }) {
  const user = await userOrRefuse(services, 'email', input.email)
  await services.db.query
    .transaction()
    .execute((query) => deleteAccount(services, query, AT_COMMAND_LINE, user.id))
  return { id: user.id }
}

/** Creates the team, its owner's membership, and its first contact: the owner's address. */
export async function createTeam(
  services: Services,
  input: { name: string; owner: string; plan: string },
): Promise<Team> {
  const { db, vault } = services
  const { name, owner, plan } = parseOrRefuse(parseFields(TeamCreate, input))
  const user = await userOrRefuse(services, 'owner', owner)
  const teamId = await db.query.transaction().execute(async (query) => {
    const id = await insertTeamOf(query, vault, { name, plan }, user)
    await recordOperatorAudit(query, services, id, 'createTeam', { id, name }, ['name', 'owner', 'plan'])
    return id
  })
  return readTeam(services, teamId)
}

/**
 * Creates a team with its owner, and the owner's address as its first contact. `isKnown`: the address is confirmed or
 * vouched for; where sign-up is open, other addresses get no alerts until they are confirmed.
 */
export async function insertTeamOf(
  query: Query,
  vault: Vault,
  team: { name: string; plan: PlanName },
  owner: UserRow,
  isKnown = true,
): Promise<number> {
  const id = await insertTeam(query, vault, {
    ...team,
    language: owner.language ?? 'en',
    signingSecret: generateSigningSecret(),
  })
  await upsertMember(query, { teamId: id, userId: owner.id, role: 'owner' })
  await insertContact(query, vault, id, {
    name: owner.name,
    type: 'email',
    config: { email: owner.email },
    notify_on_down: true,
    notify_on_recovery: true,
    unagreed_hash: isKnown ? null : addressHash(owner.email),
  })
  return id
}

export async function setPlan(services: Services, teamId: number, plan: string): Promise<Team> {
  const parsed = PlanName.safeParse(plan)
  if (!parsed.success) {
    throw Refusal.invalid({
      plan: [
        said('must be one of {values}, got {got}', { values: PlanName.options.join(', '), got: `"${plan}"` }),
      ],
    })
  }
  await services.db.query.transaction().execute(async (query) => {
    if (!(await updatePlan(query, teamId, parsed.data))) throw noTeam(teamId)
    await recordOperatorAudit(query, services, teamId, 'setPlan', null, ['plan'])
  })
  return readTeam(services, teamId)
}

/** The secret that signs webhooks; `rotate` replaces it first. */
export async function signingSecret(services: Services, teamId: number, rotate: boolean) {
  const { db, vault } = services
  const secret = await db.query.transaction().execute(async (query) => {
    const found = rotate
      ? await renewSigningSecret(query, vault, teamId)
      : await readSigningSecret(query, vault, teamId)
    if (found === null) throw noTeam(teamId)
    const action = rotate ? 'rotateSigningSecret' : 'showSigningSecret'
    await recordOperatorAudit(query, services, teamId, action, null)
    return found
  })
  return { team_id: teamId, signing_secret: secret }
}

/** Adds a member or changes a role; a team never loses its last owner. */
export async function addMember(services: Services, input: { team: number; email: string; role: string }) {
  const { team, email, role } = parseOrRefuse(parseFields(MemberAdd, input))
  const user = await userOrRefuse(services, 'email', email)
  await services.db.query.transaction().execute(async (query) => {
    await lockTeamOrRefuse(query, team)
    await setRole(query, { teamId: team, userId: user.id, role }, 'email')
    await recordOperatorAudit(query, services, team, 'addMember', user, ['role'])
  })
  return { team_id: team, user_id: user.id, email: user.email, role }
}

export async function removeMember(services: Services, input: { team: number; email: string }) {
  const user = await userOrRefuse(services, 'email', input.email)
  await services.db.query.transaction().execute(async (query) => {
    await lockTeamOrRefuse(query, input.team)
    await refuseLosingLastOwner(query, input.team, user.id, 'email')
    if (!(await endMembership(query, input.team, user.id, services.now()))) throw notAMember(user, input.team)
    await deleteSessionsOf(query, user.id)
    await recordOperatorAudit(query, services, input.team, 'removeMember', user)
  })
  return { team_id: input.team, user_id: user.id, email: user.email }
}

/** The only answer that contains the token: only its hash is stored. */
export async function createToken(
  services: Services,
  input: { team: number; email: string; name: string; expires: string | null },
) {
  const { db } = services
  const { team, email, name, expires } = parseOrRefuse(parseFields(TokenCreate, input))
  const user = await userOrRefuse(services, 'email', email)
  if (!(await findTeam(db.query, team))) throw noTeam(team)
  const role = await findRole(db.query, team, user.id)
  if (role === null) throw notAMember(user, team)
  const { id, token, createdAt } = await db.query.transaction().execute(async (query) => {
    await refuseDisabled(query, user.id)
    const issued = await issueToken(services, query, {
      teamId: team,
      userId: user.id,
      name,
      expiresAt: expires,
    })
    await recordOperatorAudit(query, services, team, 'createApiToken', { id: issued.id, name }, ['name'])
    return issued
  })
  return {
    id,
    name,
    token,
    team_id: team,
    email: user.email,
    created_at: formatInstant(createdAt),
    expires_at: formatInstantOrNull(expires),
  }
}

export async function listTokens({ db }: Services) {
  const rows = await readTokens(db.query)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ending: row.ending,
    team_id: row.team_id,
    email: row.email,
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstantOrNull(row.last_used_at),
    expires_at: formatInstantOrNull(row.expires_at),
    revoked_at: formatInstantOrNull(row.revoked_at),
  }))
}

export async function revokeToken(services: Services, tokenId: number) {
  await services.db.query.transaction().execute(async (query) => {
    const revoked = await markRevoked(query, tokenId, services.now())
    if (!revoked) throw new Refusal('notFound', { detail: inWords(`there is no valid token ${tokenId}`) })
    const { teamId, name } = revoked
    if (teamId === null) return
    await recordOperatorAudit(query, services, teamId, 'revokeApiToken', { id: tokenId, name })
  })
  return { id: tokenId }
}

/** The account with this address; `field` names the input that held the address. */
export async function userOrRefuse({ db }: Services, field: string, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db.query, email)
  if (!user)
    throw Refusal.invalid({
      [field]: [inWords(`${field} ${email} has no account: create it with upbeat user create`)],
    })
  return user
}

async function lockTeamOrRefuse(query: Query, teamId: number): Promise<void> {
  if (!(await findTeam(query, teamId))) throw noTeam(teamId)
  await lockTeam(query, teamId)
}

function noTeam(teamId: number): Refusal {
  return new Refusal('notFound', { detail: inWords(`there is no team ${teamId}`) })
}

function notAMember(user: UserRow, teamId: number): Refusal {
  return Refusal.invalid({ email: [inWords(`email ${user.email} is not a member of team ${teamId}`)] })
}
