import { GATHERING_BOUNDS } from '../accounts/mail-bounds.ts'

/** Alerts per hour that one address gets as separate mails; further ones go into a digest. */
export const ALERTS_PER_HOUR = GATHERING_BOUNDS['alerts-of-mailbox'].most.closed
/** Account letters per hour that one address gets as separate mails; further ones are merged into one letter. */
export const LETTERS_PER_HOUR = GATHERING_BOUNDS['letters-of-mailbox'].most.closed
/** Letters that one merged letter holds at most. */
export const MAX_IN_LETTER = 100
/** Delay before a digest is sent, so that it can collect further alerts. */
export const DIGEST_AFTER_SECONDS = 60
/** Least time between two digests to one address. */
export const DIGEST_EVERY_SECONDS = 300

/** The mailbox behind an address: plus tags and letter case do not make another one. */
export function mailboxName(address: string): string {
  const at = address.lastIndexOf('@')
  const [name = ''] = address.slice(0, at).split('+')
  return (name + address.slice(at)).toLowerCase()
}
