import { said } from '../../core/language/said.ts'
import type { Draft } from '../draft.ts'
import { entryOf, type Fields, isFields, isOn, numberOf, parseJson, textOf } from '../fields.ts'
import { CHAT_READERS } from './chats.ts'
import { PAGER_READERS } from './pagers.ts'

/** Drafts contacts for notifications. Returns the names of the contacts by notification ID. */
export function draftNotifications(draft: Draft, notifications: Fields[]): Map<number, string[]> {
  return new Map(
    notifications.map((notification) => {
      const id = numberOf(notification.id) ?? Number.NaN
      return [id, draftNotification(draft, notification)]
    }),
  )
}

function draftNotification(draft: Draft, notification: Fields): string[] {
  const parsed =
    typeof notification.config === 'string' ? parseJson(notification.config) : notification.config
  const config = isFields(parsed) ? parsed : {}
  const kind = textOf(config.type)
  const name = textOf(notification.name, config.name) || kind || 'notification'
  const what = said('notification {name}', { name })
  const read = entryOf({ ...CHAT_READERS, ...PAGER_READERS }, kind)
  if (!isOn(notification.active, true)) draft.skip(what, said('is switched off'))
  else if (!read && kind === '') draft.skip(what, said('there is no contact of the kind that it has'))
  else if (!read) draft.skip(what, said('there is no contact of the kind {kind}', { kind }))
  else {
    const { contacts, fault, notes } = read(config, name)
    if (fault) draft.skip(what, fault)
    const names = contacts.flatMap((contact) => draft.contact(contact) ?? [])
    const all = isOn(notification.is_default ?? notification.isDefault)
      ? [...notes, ATTACHED_BY_DEFAULT]
      : notes
    for (const contact of names) for (const note of all) draft.note(contact, note)
    return names
  }
  return []
}

const ATTACHED_BY_DEFAULT = said(
  'was attached to each new monitor by itself: here a new monitor without contacts alerts every contact',
)
