import type { AlertEvent } from './alert.ts'

export type Addressee = {
  contactId: number
  attached: boolean
  notifyOnDown: boolean
  notifyOnRecovery: boolean
}

/**
 * Whom an event is told: the contacts attached to the subject, or all of the team's when none is
 * (specification, section 1, rule 3), less those that do not want this kind of news.
 */
export function addressees<A extends Addressee>(contacts: A[], event: AlertEvent): A[] {
  const attached = contacts.filter((contact) => contact.attached)
  const applying = attached.length > 0 ? attached : contacts
  return applying.filter((contact) => wants(event, contact))
}

/** A warning is news of trouble, as going down is. */
function wants(event: AlertEvent, contact: Addressee): boolean {
  return event === 'monitor.recovery' ? contact.notifyOnRecovery : contact.notifyOnDown
}
