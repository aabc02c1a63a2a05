const TEN_MINUTES = 600
const HOUR = 3_600
const DAY = 24 * HOUR

/** Whose mails a bound counts: `pages` are all status pages of one team, `client` is the network of who asks. */
export type MailCounter = 'team' | 'person' | 'client' | 'page' | 'pages' | 'mailbox' | 'account'

export type MailBound = {
  per: MailCounter
  windowSeconds: number
  /** With open sign-up anybody can have a team; otherwise operators know who does. */
  most: { open: number; closed: number }
}

const always = (most: number) => ({ open: most, closed: most })

/**
 * Bounds of mail to people who have not agreed to it, counted over all processes from the first mail of a window. The
 * names are those of their counts in the database and in the metrics.
 */
export const MAIL_BOUNDS = {
  'inviting-team': { per: 'team', windowSeconds: HOUR, most: { open: 30, closed: 60 } },
  'inviting-team-day': { per: 'team', windowSeconds: DAY, most: { open: 100, closed: 500 } },
  'inviting-person': { per: 'person', windowSeconds: HOUR, most: { open: 30, closed: 120 } },
  'inviting-person-day': { per: 'person', windowSeconds: DAY, most: { open: 100, closed: 1_000 } },
  'inviting-client': { per: 'client', windowSeconds: HOUR, most: { open: 120, closed: 1_200 } },
  'inviting-client-day': { per: 'client', windowSeconds: DAY, most: { open: 300, closed: 10_000 } },
  'asking-client': { per: 'client', windowSeconds: HOUR, most: { open: 20, closed: 60 } },
  'asking-client-day': { per: 'client', windowSeconds: DAY, most: { open: 60, closed: 500 } },
  'subscribing-client': { per: 'client', windowSeconds: TEN_MINUTES, most: always(10) },
  'subscribed-page': { per: 'page', windowSeconds: TEN_MINUTES, most: always(1_000) },
  'subscribed-pages-hour': { per: 'pages', windowSeconds: HOUR, most: { open: 500, closed: 6_000 } },
  'subscribed-pages-day': { per: 'pages', windowSeconds: DAY, most: { open: 2_000, closed: 50_000 } },
  'subscribed-address': { per: 'mailbox', windowSeconds: TEN_MINUTES, most: always(3) },
  mailbox: { per: 'mailbox', windowSeconds: TEN_MINUTES, most: always(3) },
  'mailbox-day': { per: 'mailbox', windowSeconds: DAY, most: always(20) },
  'account-mail': { per: 'account', windowSeconds: TEN_MINUTES, most: always(3) },
  'account-mail-day': { per: 'account', windowSeconds: DAY, most: always(20) },
} as const satisfies Record<string, MailBound>
export type MailBoundName = keyof typeof MAIL_BOUNDS

/**
 * Bounds of one address or account that are no refusals: over them, mails come together in one, or notices stay in the log
 * of the account. They are counted where the mails are queued.
 */
export const GATHERING_BOUNDS = {
  'alerts-of-mailbox': { per: 'mailbox', windowSeconds: HOUR, most: always(30) },
  'letters-of-mailbox': { per: 'mailbox', windowSeconds: HOUR, most: always(20) },
  'notices-of-account': { per: 'account', windowSeconds: HOUR, most: always(20) },
  'notices-of-account-day': { per: 'account', windowSeconds: DAY, most: always(20) },
} as const satisfies Record<string, MailBound>
export type GatheringBoundName = keyof typeof GATHERING_BOUNDS
