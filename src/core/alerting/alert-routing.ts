import type { AlertEvent } from './alert.ts'

export type Addressee = {
  contactId: number
  attached: boolean
  notifyOnDown: boolean
  notifyOnRecovery: boolean
}

/**
 * The contacts that an event alerts: those attached to the subject, or all of the team's if none is attached,
 * minus those that do not want this kind of alert.
 */
export function addressees<A extends Addressee>(contacts: A[], event: AlertEvent): A[] {
  const attached = contacts.filter((contact) => contact.attached)
  const applying = attached.length > 0 ? attached : contacts
  return applying.filter((contact) => wants(event, contact))
}

/** A warning counts as trouble, like going down. */
function wants(event: AlertEvent, contact: Addressee): boolean {
  return event.endsWith('.recovery') ? contact.notifyOnRecovery : contact.notifyOnDown
}
