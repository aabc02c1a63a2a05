import { CONTACT_TYPES } from '../../core/alerting/contact-types.ts'
import { said } from '../../core/language/said.ts'
import type { Draft } from '../draft.ts'
import { entryOf, type Fields, numberOf, recordsOf, textOf } from '../fields.ts'
import { anotherJson } from '../reasons.ts'
import { CONTACT_KINDS, OTHER_KINDS, SENT_AS_THEIRS } from './types.ts'

/** Drafts contacts for alert contacts and integrations. Returns their names by ID; null if one was skipped. */
export function draftAlertContacts(
  draft: Draft,
  listed: Fields[],
  monitors: Fields[],
): Map<string, string | null> {
  const drafted = new Map<string, string | null>()
  // The monitors of v2 include their contacts, in case the list of contacts is missing.
  const attached = monitors.flatMap(({ alert_contacts }) => recordsOf(alert_contacts))
  for (const contact of [...listed, ...attached]) {
    const id = textOf(contact.id)
    if (id !== '' && !drafted.has(id)) drafted.set(id, draftAlertContact(draft, contact))
  }
  return drafted
}

function draftAlertContact(draft: Draft, contact: Fields): string | null {
  const kind = textOf(contact.type)
  const type = entryOf(CONTACT_KINDS, kind.toLowerCase())
  const value = textOf(contact.value, contact.webhookURL)
  const called = textOf(contact.friendly_name, contact.friendlyName, contact.name)
  const name = called || (type === 'email' ? value : '') || type || entryOf(OTHER_KINDS, kind) || kind
  const what = said('alert contact {name}', { name })
  if (/^(0|notactivated)$/i.test(textOf(contact.status))) {
    draft.skip(what, said('was never confirmed'))
    return null
  }
  if (!type) {
    const known = entryOf(SENT_AS_THEIRS, kind.toLowerCase())
    draft.skip(
      what,
      known ?? said('there is no contact of the kind {kind}', { kind: entryOf(OTHER_KINDS, kind) ?? kind }),
    )
    return null
  }
  const paused = /^(1|paused)$/i.test(textOf(contact.status))
  const events = textOf(contact.enable_notifications_for, contact.enableNotificationsFor, 0).toLowerCase()
  const drafted = draft.contact({
    name,
    type,
    config: { [CONTACT_TYPES[type].destination]: value },
    notify_on_down: !paused && ['0', '1', 'upanddown', 'down'].includes(events),
    notify_on_recovery: !paused && ['0', '2', 'upanddown', 'up'].includes(events),
  })
  if (drafted && paused)
    draft.note(drafted, said('is paused: it is imported, but gets no alerts until you turn them on'))
  if (drafted && type === 'webhook') draft.note(drafted, anotherJson('UptimeRobot'))
  return drafted
}

/** The contacts of a monitor: `alert_contacts` in v2, `assignedAlertContacts` in v3. */
export function contactsOf(monitor: Fields, drafted: Map<string, string | null>): string[] {
  const attached = [...recordsOf(monitor.alert_contacts), ...recordsOf(monitor.assignedAlertContacts)]
  return attached.flatMap(({ id, alertContactId }) => drafted.get(textOf(id, alertContactId)) ?? [])
}

/** Whether a contact gets alerts with a delay or repeatedly. */
export function hasDelays(monitor: Fields): boolean {
  const attached = [...recordsOf(monitor.alert_contacts), ...recordsOf(monitor.assignedAlertContacts)]
  return attached.some(
    ({ threshold, recurrence }) => (numberOf(threshold) ?? 0) > 0 || (numberOf(recurrence) ?? 0) > 0,
  )
}
