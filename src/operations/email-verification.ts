import { randomBytes } from 'node:crypto'
import { Refusal } from '../core/errors.ts'
import type { Query } from '../store/database.ts'
import { findEmailLink, insertEmailLink, redeemEmailLink } from '../store/email-links.ts'
import { findUser } from '../store/users.ts'
import type { Services } from './services.ts'
import type { Session } from './sessions.ts'
import { throttle } from './throttle.ts'
import { hashToken } from './tokens.ts'

const LINK_LIFETIME_MS = 24 * 3_600_000

/** Mails who is signed in a link that shows that the address is theirs. */
export async function requestVerification(services: Services, session: Session): Promise<void> {
  const { db } = services
  const user = await findUser(db.query, session.userId)
  if (!user) throw new Refusal('unauthorized')
  await throttle(services.limits.perMailbox, String(user.id))
  await db.query.transaction().execute((query) => mailVerification(services, query, user))
}

async function mailVerification(
  services: Services,
  query: Query,
  { id: userId, email }: { id: number; email: string },
): Promise<void> {
  const link = randomBytes(24).toString('base64url')
  const expiresAt = new Date(services.now().getTime() + LINK_LIFETIME_MS)
  await insertEmailLink(query, { userId, email, tokenHash: hashToken(link), expiresAt })
  const letter = {
    to: email,
    title: 'Confirm your address for Upbeat',
    text: 'This link confirms that you read mail to this address; it works once, for a day.',
    link: `${services.siteUrl}/verify-email/${link}`,
  }
  await services.enqueueLetter(query, letter, expiresAt)
}

/** The address that a link would confirm; null when it was used or has expired. */
export async function readEmailLink({ db, now }: Services, link: string): Promise<string | null> {
  return findEmailLink(db.query, hashToken(link), now())
}

/** Confirms the address; false when the link does not work any more. */
export async function confirmEmail({ db, now }: Services, link: string): Promise<boolean> {
  return db.query.transaction().execute((query) => redeemEmailLink(query, hashToken(link), now()))
}
