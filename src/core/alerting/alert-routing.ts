import type { AlertEvent } from './alert.ts'

export type Addressee = {
  contactId: number
  attached: boolean
  notifyOnDown: boolean
  notifyOnRecovery: boolean
}

/**
 * The contacts that an event alerts: those attached to the subject, or all of the team's if none is attached,
 * minus those that do not want this kind of alert. A recovery also goes to whom the escalation of its incident alerted.
 */
export function addressees<A extends Addressee>(
  contacts: A[],
  event: AlertEvent,
  escalatedTo: readonly number[] = [],
): A[] {
  const attached = contacts.filter((contact) => contact.attached)
  const applying = new Set(attached.length > 0 ? attached : contacts)
  const escalated = new Set(escalatedTo)
  return contacts.filter(
    (contact) => (applying.has(contact) || escalated.has(contact.contactId)) && wants(event, contact),
  )
}

/** A warning counts as trouble, like going down. */
function wants(event: AlertEvent, contact: Addressee): boolean {
  return event.endsWith('.recovery') ? contact.notifyOnRecovery : contact.notifyOnDown
}
