import type { OperationId } from '../../contract/contract.ts'
import type { Contact } from '../../core/alerting/contact.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import type { Change, Existing } from '../../core/monitors/reconcile.ts'
import { TOO_MANY } from '../../core/moving-in/create.ts'
import type { MonitorTags } from '../../core/tags/tag-change.ts'
import { askAll, askData, type Client, Refused } from '../client/client.ts'
import { reasonOf } from '../output.ts'
import { changeTeamSettings, readTeamSettings } from '../team-settings.ts'
import { changeName } from './diff.ts'

export async function readExisting(client: Client): Promise<Existing> {
  const contacts = await askAll<Contact>(client, 'listContacts')
  const monitors = await askAll<Monitor>(client, 'listMonitors')
  return { team: await readTeamSettings(client), contacts, monitors, tags: await readTags(client) }
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
  { contacts, monitors }: Existing,
  report: (line: string, change: Change) => void,
): Promise<void> {
  const contactIds = new Map(contacts.map(({ name, id }) => [name, id]))
  const monitorIds = new Map(monitors.map(({ name, id }) => [name, id]))
  // Those that monitors depend on are there before, and are deleted after.
  const deletions = changes.filter(({ action }) => action === 'delete')
  const others = changes.filter(({ action }) => action !== 'delete')
  let done = 0
  async function applyEach(some: Change[]) {
    for (const change of some) {
      try {
        report(await applyChange(client, change, { contactIds, monitorIds }), change)
      } catch (error) {
        throw new Stopped(change, done, changes.length, error)
      }
      done++
    }
  }
  await applyEach(membersFirst(others))
  await applyLinks(client, others, monitorIds, done, changes.length)
  await applyEach(deletions)
}

/** Sets what monitors depend on, and who is in groups. A cycle with links that another change removes is refused at first. */
async function applyLinks(
  client: Client,
  changes: Change[],
  ids: ReadonlyMap<string, number>,
  done: number,
  all: number,
): Promise<void> {
  let left = changes.filter((change) => parentsOf(change) !== null || newMembersOf(change) !== null)
  while (left.length > 0) {
    const refused: { change: Change; error: unknown }[] = []
    for (const change of left) {
      const idsOf = (names: string[] | null) => names?.map((name) => ids.get(name) as number)
      const [depends_on, members] = [idsOf(parentsOf(change)), idsOf(newMembersOf(change))]
      const options = {
        ...(depends_on && { depends_on: depends_on.length > 0 ? depends_on : null }),
        ...(members && { members }),
      }
      const body = { options }
      const params = { monitor: ids.get(change.name) as number }
      try {
        await askData(client, 'updateMonitor', { params, body })
      } catch (error) {
        refused.push({ change, error })
      }
    }
    const [first] = refused
    if (first && refused.length === left.length) throw new Stopped(first.change, done, all, first.error)
    left = refused.map(({ change }) => change)
  }
}

/** The names that a monitor is to depend on; null where that does not change. */
function parentsOf(change: Change): string[] | null {
  if (change.kind !== 'monitor' || change.action === 'delete') return null
  return change.action === 'create' ? (change.declared.depends_on ?? null) : change.parents
}

/** The names that a group is to have as members; null where that does not change, or it was made with them. */
function newMembersOf(change: Change): string[] | null {
  return change.kind === 'monitor' && change.action === 'update' ? change.members : null
}

/** In their order, but that a group is made after its members. */
function membersFirst(changes: Change[]): Change[] {
  const made = new Map(changes.filter(isCreation).map((change) => [change.name, change]))
  const sorted = new Set<Change>()
  const begun = new Set<Change>()
  function add(change: Change) {
    if (begun.has(change)) return
    begun.add(change)
    for (const name of isCreation(change) ? (change.declared.members ?? []) : []) {
      const member = made.get(name)
      if (member) add(member)
    }
    sorted.add(change)
  }
  changes.forEach(add)
  return [...sorted]
}

function isCreation(change: Change): change is Change & { kind: 'monitor'; action: 'create' } {
  return change.kind === 'monitor' && change.action === 'create'
}

/** Applies one change and returns a line about it. Adds new records to the IDs. */
async function applyChange(
  client: Client,
  change: Change,
  { contactIds, monitorIds }: { contactIds: Map<string, number>; monitorIds: Map<string, number> },
): Promise<string> {
  const idsOf = (names: string[]) => names.map((name) => contactIds.get(name) as number)
  const { action, kind } = change
  if (kind === 'team') {
    await changeTeamSettings(client, change.patch)
    return `changed ${changeName(change)}`
  }
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
    const { contacts, tags, depends_on: _, members, ...settings } = change.declared
    const ids = members?.flatMap((name) => monitorIds.get(name) ?? [])
    const options = ids ? { ...settings.options, members: ids } : settings.options
    const body = { ...settings, options, notification_contact_ids: idsOf(contacts) }
    const { id } = await askData<Monitor>(client, 'createMonitor', { body })
    monitorIds.set(change.name, id)
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
