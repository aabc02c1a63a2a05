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

/** An event on an account, reported to its holder. */
export type HolderNotice = {
  kind: AccountEventKind
  /** The name of the affected object, such as a passkey or token. */
  detail?: string
  /** The recipient, if not the account's address. */
  to?: string
  /** Null when the event does not come from a browser. */
  visitor: Visitor | null
}

/** The newest events on the account of the signed-in person. */
export async function listOwnEvents({ db }: Services, session: Session) {
  const events = await listAccountEvents(db.query, session.userId, MAX_LISTED)
  return events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) }))
}

/**
 * Logs an event on an account and mails it to the holder, in the transaction that causes it. At most twenty letters are
 * sent per hour; the last one says that further events are only in the log.
 */
export async function tellHolder(
  services: Services,
  query: Query,
  userId: number,
  notice: HolderNotice,
): Promise<void> {
  const { kind, detail = null, visitor } = notice
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
  const letter = noticeOf(services, notice.to ?? user.email, notice, at, count === MAX_NOTICES_PER_HOUR)
  await services.enqueueLetter(query, letter, new Date(at.getTime() + NOTICE_LIFETIME_MS))
}

/** Introduces the detail. */
const NAMED: Partial<Record<AccountEventKind, string>> = {
  address_change_asked: 'The address is',
  address_changed: 'The new address is',
}

function noticeOf(
  { siteUrl }: Services,
  to: string,
  { kind, detail, visitor }: HolderNotice,
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
