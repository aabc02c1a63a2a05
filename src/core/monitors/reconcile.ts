import type { Contact, ContactPatch } from '../alerting/contact.ts'
import { MASK, maskUrl } from '../teams/access.ts'
import { SETTINGS_NEED_MACHINE, type TeamSettings, type TeamSettingsPatch } from '../teams/team-settings.ts'
import {
  type Declaration,
  type DeclaredContact,
  type DeclaredMonitor,
  withLinksByName,
} from './declaration.ts'
import type { Monitor, MonitorPatch } from './monitor.ts'
import { changedOptions } from './options/monitor-options.ts'
import { asShown } from './options/secret-options.ts'
import { secrecyOf } from './secret-settings.ts'

/** The current records of a team. `team`, and `tags` of monitors by ID, are null where only the API is asked, which has none. */
export type Existing = {
  team: TeamSettings | null
  contacts: Contact[]
  monitors: Monitor[]
  tags: ReadonlyMap<number, string[]> | null
}

/** A changed field; `field` is a path such as `config.url`. Mask secrets and values of variables before showing it. */
export type FieldChange = { field: string; from: unknown; to: unknown }

type Kind = 'contact' | 'monitor'
type Named = { kind: Kind; name: string }

/** A change to one record. `index` is its position in the file's list of its kind. */
export type Change =
  | ({ action: 'create'; index: number; kind: 'contact'; declared: DeclaredContact } & Named)
  | ({ action: 'create'; index: number; kind: 'monitor'; declared: DeclaredMonitor } & Named)
  | ({ action: 'update'; index: number; id: number; fields: FieldChange[] } & Named &
      (
        | { kind: 'contact'; patch: ContactPatch }
        | {
            kind: 'monitor'
            patch: MonitorPatch
            contacts: string[] | null
            tags: string[] | null
            parents: string[] | null
            members: string[] | null
          }
      ))
  | ({ action: 'delete'; id: number } & Named)
  | { action: 'update'; kind: 'team'; name: string; fields: FieldChange[]; patch: TeamSettingsPatch }

/** The place of a change in the file. */
export function placeOf(change: Exclude<Change, { action: 'delete' }>): string {
  return change.kind === 'team' ? 'team' : `${change.kind}s.${change.index}`
}

export type Reconciliation = {
  /** In the order to apply them: settings of the team, contacts, monitors, deletions. */
  changes: Change[]
  /** Records of the team that are not declared and are kept. */
  undeclared: (Named & { id: number })[]
  /** Remarks for people about values that cannot be compared. */
  notes: string[]
  /** Reasons why the declaration cannot be applied, with paths in it. */
  faults: { path: string; message: string }[]
  unchanged: number
}

const TAGS_NEED_MACHINE =
  'tags are not part of the API: apply them on the machine of the service, with --team and --email (docs/tags.md)'

export type ReconcileOptions = {
  /** Delete records that are not declared. */
  prune?: boolean
  /** Send passwords to monitors that have one. They cannot be read back, and so not compared. */
  passwords?: boolean
}

/** Compares a declaration with a team's records. An applied declaration leaves no changes. */
export function reconcile(
  declaration: Declaration,
  existing: Existing,
  { prune = false, passwords = false }: ReconcileOptions = {},
): Reconciliation {
  const found: Reconciliation = { changes: [], undeclared: [], notes: [], faults: [], unchanged: 0 }
  const contacts = Map.groupBy(existing.contacts, ({ name }) => name)
  const monitors = Map.groupBy(existing.monitors, ({ name }) => name)
  const names = new Map(existing.monitors.map(({ id, name }) => [id, name]))
  const declared = new Set(declaration.contacts.map(({ name }) => name))
  const declaredMonitors = new Set(declaration.monitors.map(({ name }) => name))
  compareTeam(declaration.team, existing.team, found)
  declaration.contacts.forEach((contact, index) => {
    const twin = twinOf('contact', contact, contacts.get(contact.name) ?? [], index, found)
    if (twin) settle(found, compareContact(contact, twin, index))
  })
  declaration.monitors.forEach((monitor, index) => {
    const countOf = (name: string) => (declared.has(name) ? 1 : (contacts.get(name)?.length ?? 0))
    refuseUnknownNames(
      monitor.contacts,
      { path: `monitors.${index}.contacts`, kind: 'contact', countOf },
      found,
    )
    const countOfParent = (name: string) =>
      declaredMonitors.has(name) ? 1 : prune ? 0 : (monitors.get(name)?.length ?? 0)
    const parents = { path: `monitors.${index}.depends_on`, kind: 'monitor', countOf: countOfParent } as const
    refuseUnknownNames(monitor.depends_on ?? [], parents, found)
    refuseUnknownNames(monitor.members ?? [], { ...parents, path: `monitors.${index}.members` }, found)
    if (monitor.tags && !existing.tags)
      found.faults.push({ path: `monitors.${index}.tags`, message: TAGS_NEED_MACHINE })
    const twin = twinOf('monitor', monitor, monitors.get(monitor.name) ?? [], index, found)
    if (!twin) return
    const had = existing.tags?.get(twin.id) ?? []
    settle(
      found,
      compareMonitor(monitor, withNames({ ...twin, tags: had }, names), index, passwords, found.notes),
    )
  })
  const rest = [
    ...undeclared('monitor', existing.monitors, new Set(declaration.monitors.map(({ name }) => name))),
    // A contact that a declared monitor names is kept, even if it is not declared itself.
    ...undeclared('contact', existing.contacts, contactNames(declaration)),
  ]
  if (prune) found.changes.push(...rest.map((named) => ({ ...named, action: 'delete' as const })))
  else found.undeclared.push(...rest)
  return found
}

function compareTeam(
  declared: TeamSettingsPatch | undefined,
  existing: TeamSettings | null,
  found: Reconciliation,
): void {
  if (!declared) return
  if (!existing) return void found.faults.push({ path: 'team', message: SETTINGS_NEED_MACHINE })
  const fields = differences(declared, existing)
  const patch: TeamSettingsPatch = Object.fromEntries(fields.map(({ field, to }) => [field, to]))
  settle(
    found,
    fields.length === 0 ? null : { action: 'update', kind: 'team', name: 'settings', fields, patch },
  )
}

/** Finds the record with a declared name. Otherwise returns null and adds a change to create it, or a fault. */
function twinOf<T extends { id: number; name: string; type: string }>(
  kind: Kind,
  declared: DeclaredContact | DeclaredMonitor,
  [twin, ...others]: T[],
  index: number,
  found: Reconciliation,
): T | null {
  const { name, type } = declared
  const path = `${kind}s.${index}`
  if (!twin) {
    found.changes.push({ action: 'create', kind, name, index, declared } as Change)
    return null
  }
  if (others.length > 0) {
    const ids = [twin, ...others].map(({ id }) => id).join(', ')
    const message = `${JSON.stringify(name)} is the name of several ${kind}s (${ids}): rename or delete some first`
    found.faults.push({ path: `${path}.name`, message })
    return null
  }
  if (twin.type !== type) {
    const message = `${JSON.stringify(name)} is of type ${twin.type}, which cannot become ${type}: choose another name, or delete ${kind} ${twin.id} first`
    found.faults.push({ path: `${path}.type`, message })
    return null
  }
  return twin
}

function settle(found: Reconciliation, change: Change | null): void {
  if (change) found.changes.push(change)
  else found.unchanged++
}

function compareContact(declared: DeclaredContact, existing: Contact, index: number): Change | null {
  const { name, type, config, ...settings } = declared
  const values: Contact['config'] = config
  const configChanges = Object.keys({ ...existing.config, ...values })
    .filter((key) => !sameSecret(values[key] ?? '', existing.config[key]))
    .map((key) => ({ field: `config.${key}`, from: existing.config[key], to: values[key] }))
  const fields = [...configChanges, ...differences(settings, existing)]
  if (fields.length === 0) return null
  const plain = fields.filter(({ field }) => !field.startsWith('config.'))
  const patch: ContactPatch = {
    ...Object.fromEntries(plain.map(({ field, to }) => [field, to])),
    ...(configChanges.length > 0 && { config }),
  }
  const { id } = existing
  return { action: 'update', kind: 'contact', name, id, index, fields, patch }
}

function compareMonitor(
  declared: DeclaredMonitor,
  existing: Monitor & { tags: string[]; depends_on: string[]; members: string[] },
  index: number,
  sendPasswords: boolean,
  notes: string[],
): Change | null {
  const {
    name,
    type,
    password,
    contacts,
    depends_on: parents = [],
    members,
    tags,
    options,
    ...settings
  } = declared
  const fields = differences(settings, existing)
  const losesPassword = existing.username !== null && settings.username === null
  const isForAnother = settings.username !== existing.username
  const sendsPassword = password !== null && (sendPasswords || !existing.has_password || isForAnother)
  if (sendsPassword) fields.push({ field: 'password', from: existing.has_password ? MASK : null, to: MASK })
  else if (password !== null)
    notes.push(`${name}: its password is kept as it is (--passwords sends it again)`)
  else if (existing.has_password && !losesPassword) notes.push(`${name}: has a password that is not declared`)
  const attached = existing.notification_contacts.map((contact) => contact.name)
  const attachesOthers = !sameSet(contacts, attached)
  if (attachesOthers) fields.push({ field: 'contacts', from: attached, to: contacts })
  const hasOtherParents = !sameSet(parents, existing.depends_on)
  if (hasOtherParents) fields.push({ field: 'depends_on', from: existing.depends_on, to: parents })
  const hasOtherMembers = members !== undefined && !sameSet(members, existing.members)
  if (hasOtherMembers) fields.push({ field: 'members', from: existing.members, to: members })
  const hasOtherTags = tags !== undefined && !sameSet(tags, existing.tags)
  if (hasOtherTags) fields.push({ field: 'tags', from: existing.tags, to: tags })
  const otherOptions = changedOptions(
    existing.options,
    sendPasswords ? options : asShown(options, existing.options),
  ).filter((option) => option !== 'members' || members === undefined)
  for (const key of otherOptions)
    fields.push({ field: `options.${key}`, from: existing.options?.[key], to: options?.[key] })
  if (fields.length === 0) return null
  const patch = Object.fromEntries(fields.filter(isSent).map(({ field, to }) => [field, to])) as MonitorPatch
  // Without seconds, minutes would clear the exact seconds.
  if (patch.check_interval_minutes !== undefined)
    patch.check_interval_seconds = settings.check_interval_seconds
  if (sendsPassword) patch.password = password
  if (otherOptions.length > 0)
    patch.options = Object.fromEntries(otherOptions.map((key) => [key, options?.[key] ?? null]))
  const changedContacts = attachesOthers ? contacts : null
  const { id } = existing
  const changed = {
    contacts: changedContacts,
    tags: hasOtherTags ? tags : null,
    parents: hasOtherParents ? parents : null,
    members: hasOtherMembers ? members : null,
  }
  return { action: 'update', kind: 'monitor', name, id, index, fields, patch, ...changed }
}

function withNames<M extends Monitor>(monitor: M, names: ReadonlyMap<number, string>) {
  const { options, parents, members } = withLinksByName(monitor.options, names)
  return { ...monitor, options, depends_on: parents, members }
}

function isSent({ field }: FieldChange): boolean {
  return (
    !['contacts', 'depends_on', 'members', 'password', 'tags'].includes(field) &&
    !field.startsWith('options.')
  )
}

function differences(declared: object, existing: object): FieldChange[] {
  return Object.entries(declared)
    .map(([field, to]) => ({ field, from: (existing as Record<string, unknown>)[field], to: to as unknown }))
    .filter(({ field, from, to }) => !isSame(field, to, from))
}

/** Secrets of monitors may be masked. */
function isSame(field: string, declared: unknown, shown: unknown): boolean {
  switch (secrecyOf(field)) {
    case 'values':
      return sameValues(declared as Values, shown as Values)
    case 'whole':
      return declared === shown || (declared !== null && shown === MASK)
    default:
      return JSON.stringify(declared) === JSON.stringify(shown)
  }
}

/** A masked value counts as equal if the declared one would be masked in the same way. */
function sameSecret(declared: string, shown: string | undefined): boolean {
  if (declared === shown) return true
  if (shown === MASK) return true
  return shown?.endsWith(`/${MASK}`) === true && URL.canParse(declared) && maskUrl(declared) === shown
}

type Values = Record<string, string> | null

function sameValues(declared: Values, shown: Values): boolean {
  const names = Object.keys(declared ?? {})
  if (!sameSet(names, Object.keys(shown ?? {}))) return false
  return names.every((name) => sameSecret(declared?.[name] ?? '', shown?.[name]))
}

function sameSet(one: string[], other: string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
}

function contactNames({ contacts, monitors }: Declaration): Set<string> {
  return new Set([...contacts.map(({ name }) => name), ...monitors.flatMap((monitor) => monitor.contacts)])
}

function undeclared(kind: Kind, records: { id: number; name: string }[], names: Set<string>) {
  return records.filter(({ name }) => !names.has(name)).map(({ id, name }) => ({ kind, id, name }))
}

/** Refuses names at a path of the file that no record has, or several have. */
function refuseUnknownNames(
  names: readonly string[],
  { path, kind, countOf }: { path: string; kind: Kind; countOf: (name: string) => number },
  found: Reconciliation,
): void {
  names.forEach((name, position) => {
    const count = countOf(name)
    if (count === 1) return
    const message =
      count === 0
        ? `${JSON.stringify(name)} is no ${kind} of the file or the team`
        : `${JSON.stringify(name)} is the name of ${count} ${kind}s: rename some first`
    found.faults.push({ path: `${path}.${position}`, message })
  })
}
