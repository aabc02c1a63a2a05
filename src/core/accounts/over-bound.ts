import { phrase } from '../language/phrase.ts'
import { type Said, said } from '../language/said.ts'
import { MAIL_BOUNDS, type MailBoundName, type MailCounter } from './mail-bounds.ts'

/** Sentences of refusals: which bound is used up, when it works again, and what can be done until then. */
export const OVER_BOUND = {
  team: {
    short: phrase(
      'This team has asked {count} addresses within an hour that have not agreed to mail from it, the most. Nothing was sent or saved: try again in {wait}. Confirmed addresses of members are not counted.',
    ),
    long: phrase(
      'This team has asked {count} addresses within a day that have not agreed to mail from it, the most. Nothing was sent or saved: try again in {wait}. Confirmed addresses of members are not counted.',
    ),
  },
  person: {
    short: phrase(
      'You have asked {count} addresses within an hour that have not agreed to mail, over all your teams, the most. Nothing was sent or saved: try again in {wait}. Confirmed addresses of members are not counted.',
    ),
    long: phrase(
      'You have asked {count} addresses within a day that have not agreed to mail, over all your teams, the most. Nothing was sent or saved: try again in {wait}. Confirmed addresses of members are not counted.',
    ),
  },
  client: {
    short: phrase(
      'Your network has asked for {count} mails to addresses that have not agreed, the most for now. Nothing was sent: try again in {wait}.',
    ),
    long: phrase(
      'Your network has asked for {count} mails within a day to addresses that have not agreed, the most. Nothing was sent: try again in {wait}.',
    ),
  },
  page: {
    short: phrase('This page has had {count} subscriptions, the most for now: try again in {wait}.'),
    long: phrase('This page has had {count} subscriptions within a day, the most: try again in {wait}.'),
  },
  mailbox: {
    short: phrase(
      'This address has been sent {count} such mails in ten minutes, the most. Nothing was sent or saved: look for one of them, also among spam, or try again in {wait}.',
    ),
    long: phrase(
      'This address has been sent {count} such mails within a day, the most. Nothing was sent or saved: look for one of them, also among spam, or try again in {wait}.',
    ),
  },
} as const

const SENTENCES_OF = {
  team: 'team',
  person: 'person',
  client: 'client',
  page: 'page',
  pages: 'page',
  mailbox: 'mailbox',
  account: 'mailbox',
} as const satisfies Record<MailCounter, keyof typeof OVER_BOUND>

const DAY_SECONDS = 86_400

/** The refusal. */
export function overBound(name: MailBoundName, limit: number, retryAfterSeconds: number): Said {
  const { per, windowSeconds } = MAIL_BOUNDS[name]
  const sentences = OVER_BOUND[SENTENCES_OF[per]]
  const sentence = windowSeconds === DAY_SECONDS ? sentences.long : sentences.short
  return said(sentence, { count: limit, wait: waitOf(retryAfterSeconds) })
}

/** Read alike in all languages, and never too short. */
export function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
