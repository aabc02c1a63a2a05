/** Alerts to one address that go as mails of their own, in an hour; what comes beyond goes into a digest. */
export const ALERTS_PER_HOUR = 30
/** Letters about accounts to one address that go as mails of their own, in an hour; the rest goes into one letter. */
export const LETTERS_PER_HOUR = 20
/** So many letters at most stand in one. */
export const MAX_IN_LETTER = 100
/** A digest waits so long for what belongs into it, … */
export const DIGEST_AFTER_SECONDS = 60
/** … and there are never more of them than one in so long. */
export const DIGEST_EVERY_SECONDS = 300
/** Of an address, for how long the link to agree works and after how long it may be asked again. */
export const AGREEMENT_DAYS = 7

/** What counts as one mailbox: a tag behind a plus leads into the same one, and so does any mix of cases. */
export function mailboxName(address: string): string {
  const at = address.lastIndexOf('@')
  const [name = ''] = address.slice(0, at).split('+')
  return (name + address.slice(at)).toLowerCase()
}
