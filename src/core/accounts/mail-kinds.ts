import type { GatheringBoundName, MailBoundName } from './mail-bounds.ts'

/** The person or thing that causes a mail: a `holder` acts on their own account, a `visitor` is not signed in. */
type Asker = 'member' | 'holder' | 'visitor' | 'service'

export type MailKind = {
  /** Its name in the documentation. */
  name: string
  askedBy: Asker
  /**
   * Whether the reader of the address has agreed to such mail: by a mailed link, or by an account there whose address is
   * confirmed. `trusted`: only with open sign-up; otherwise members are trusted to name who wants it.
   */
  agreed: 'yes' | 'no' | 'trusted'
  /** Its sender: a letter goes to one person, mostly for its link. */
  sentAs: 'letter' | 'alert' | 'digest' | 'notice' | 'report'
  /** Over one of these the act that causes it is refused, and nothing is written. */
  refusedOver: readonly MailBoundName[]
  /** Over one of these it is not sent, and nobody learns that: an answer would tell whose address it is. */
  droppedOver: readonly MailBoundName[]
  /** Over these it comes together with others, or stays in the log of the account. */
  gatheredOver: readonly GatheringBoundName[]
}

/** One address gets letters one by one up to a bound; further ones come as one mail. */
const LETTER = {
  sentAs: 'letter',
  refusedOver: [],
  droppedOver: [],
  gatheredOver: ['letters-of-mailbox'],
} as const

/** A member names an address, and its reader decides. */
const MEMBER_ASKS = {
  ...LETTER,
  askedBy: 'member',
  agreed: 'no',
  refusedOver: [
    'inviting-team',
    'inviting-team-day',
    'inviting-person',
    'inviting-person-day',
    'inviting-client',
    'inviting-client-day',
    'mailbox',
    'mailbox-day',
  ],
} as const

const UNBOUNDED = { refusedOver: [], droppedOver: [], gatheredOver: [] } as const

/** Every mail that the service sends. A sender and a queue of letters take no other. */
export const MAIL_KINDS = {
  invitation: { ...MEMBER_ASKS, name: 'Invitation to a team' },
  contactAgreement: { ...MEMBER_ASKS, name: 'Question whether a contact agrees to alerts' },
  reportConfirmation: { ...MEMBER_ASKS, name: 'Question whether a recipient wants a report' },
  subscriberConfirmation: {
    ...LETTER,
    name: 'Question whether a subscriber wants updates',
    askedBy: 'visitor',
    agreed: 'no',
    refusedOver: [
      'subscribing-client',
      'subscribed-page',
      'subscribed-address',
      'asking-client',
      'asking-client-day',
      'subscribed-pages-hour',
      'subscribed-pages-day',
      'mailbox-day',
    ],
  },
  signUp: {
    ...LETTER,
    name: 'Link that creates an account',
    askedBy: 'visitor',
    agreed: 'no',
    refusedOver: ['asking-client', 'asking-client-day'],
    droppedOver: ['mailbox', 'mailbox-day'],
  },
  addressChange: {
    ...LETTER,
    name: 'Link to a new address of an account',
    askedBy: 'holder',
    agreed: 'no',
    refusedOver: [
      'inviting-person',
      'inviting-person-day',
      'inviting-client',
      'inviting-client-day',
      'mailbox',
      'mailbox-day',
    ],
  },
  addressConfirmation: {
    ...LETTER,
    name: 'Link that confirms the address of an account',
    askedBy: 'holder',
    agreed: 'no',
    refusedOver: ['account-mail', 'account-mail-day'],
  },
  passwordReset: {
    ...LETTER,
    name: 'Link to a new password, to a confirmed address',
    askedBy: 'visitor',
    agreed: 'yes',
    droppedOver: ['account-mail'],
  },
  passwordResetUnconfirmed: {
    ...LETTER,
    name: 'Link to a new password, to an unconfirmed address',
    askedBy: 'visitor',
    agreed: 'no',
    droppedOver: ['account-mail', 'account-mail-day'],
  },
  accountNotice: {
    ...LETTER,
    name: 'Notice about an account, to a confirmed address',
    askedBy: 'service',
    agreed: 'yes',
    gatheredOver: ['notices-of-account', 'letters-of-mailbox'],
  },
  accountNoticeUnconfirmed: {
    ...LETTER,
    name: 'Notice about an account, to an unconfirmed address',
    askedBy: 'service',
    agreed: 'no',
    gatheredOver: ['notices-of-account-day', 'letters-of-mailbox'],
  },
  alert: {
    ...UNBOUNDED,
    name: 'Alert, reminder, test, drill',
    askedBy: 'service',
    agreed: 'trusted',
    sentAs: 'alert',
    gatheredOver: ['alerts-of-mailbox'],
  },
  alertDigest: {
    ...UNBOUNDED,
    name: 'Digest of alerts',
    askedBy: 'service',
    agreed: 'trusted',
    sentAs: 'digest',
  },
  subscriberNotice: {
    ...UNBOUNDED,
    name: 'Update of a status page',
    askedBy: 'member',
    agreed: 'yes',
    sentAs: 'notice',
  },
  monthlyReport: {
    ...UNBOUNDED,
    name: 'Monthly report',
    askedBy: 'service',
    agreed: 'yes',
    sentAs: 'report',
  },
} as const satisfies Record<string, MailKind>

type Kinds = typeof MAIL_KINDS
export type MailKindName = keyof Kinds
type Sent<As extends MailKind['sentAs']> = {
  [Name in MailKindName]: Kinds[Name]['sentAs'] extends As ? Name : never
}[MailKindName]

export type LetterKind = Sent<'letter'>
/** Kinds whose mails no queue of letters holds: their senders name them. */
export type MailedKind = Exclude<MailKindName, LetterKind>

/** Webhooks are no mail, but those of visitors are asked and bounded in the same way. */
export const WEBHOOK_CONFIRMATION_BOUNDS = [
  'subscribing-client',
  'subscribed-page',
  'subscribed-address',
] as const satisfies readonly MailBoundName[]
