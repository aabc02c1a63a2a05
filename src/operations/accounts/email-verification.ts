import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Query } from '../../postgres/database.ts'
import { confirmAddressFirst } from '../../store/accounts/address-proof.ts'
import {
  type EmailLink,
  findEmailLink,
  insertEmailLink,
  redeemEmailLink,
} from '../../store/accounts/email-links.ts'
import { confirmAddress, findUser, type UserRow } from '../../store/accounts/users.ts'
import { hashToken } from '../../store/teams/tokens.ts'
import type { Services } from '../services.ts'
import { issuePasswordLink } from '../sign-in/password-links.ts'
import type { Session, Visitor } from '../sign-in/sessions.ts'
import { tellHolder } from './account-log.ts'
import type { LetterPermit } from './letter-permit.ts'
import { withLetter } from './letter-permits.ts'

export type { EmailLink }

const LINK_LIFETIME_MS = 24 * 3_600_000
/** How long the person can choose a password after confirming. */
const PASSWORD_LIFETIME_MS = 3_600_000

/** Mails a link to the signed-in person; opening it confirms that the address is theirs. */
export async function requestVerification(services: Services, session: Session): Promise<void> {
  const { db } = services
  const user = await findUser(db.query, session.userId)
  if (!user) throw new Refusal('unauthorized')
  await withLetter(services, 'addressConfirmation', { account: user.id }, (permit) =>
    db.query.transaction().execute((query) => mailVerification(services, query, permit, user)),
  )
}

async function mailVerification(
  services: Services,
  query: Query,
  permit: LetterPermit,
  { id: userId, email, language }: UserRow,
): Promise<void> {
  const link = randomBytes(24).toString('base64url')
  const expiresAt = new Date(services.now().getTime() + LINK_LIFETIME_MS)
  const tokenHash = hashToken(link)
  await insertEmailLink(query, { userId, email, tokenHash, isChange: false, expiresAt })
  const { t } = translatorOf(language ?? 'en')
  const letter = {
    to: email,
    language: language ?? 'en',
    title: t('Confirm your address for Upbeat'),
    text: t('This link confirms that you read mail to this address; it works once, for a day.'),
    link: `${services.siteUrl}/verify-email/${link}`,
  }
  await services.enqueueLetter(query, permit, letter, expiresAt)
}

/** Reads a confirmation link without using it up; null when it was used or has expired. */
export async function readEmailLink({ db, now }: Services, link: string): Promise<EmailLink | null> {
  return findEmailLink(db.query, hashToken(link), now())
}

/**
 * `kept`: the account keeps everything. `emptied`: all ways in were removed; `passwordLink` is the secret of a link to
 * set a password.
 */
export type Confirmed = { kind: 'kept' } | { kind: 'emptied'; passwordLink: string }

/**
 * Confirms the address. On the first confirmation everything that the account had ends, unless `holder`, signed in to
 * it in the same browser, says that the account is theirs. Null when the link no longer works.
 */
export async function confirmEmail(
  services: Services,
  link: string,
  holder: Session | null,
  visitor: Visitor,
): Promise<Confirmed | null> {
  const { db, now } = services
  return db.query.transaction().execute(async (query) => {
    const found = await redeemEmailLink(query, hashToken(link), now())
    // A link that changes the address works only for the signed-in owner (confirmEmailChange).
    if (!found || found.isChange) return null
    const { userId } = found
    if (!found.isFirstProof) return { kind: 'kept' }
    if (holder?.userId === userId) {
      await confirmAddress(query, userId, now())
      await tellHolder(services, query, userId, { kind: 'address_confirmed', visitor })
      return { kind: 'kept' }
    }
    await confirmAddressFirst(query, userId, now())
    await tellHolder(services, query, userId, { kind: 'account_emptied', visitor })
    const wanted = { userId, isMailed: true, lifetimeMs: PASSWORD_LIFETIME_MS }
    const { secret } = await issuePasswordLink(services, query, wanted)
    return { kind: 'emptied', passwordLink: secret }
  })
}
