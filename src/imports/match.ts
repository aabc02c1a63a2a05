import type { Contact } from '../core/alerting/contact.ts'
import type { DeclaredContact, DeclaredMonitor } from '../core/monitors/declaration.ts'
import type { Monitor } from '../core/monitors/monitor.ts'
import { unusedName } from './names.ts'
import type { Note, Outcome } from './outcome.ts'

export type Matched<Wanted, Kept> = { wanted: Wanted; existing: Kept | null }

/** The records of an import, each with its counterpart in the team, or null if it is to be created. */
export type Matches = {
  contacts: Matched<DeclaredContact, Contact>[]
  monitors: Matched<DeclaredMonitor, Monitor>[]
  notes: Note[]
}

/**
 * Matches an import with the team's records, so that it creates no duplicates. Monitors match by name, contacts by
 * name and type or by config. Existing records are not changed.
 */
export function matchWithTeam(
  { declaration }: Outcome,
  team: { contacts: Contact[]; monitors: Monitor[] },
): Matches {
  const notes: Note[] = []
  const taken = new Set(team.contacts.map(({ name }) => name))
  const names = new Map<string, string>()
  const contacts = declaration.contacts.map((contact) => {
    // An earlier import may have created it under this name.
    const beside = `${contact.name} (${contact.type})`
    const existing =
      team.contacts.find(({ name, type }) => name === contact.name && type === contact.type) ??
      team.contacts.find((other) => alertsTheSame(other, contact)) ??
      team.contacts.find(({ name, type }) => name === beside && type === contact.type) ??
      null
    const name = existing || !taken.has(contact.name) ? contact.name : unusedName(beside, taken)
    if (name !== contact.name) {
      notes.push({
        what: name,
        note: `is called so here: the team has another contact called ${contact.name}`,
      })
    }
    taken.add(name)
    names.set(contact.name, name)
    return { wanted: { ...contact, name }, existing }
  })
  const byName = new Map(team.monitors.map((monitor) => [monitor.name, monitor]))
  const monitors = declaration.monitors.map((monitor) => ({
    wanted: { ...monitor, contacts: monitor.contacts.map((name) => names.get(name) ?? name) },
    existing: byName.get(monitor.name) ?? null,
  }))
  return { contacts, monitors, notes }
}

function alertsTheSame(existing: Contact, { type, config }: DeclaredContact): boolean {
  const wanted = Object.entries(config)
  return existing.type === type && wanted.every(([key, value]) => existing.config[key] === value)
}
