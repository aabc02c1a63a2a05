import { randomBytes } from 'node:crypto'
import type { EmailChange } from '../../core/accounts/account.ts'
import type { Letter } from '../../core/accounts/letter.ts'
import { Refusal } from '../../core/errors.ts'
import type { Language } from '../../core/language/language.ts'
import { said } from '../../core/language/said.ts'
import { translatorOf } from '../../core/language/service.ts'
import { insertEmailLink, redeemEmailLink } from '../../store/accounts/email-links.ts'
import { changeEmail, findUser, findUserByEmail } from '../../store/accounts/users.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { provePerson } from '../sign-in/second-factor.ts'
import type { Session, Visitor } from '../sign-in/sessions.ts'
import { currentClient } from '../sign-in/throttle.ts'
import { tellHolder } from './account-log.ts'
import type { LetterPermit } from './letter-permit.ts'
import { permitLetter } from './letter-permits.ts'

const LINK_LIFETIME_MS = 3_600_000

/**
 * Mails a link to the new address, and a notice to the current one. The response and its timing are the same if another
 * account has the new address: only the letter says so.
 */
export async function requestEmailChange(
  services: Services,
  session: Session,
  { email, ...proof }: EmailChange,
  visitor: Visitor,
): Promise<void> {
  if (!services.hasMail) {
    const fault = said('cannot be changed: this service sends no mail, which would prove the new one')
    throw Refusal.invalid({ email: [fault] })
  }
  const user = await provePerson(services, session, proof)
  if (email === user.email) throw Refusal.invalid({ email: [said('is the address of the account already')] })
  const permit = await permitLetter(services, 'addressChange', {
    person: user.id,
    client: currentClient(),
    mailbox: email,
  })
  services.afterwards(() => mailChange(services, permit, user.id, email, visitor))
}

async function mailChange(
  services: Services,
  permit: LetterPermit,
  userId: number,
  email: string,
  visitor: Visitor,
): Promise<void> {
  const { db, siteUrl, now } = services
  const owner = await findUserByEmail(db.query, email)
  const holder = await findUser(db.query, userId)
  const language = holder?.language ?? visitor.language
  const isTaken = owner !== undefined && owner.id !== userId
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS)
  const secret = randomBytes(24).toString('base64url')
  await db.query.transaction().execute(async (query) => {
    await tellHolder(services, query, userId, { kind: 'address_change_asked', detail: email, visitor })
    if (isTaken)
      return services.enqueueLetter(
        query,
        permit,
        takenLetter(email, siteUrl, owner.language ?? visitor.language),
        expiresAt,
      )
    await insertEmailLink(query, { userId, email, tokenHash: hashToken(secret), isChange: true, expiresAt })
    const { t } = translatorOf(language)
    const letter = {
      to: email,
      language,
      title: t('Use this address for Upbeat'),
      text: t(
        'Someone, we hope you, wants to sign in to their account with this address. Open this link in the browser in which you are signed in; it works once, for an hour. If it was not you, do nothing.',
      ),
      link: `${siteUrl}/verify-email/${secret}`,
    }
    await services.enqueueLetter(query, permit, letter, expiresAt)
  })
}

function takenLetter(email: string, siteUrl: string, language: Language): Letter {
  const { t } = translatorOf(language)
  return {
    to: email,
    language,
    title: t('This address has an account at Upbeat'),
    text: t(
      'Someone, we hope you, wants to use this address for another account. It has an account of its own, so nothing was changed.',
    ),
    link: siteUrl,
  }
}

/**
 * Changes the account's address to the one that the link was mailed to. Requires a session of that account: otherwise a
 * person who opens a stranger's link would give their address to the stranger's account. Null when the link no longer
 * works.
 */
export async function confirmEmailChange(
  services: Services,
  link: string,
  holder: Session,
  visitor: Visitor,
): Promise<'changed' | 'taken' | null> {
  const { db, now } = services
  return db.query.transaction().execute(async (query) => {
    const found = await redeemEmailLink(query, hashToken(link), now())
    if (!found?.isChange || found.userId !== holder.userId) return null
    const { userId, email, accountEmail } = found
    if (!(await changeEmail(query, userId, email, now()))) return 'taken'
    await tellHolder(services, query, userId, {
      kind: 'address_changed',
      detail: email,
      to: accountEmail,
      visitor,
    })
    return 'changed'
  })
}
