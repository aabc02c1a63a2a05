import { ACCOUNT_EVENT_WORDS, type AccountEventKind } from '../../core/accounts/account-log.ts'
import type { Letter } from '../../core/accounts/letter.ts'
import { formatInstant } from '../../core/instant.ts'
import { cut } from '../../core/text.ts'
import type { Query } from '../../postgres/database.ts'
import {
  countAccountEvents,
  insertAccountEvent,
  listAccountEvents,
} from '../../store/accounts/account-log.ts'
import { findUser } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import { readableUserAgent, type Session, type Visitor } from '../sign-in/sessions.ts'

const MAX_LISTED = 100
const HOUR_MS = 3_600_000
const MAX_NOTICES_PER_HOUR = 20
const NOTICE_LIFETIME_MS = 24 * HOUR_MS
const MAX_DETAIL_LENGTH = 100

/** Something that was done to an account. */
export type Told = {
  kind: AccountEventKind
  /** What it was done to, as it is called. */
  detail?: string
  /** Where the letter goes instead of to the account's address. */
  to?: string
  /** Null where it comes from no browser. */
  visitor: Visitor | null
}

/** The newest of what was done to the account of who is signed in. */
export async function listOwnEvents({ db }: Services, session: Session) {
  const events = await listAccountEvents(db.query, session.userId, MAX_LISTED)
  return events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) }))
}

/**
 * Writes down what was done to an account and mails it to its holder, both in the transaction that does it. There are
 * twenty letters an hour at most, the last of which says that more is in the log alone.
 */
export async function tellHolder(
  services: Services,
  query: Query,
  userId: number,
  told: Told,
): Promise<void> {
  const { kind, detail = null, visitor } = told
  const at = services.now()
  await insertAccountEvent(query, {
    userId,
    at,
    kind,
    detail,
    address: visitor?.address ?? null,
    userAgent: visitor && readableUserAgent(visitor),
  })
  if (!services.hasMail) return
  const count = await countAccountEvents(query, userId, new Date(at.getTime() - HOUR_MS))
  if (count > MAX_NOTICES_PER_HOUR) return
  const user = await findUser(query, userId)
  if (!user) return
  const letter = noticeOf(services, told.to ?? user.email, told, at, count === MAX_NOTICES_PER_HOUR)
  await services.enqueueLetter(query, letter, new Date(at.getTime() + NOTICE_LIFETIME_MS))
}

/** Before what it was done to. */
const NAMED: Partial<Record<AccountEventKind, string>> = {
  address_change_asked: 'The address is',
  address_changed: 'The new address is',
}

function noticeOf(
  { siteUrl }: Services,
  to: string,
  { kind, detail, visitor }: Told,
  at: Date,
  isLast: boolean,
): Letter {
  const { title, effect } = ACCOUNT_EVENT_WORDS[kind]
  const what =
    detail === undefined ? '' : ` ${NAMED[kind] ?? 'It is called'} “${cut(detail, MAX_DETAIL_LENGTH)}”.`
  const from = visitor ? `, from ${visitor.address}` : ''
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const more = isLast
    ? ' This is the last of these letters for an hour: what else happens is in the log of your account.'
    : ''
  return {
    to,
    title: `${title} (Upbeat)`,
    text: `${title}, on ${when}${from}.${what} ${effect} If this was not you, have a new password mailed to you at the sign-in page, and look at everything on your account’s page.${more}`,
    link: `${siteUrl}/account`,
  }
}
