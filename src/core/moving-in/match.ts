import type { Contact } from '../alerting/contact.ts'
import { inWords, said } from '../language/said.ts'
import { MAX_WINDOWS } from '../maintenance/window.ts'
import { windowInWords } from '../maintenance/window-words.ts'
import type { DeclaredContact, DeclaredMonitor } from '../monitors/declaration.ts'
import type { Monitor } from '../monitors/monitor.ts'
import { pageLabel, TOO_MANY_WINDOWS, unusedName, windowLabel } from './names.ts'
import type { DraftedPage, DraftedWindow, Note, Outcome, Skipped } from './outcome.ts'

export type Matched<Wanted, Kept> = { wanted: Wanted; existing: Kept | null }

/** The records of an import, each with its counterpart in the team, or null if it is to be created. */
export type Matches = {
  contacts: Matched<DeclaredContact, Contact>[]
  monitors: Matched<DeclaredMonitor, Monitor>[]
  windows: Matched<DraftedWindow, KnownWindow>[]
  pages: Matched<DraftedPage, KnownPage>[]
  skipped: Skipped[]
  notes: Note[]
}

/** A maintenance window of the team. */
export type KnownWindow = { id: number; name: string }

/** A status page of the team. */
export type KnownPage = { id: number; slug: string }

type TeamRecords = {
  contacts: Contact[]
  monitors: Monitor[]
  /** Null where they are out of reach: the API has none. */
  windows: KnownWindow[] | null
  /** The same. */
  pages: KnownPage[] | null
}

/**
 * Matches an import with the team's records, so that it creates no duplicates. Monitors and windows match by
 * name, contacts by name and type or by config, status pages by the last part of their address. Existing records are not
 * changed.
 */
export function matchWithTeam(outcome: Outcome, team: TeamRecords): Matches {
  const { declaration, windows: drafted } = outcome
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
        what: inWords(name),
        note: said('is called so here: the team has another contact called {name}', { name: contact.name }),
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
  const imported = new Set(declaration.monitors.map(({ name }) => name))
  const isAlone = team.monitors.every(({ name }) => imported.has(name))
  const { windows, ...told } = matchWindows(drafted, team.windows, isAlone)
  const { pages, skipped } = matchPages(outcome.pages, team.pages)
  const losesTags = team.windows === null && declaration.monitors.some(({ tags }) => tags)
  if (losesTags) skipped.push({ what: said('tags'), reason: NO_TAGS })
  return {
    contacts,
    monitors,
    windows,
    pages,
    skipped: [...told.skipped, ...skipped],
    notes: [...notes, ...told.notes],
  }
}

function matchPages(drafted: DraftedPage[], known: KnownPage[] | null): Pick<Matches, 'pages' | 'skipped'> {
  if (known === null) {
    const skipped = drafted.map(({ page }) => ({
      what: pageLabel(page.name),
      reason: NO_PAGES,
    }))
    return { pages: [], skipped }
  }
  const bySlug = new Map(known.map((page) => [page.slug, page]))
  const pages = drafted.map((wanted) => ({ wanted, existing: bySlug.get(wanted.page.slug) ?? null }))
  return { pages, skipped: [] }
}

/** `isAlone`: the team has no monitors but those of the import. */
function matchWindows(
  drafted: DraftedWindow[],
  known: KnownWindow[] | null,
  isAlone: boolean,
): Pick<Matches, 'windows' | 'skipped' | 'notes'> {
  if (known === null) {
    const skipped = drafted.map(({ window }) => ({
      what: windowLabel(`${window.name} (${windowInWords(window)})`),
      reason: NO_WINDOWS,
    }))
    return { windows: [], skipped, notes: [] }
  }
  const byName = new Map(known.map((window) => [window.name, window]))
  const skipped: Skipped[] = []
  const notes: Note[] = []
  let room = MAX_WINDOWS - known.length
  const windows = drafted.flatMap((wanted) => {
    const what = windowLabel(wanted.window.name)
    const existing = byName.get(wanted.window.name) ?? null
    if (existing === null && room-- <= 0) {
      skipped.push({ what, reason: TOO_MANY_WINDOWS })
      return []
    }
    if (!wanted.coversAll) return [{ wanted, existing }]
    if (!isAlone && existing === null) notes.push({ what, note: NOT_ALL })
    return [{ wanted: { ...wanted, coversAll: isAlone }, existing }]
  })
  return { windows, skipped, notes }
}

const NO_PAGES = said(
  'the API has no status pages: import once more on the machine of the service, with --team and --email',
)
const NO_WINDOWS = said(
  'the API has no maintenance windows: import once more on the machine of the service, with --team and --email',
)
const NO_TAGS = said(
  'the API has no tags: import on the machine of the service, with --team and --email, or add them in the dashboard',
)
const NOT_ALL = said(
  'covered everything: here it covers the monitors that came over, as the team has others, and none that is added later',
)

function alertsTheSame(existing: Contact, { type, config }: DeclaredContact): boolean {
  const wanted = Object.entries(config)
  return existing.type === type && wanted.every(([key, value]) => existing.config[key] === value)
}
