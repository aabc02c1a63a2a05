import { randomBytes } from 'node:crypto'
import type { SignUp } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import type { Language } from '../../core/language/language.ts'
import { said } from '../../core/language/said.ts'
import { translatorOf } from '../../core/language/service.ts'
import { cut, MAX_NAME_LENGTH } from '../../core/text.ts'
import type { Query } from '../../postgres/database.ts'
import { findUserByEmail, hasUsers, insertUser } from '../../store/accounts/users.ts'
import { findSignUp, insertSignUp, redeemSignUps } from '../../store/sign-in/sign-ups.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import { countAsking, permitQuietly } from '../accounts/letter-permits.ts'
import { insertTeamOf } from '../accounts/operator-accounts.ts'
import type { Services } from '../services.ts'
import { hashNewPassword, verifyPassword } from './passwords.ts'
import { startSession, type Visitor } from './sessions.ts'
import { countFailures, type Guard, throttle } from './throttle.ts'

const LINK_LIFETIME_MS = 24 * 3_600_000

/** Whether anyone may create an account. The first one is created by the operator through the setup link. */
export async function isSignUpOpen({ db, opensSignUp }: Services): Promise<boolean> {
  return opensSignUp && (await hasUsers(db.query))
}

export async function requireOpenSignUp(services: Services): Promise<void> {
  if (await isSignUpOpen(services)) return
  throw new Refusal('notFound', {
    detail: said('Accounts are made by the operator of this service, or by invitation.'),
  })
}

/**
 * With mail: sends a letter whose link creates the account, and returns null. Neither the response nor its timing
 * reveals whether the address has an account; only the letter does. Without mail: creates the account and returns the
 * session's `Set-Cookie`.
 */
export async function signUp(services: Services, input: SignUp, visitor: Visitor): Promise<string | null> {
  await throttle(services.limits.perSignInAddress, visitor.address)
  const passwordHash = await hashNewPassword(services, input.password, [input.email, input.name])
  if (!services.hasMail) return signUpAtOnce(services, { ...input, passwordHash }, visitor)
  await countAsking(services, 'signUp', { client: visitor.address })
  services.afterwards(() => mailSignUp(services, { ...input, passwordHash }, visitor.language))
  return null
}

type NewAccount = { email: string; name: string; passwordHash: string | null }

async function signUpAtOnce(services: Services, account: NewAccount, visitor: Visitor): Promise<string> {
  return services.db.query.transaction().execute(async (query) => {
    const userId = await insertSelfMadeAccount(services, query, account, null, visitor.language)
    if (userId === null)
      throw Refusal.invalid({ email: [said('{email} has an account already', { email: account.email })] })
    return startSession(services, query, userId, visitor)
  })
}

async function mailSignUp(
  services: Services,
  account: NewAccount & { passwordHash: string },
  visitorLanguage: Language,
): Promise<void> {
  const { db, now, siteUrl } = services
  const { email } = account
  const permit = await permitQuietly(services, 'signUp', { mailbox: email })
  if (!permit) return
  const user = await findUserByEmail(db.query, email)
  const language = user?.language ?? visitorLanguage
  const { t } = translatorOf(language)
  if (user) {
    return services.sendLetter(permit, {
      to: user.email,
      language,
      title: t('You have an account at Upbeat'),
      text: t(
        'Someone, we hope you, asked for an account with this address, which has one already. Sign in with it, or have a link to a new password mailed to you there. Nothing was changed.',
      ),
      link: siteUrl,
    })
  }
  const link = randomBytes(24).toString('base64url')
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS)
  const letter = {
    to: email,
    language,
    title: t('Confirm your address for Upbeat'),
    text: t(
      'Someone, we hope you, asked for an account with this address. It is created when this link is used with the password that was chosen; the link works once, for a day.',
    ),
    link: `${siteUrl}/confirm-sign-up/${link}`,
  }
  await db.query.transaction().execute(async (query) => {
    await insertSignUp(query, { ...account, tokenHash: hashToken(link), expiresAt }, now())
    await services.enqueueLetter(query, permit, letter, expiresAt)
  })
}

/** The address that a link would create an account for; null when the link no longer works. */
export async function readSignUp(services: Services, link: string): Promise<{ email: string } | null> {
  if (!(await isSignUpOpen(services))) return null
  return (await findSignUp(services.db.query, hashToken(link), services.now())) ?? null
}

/**
 * Creates the account and signs in: returns the session's `Set-Cookie`, or null when the link no longer works. Requires
 * the password, which proves that the reader of the mail is the person who signed up: otherwise people could be tricked
 * into using a stranger's account.
 */
export async function confirmSignUp(
  services: Services,
  link: string,
  password: string,
  visitor: Visitor,
): Promise<string | null> {
  const { db, now } = services
  const found = (await isSignUpOpen(services)) && (await findSignUp(db.query, hashToken(link), now()))
  if (!found) return null
  const guard: Guard = [services.limits.perProof, `sign-up ${hashToken(link).toString('hex')}`]
  await countFailures([guard], async () => {
    if (await verifyPassword(password, found.passwordHash)) return
    throw Refusal.invalid({ password: [said('is not the one that was chosen')] })
  })
  return db.query.transaction().execute(async (query) => {
    if (!(await redeemSignUps(query, found.email))) return null
    const userId = await insertSelfMadeAccount(services, query, found, now(), visitor.language)
    return userId === null ? null : startSession(services, query, userId, visitor)
  })
}

/** Creates an account with a Free team of its own. Null when the address already has an account. */
export async function insertSelfMadeAccount(
  { vault, now }: Services,
  query: Query,
  { email, name, passwordHash }: NewAccount,
  emailVerifiedAt: Date | null,
  language: Language,
): Promise<number | null> {
  const person = { email, name, passwordHash, emailVerifiedAt, signedUpAt: now(), language }
  const id = await insertUser(query, person)
  if (id === null) return null
  const team = cut(`${name}'s team`, MAX_NAME_LENGTH)
  await insertTeamOf(
    query,
    vault,
    { name: team, plan: 'free' },
    { id, email, name, language },
    emailVerifiedAt !== null,
  )
  return id
}
