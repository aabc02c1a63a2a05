import type { PasswordChange } from '../../core/accounts/account.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { translatorOf } from '../../core/language/service.ts'
import { findCredentials, findUser, replacePassword } from '../../store/accounts/users.ts'
import { endGrantsOf } from '../../store/sign-in/oauth-grants.ts'
import { deleteSessionsOf } from '../../store/sign-in/sessions.ts'
import { tellHolder } from '../accounts/account-log.ts'
import { permitQuietly } from '../accounts/letter-permits.ts'
import type { Services } from '../services.ts'
import { issuePasswordLink } from './password-links.ts'
import { hashNewPassword, namesOf, verifyPassword } from './passwords.ts'
import type { Session, Visitor } from './sessions.ts'
import { countFailures, throttle } from './throttle.ts'

const RESET_LIFETIME_MS = 3_600_000

/**
 * Changes the signed-in person's password, given the current one. Ends all their other sessions and every grant to
 * programs.
 */
export async function changePassword(
  services: Services,
  session: Session,
  input: PasswordChange,
  visitor: Visitor,
) {
  const user = await provePassword(services, session, input.current_password, 'current_password')
  const anew = await hashNewPassword(services, input.password, await namesOf(services, user))
  await services.db.query.transaction().execute(async (query) => {
    if (!(await replacePassword(query, user.id, user.passwordHash, anew))) {
      throw wrongPassword('current_password')
    }
    await deleteSessionsOf(query, user.id, session.sessionId)
    await endGrantsOf(query, user.id, services.now())
    await tellHolder(services, query, user.id, { kind: 'password_changed', visitor })
  })
}

/** Asks for the password again before sensitive changes: a stolen cookie must not be enough to lock its owner out. */
export async function provePassword(
  services: Services,
  session: Session,
  password: string,
  field = 'password',
): Promise<{ id: number; email: string; name: string; passwordHash: string }> {
  const found = await findUser(services.db.query, session.userId)
  if (!found) throw new Refusal('unauthorized')
  return countFailures([[services.limits.perProof, found.id]], async () => {
    const user = await findCredentials(services.db.query, found.email)
    if (!user?.passwordHash || !(await verifyPassword(password, user.passwordHash)))
      throw wrongPassword(field)
    return { ...found, passwordHash: user.passwordHash }
  })
}

/**
 * Mails a link to set a new password if the account exists. The response does not wait for that: neither its content
 * nor its timing reveals whether the account exists.
 */
export async function requestPasswordReset(services: Services, email: string, visitor: Visitor) {
  await throttle(services.limits.perSignInAddress, visitor.address)
  services.afterwards(async () => {
    const user = await findCredentials(services.db.query, email)
    const kind = user && !user.isConfirmed ? 'passwordResetUnconfirmed' : 'passwordReset'
    const permit = await permitQuietly(services, kind, { account: user?.id ?? 0 })
    if (!user || !permit) return
    await services.db.query.transaction().execute(async (query) => {
      const wanted = { userId: user.id, isMailed: true, lifetimeMs: RESET_LIFETIME_MS }
      const { secret, expiresAt } = await issuePasswordLink(services, query, wanted)
      const language = user.language ?? visitor.language
      const { t } = translatorOf(language)
      const letter = {
        to: user.email,
        language,
        title: t('Set a new password for Upbeat'),
        text: t(
          'Someone, we hope you, asked for a new password. Nothing changes until this link is used; it works once, for an hour.',
        ),
        link: `${services.siteUrl}/set-password/${secret}`,
      }
      await services.enqueueLetter(query, permit, letter, expiresAt)
    })
  })
}

function wrongPassword(field: string): Refusal {
  return Refusal.invalid({ [field]: [said('is not the password of this account')] })
}
