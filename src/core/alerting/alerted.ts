import { joinWords } from '../text.ts'
import { addressees } from './alert-routing.ts'
import type { ContactType } from './contact-types.ts'

const MAX_NAMED = 5

/** A contact of a team, as far as it matters to whom a monitor alerts. */
export type AlertedContact = {
  id: number
  name: string
  type: ContactType
  /** It is attached to the monitor. */
  attached: boolean
  notifyOnDown: boolean
  notifyOnRecovery: boolean
  /** Its address has not agreed to alerts yet. */
  awaitsAgreement: boolean
}

/**
 * Says who is alerted when a monitor goes down, for programs that set one up for a person. It names whatever is missing
 * until anyone is alerted at all.
 */
export function describeAlerted(contacts: readonly AlertedContact[], hasMail: boolean): string {
  const wanted = addressees(
    contacts.map((contact) => ({ contactId: contact.id, ...contact })),
    'monitor.down',
  )
  const unmailed = wanted.filter(({ type }) => type === 'email' && !hasMail)
  const unagreed = wanted.filter((contact) => contact.awaitsAgreement && !unmailed.includes(contact))
  const reached = wanted.filter((contact) => !unmailed.includes(contact) && !unagreed.includes(contact))
  return [
    headline(contacts, wanted, reached),
    unmailed.length > 0 &&
      `E-mail is not set up on this service, so ${named(unmailed)} cannot be reached until its operator sets up mail.`,
    unagreed.length > 0 && `Not confirmed yet: ${named(unagreed)}, by the link that was mailed.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}

function headline(
  contacts: readonly AlertedContact[],
  wanted: readonly AlertedContact[],
  reached: readonly AlertedContact[],
): string {
  if (contacts.length === 0) {
    return 'No one is alerted when it goes down: the team has no contacts. Create one with create-notification-contact.'
  }
  const isChosen = contacts.some(({ attached }) => attached)
  const those = isChosen ? 'its contacts' : 'every contact of the team, because it has none of its own'
  if (wanted.length === 0) return `No one is alerted when it goes down: ${those} want no such alerts.`
  if (reached.length === 0) return 'No one is alerted when it goes down.'
  return `When it goes down, this alerts ${those}: ${named(reached)}.`
}

function named(contacts: readonly AlertedContact[]): string {
  const first = contacts.slice(0, MAX_NAMED).map(({ name, type }) => `${name} (${type})`)
  const more = contacts.length - first.length
  return joinWords(more > 0 ? [...first, `${more} more`] : first)
}
