import { ACCOUNT_EVENT_WORDS, type AccountEventKind } from '../../core/accounts/account-log.ts'
import type { Letter } from '../../core/accounts/letter.ts'
import { GATHERING_BOUNDS } from '../../core/accounts/mail-bounds.ts'
import { formatInstant } from '../../core/instant.ts'
import { translatorOf } from '../../core/language/service.ts'
import { phrase } from '../../core/language/translate.ts'
import { cut } from '../../core/text.ts'
import type { Query } from '../../postgres/database.ts'
import {
  countAccountEvents,
  insertAccountEvent,
  listAccountEvents,
} from '../../store/accounts/account-log.ts'
import { findUser, type UserRow } from '../../store/accounts/users.ts'
import type { Services } from '../services.ts'
import { readableUserAgent, type Session, type Visitor } from '../sign-in/sessions.ts'
import { permitFree } from './letter-permits.ts'

const MAX_LISTED = 100
const HOUR_MS = 3_600_000
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
 * sent per hour, or per day to an address that is not confirmed; the last one says that further events are only in the
 * log.
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
  const user = await findUser(query, userId)
  if (!user) return
  const isConfirmed = user.email_verified_at !== null
  const { windowSeconds, most } =
    GATHERING_BOUNDS[isConfirmed ? 'notices-of-account' : 'notices-of-account-day']
  const count = await countAccountEvents(query, userId, new Date(at.getTime() - windowSeconds * 1_000))
  if (count > most.open) return
  const letter = noticeOf(
    services,
    { ...user, email: notice.to ?? user.email },
    notice,
    at,
    count === most.open ? (isConfirmed ? LAST_OF_HOUR : LAST_OF_DAY) : null,
  )
  const permit = permitFree(isConfirmed ? 'accountNotice' : 'accountNoticeUnconfirmed')
  await services.enqueueLetter(query, permit, letter, new Date(at.getTime() + NOTICE_LIFETIME_MS))
}

/** Names the object of the event. */
const NAMED: Partial<Record<AccountEventKind, string>> = {
  address_change_asked: phrase('The address is “{detail}”.'),
  address_changed: phrase('The new address is “{detail}”.'),
}

const LAST_OF_HOUR = phrase(
  'This is the last of these letters for an hour: what else happens is in the log of your account.',
)
const LAST_OF_DAY = phrase(
  'This is the last of these letters for a day, as your address is not confirmed: what else happens is in the log of your account.',
)

const IT_IS_CALLED = phrase('It is called “{detail}”.')

function noticeOf(
  { siteUrl }: Services,
  { email, language }: UserRow,
  { kind, detail, visitor }: HolderNotice,
  at: Date,
  last: string | null,
): Letter {
  const { t } = translatorOf(language ?? visitor?.language ?? 'en')
  const words = ACCOUNT_EVENT_WORDS[kind]
  const title = t(words.title)
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const sentences = [
    visitor
      ? t('{title}, on {when}, from {address}.', { title, when, address: visitor.address })
      : t('{title}, on {when}.', { title, when }),
    detail !== undefined && t(NAMED[kind] ?? IT_IS_CALLED, { detail: cut(detail, MAX_DETAIL_LENGTH) }),
    t(words.effect),
    t(
      'If this was not you, have a new password mailed to you at the sign-in page, and look at everything on your account’s page.',
    ),
    last !== null && t(last),
  ]
  return {
    to: email,
    language: language ?? 'en',
    title: `${title} (Upbeat)`,
    text: sentences.filter(Boolean).join(' '),
    link: `${siteUrl}/account`,
  }
}
