import { randomBytes } from 'node:crypto'
import { FirstAccount } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { parseFields } from '../../core/validation.ts'
import { insertSetupLink, isSetupLinkValid, redeemSetupLink } from '../../store/accounts/setup-links.ts'
import { hasUsers, insertUser } from '../../store/accounts/users.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { parseOrRefuse } from '../refusal.ts'
import type { Services } from '../services.ts'
import { hashNewPassword } from '../sign-in/passwords.ts'
import { startSession, type Visitor } from '../sign-in/sessions.ts'
import { insertTeamOf } from './operator-accounts.ts'

const LINK_LIFETIME_MS = 7 * 24 * 3_600_000

/**
 * Creates a one-time link to create the first account; null once an account exists. The secret follows the `#`, which
 * browsers do not send, so that no server logs it.
 */
export async function createSetupLink({ db, siteUrl, now }: Services): Promise<string | null> {
  if (await hasUsers(db.query)) return null
  const token = randomBytes(24).toString('base64url')
  const at = now()
  await insertSetupLink(db.query, hashToken(token), new Date(at.getTime() + LINK_LIFETIME_MS), at)
  return `${siteUrl}/setup#${token}`
}

export async function hasAccounts({ db }: Services): Promise<boolean> {
  return hasUsers(db.query)
}

/**
 * Creates the operator's account and team through a setup link, and signs in: `cookie` is the session's `Set-Cookie`.
 */
export async function setUp(
  services: Services,
  input: Record<string, unknown>,
  visitor: Visitor,
): Promise<{ cookie: string; teamId: number }> {
  const { db, vault, now } = services
  const { language } = visitor
  const tokenHash = hashToken(String(input.link ?? ''))
  if (!(await isSetupLinkValid(db.query, tokenHash, now()))) throw invalidLink()
  const { email, name, team, password } = parseOrRefuse(parseFields(FirstAccount, input))
  const passwordHash = await hashNewPassword(services, password, [email, name, team])
  return db.query.transaction().execute(async (query) => {
    if (!(await redeemSetupLink(query, tokenHash, now()))) throw invalidLink()
    const id = (await insertUser(query, { email, name, passwordHash, language })) as number
    const owner = { id, email, name, language }
    const teamId = await insertTeamOf(query, vault, { name: team, plan: 'business' }, owner)
    const entry = { teamId, at: now(), userId: id, door: 'dashboard' as const, action: 'createTeam' }
    await insertAudit(query, { ...entry, subject: team, subjectId: teamId, fields: ['team'] })
    return { cookie: await startSession(services, query, id, visitor), teamId }
  })
}

function invalidLink(): Refusal {
  return new Refusal('notFound', { detail: said('This set-up link does not work.') })
}
