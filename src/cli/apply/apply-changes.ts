import type { OperationId } from '../../contract/contract.ts'
import type { Contact } from '../../core/alerting/contact.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import type { Change, Existing } from '../../core/monitors/reconcile.ts'
import { TOO_MANY } from '../../core/moving-in/create.ts'
import type { MonitorTags } from '../../core/tags/tag-change.ts'
import { askAll, askData, type Client, Refused } from '../client/client.ts'
import { reasonOf } from '../output.ts'
import { changeName } from './diff.ts'

export async function readExisting(client: Client): Promise<Existing> {
  const contacts = await askAll<Contact>(client, 'listContacts')
  const monitors = await askAll<Monitor>(client, 'listMonitors')
  return { contacts, monitors, tags: await readTags(client) }
}

/** The tags of all monitors of the team; null over HTTP, where there are none. */
async function readTags({ internal }: Client): Promise<Map<number, string[]> | null> {
  if (!internal) return null
  const tags = await askData<MonitorTags[], OperationId>(internal, 'listMonitorTags')
  return new Map(tags.map((monitor) => [monitor.id, monitor.tags]))
}

/** Nothing over HTTP, where there are none. */
export async function setTags(
  { internal }: Client,
  monitor: number,
  tags: string[] | null | undefined,
): Promise<void> {
  if (!internal || !tags) return
  await askData<unknown, OperationId>(internal, 'setMonitorTags', { params: { monitor }, body: { tags } })
}

/** A refused change, and the progress before it. It is safe to run the rest later. */
export class Stopped extends Error {
  readonly change: Change
  readonly how: string

  constructor(change: Change, done: number, all: number, cause: unknown) {
    const held =
      cause instanceof Refused && cause.status === TOO_MANY
        ? `${all - done} of ${all} changes are held back. `
        : ''
    const how =
      done === 0
        ? `${held}Nothing was changed.`
        : `${held}Stopped after ${done} of ${all} changes; run it again to go on.`
    super(`${changeName(change)}: ${reasonOf(cause)}\n${how}`, { cause })
    this.change = change
    this.how = how
  }
}

/** Applies changes in order and reports each. Throws a Stopped when one is refused. */
export async function applyChanges(
  client: Client,
  changes: Change[],
  { contacts }: Existing,
  report: (line: string, change: Change) => void,
): Promise<void> {
  const contactIds = new Map(contacts.map(({ name, id }) => [name, id]))
  for (const [done, change] of changes.entries()) {
    try {
      report(await applyChange(client, change, contactIds), change)
    } catch (error) {
      throw new Stopped(change, done, changes.length, error)
    }
  }
}

/** Applies one change and returns a line about it. Adds new contacts to `contactIds`. */
async function applyChange(client: Client, change: Change, contactIds: Map<string, number>): Promise<string> {
  const idsOf = (names: string[]) => names.map((name) => contactIds.get(name) as number)
  const { action, kind } = change
  if (action === 'delete') {
    const params = kind === 'contact' ? { notificationContact: change.id } : { monitor: change.id }
    await askData(client, kind === 'contact' ? 'deleteContact' : 'deleteMonitor', { params })
    return `deleted ${changeName(change)} (${change.id})`
  }
  if (action === 'create' && kind === 'contact') {
    const { id } = await askData<Contact>(client, 'createContact', { body: change.declared })
    contactIds.set(change.name, id)
    return `created ${changeName(change)} (${id})`
  }
  if (action === 'create') {
    const { contacts, tags, ...settings } = change.declared
    const body = { ...settings, notification_contact_ids: idsOf(contacts) }
    const { id } = await askData<Monitor>(client, 'createMonitor', { body })
    if (tags && tags.length > 0) await setTags(client, id, tags)
    return `created ${changeName(change)} (${id})`
  }
  if (kind === 'contact') {
    await askData(client, 'updateContact', { params: { notificationContact: change.id }, body: change.patch })
  } else {
    const { patch, contacts } = change
    const body = { ...patch, ...(contacts && { notification_contact_ids: idsOf(contacts) }) }
    if (Object.keys(body).length > 0)
      await askData(client, 'updateMonitor', { params: { monitor: change.id }, body })
    await setTags(client, change.id, change.tags)
  }
  return `changed ${changeName(change)} (${change.id})`
}
