import { type ContactType, parseConfig } from '../core/alerting/contact.ts'
import { shownLine } from '../core/language/hidden-characters.ts'
import { about, inWords, type Said, said, WHOLE, withoutGot } from '../core/language/said.ts'
import { MAX_NOTE_LENGTH, MAX_WINDOWS } from '../core/maintenance/window.ts'
import type { DeclaredContact, DeclaredMonitor } from '../core/monitors/declaration.ts'
import { pageLabel, TOO_MANY_WINDOWS, unusedName, windowLabel } from '../core/moving-in/names.ts'
import type {
  DraftedPage,
  DraftedWindow,
  Note,
  OldPing,
  Outcome,
  Skipped,
} from '../core/moving-in/outcome.ts'
import { MAX_DESCRIPTION_LENGTH } from '../core/status-pages/status-page.ts'
import { cut } from '../core/text.ts'
import { describe } from '../core/validation.ts'
import { draftMonitor, type MonitorFacts } from './draft-monitor.ts'
import { draftPage, type PageFacts } from './draft-page.ts'
import { draftWindow, type WindowFacts } from './draft-window.ts'
import { boundRecords, boundRemarks, MAX_RECORDS, type Terms } from './outcome.ts'
import { joined } from './reasons.ts'

export type ContactFacts = {
  name: string
  type: ContactType
  config: Record<string, unknown>
  notify_on_down?: boolean
  notify_on_recovery?: boolean
}

/** Collects the result of an import: each record is drafted, or skipped with a reason. */
export type Draft = {
  /** Returns the name under which it was drafted, or null if it was skipped. */
  contact(facts: ContactFacts): string | null
  /** Returns the name under which it was drafted, or null if it was skipped. */
  monitor(facts: MonitorFacts): string | null
  /** Returns the window, or null if it was skipped. Notes on it name it by `windowLabel`. */
  window(facts: WindowFacts): DraftedWindow | null
  /** Returns the name under which it was drafted, or null if it was skipped. Notes on it name it by `pageLabel`. */
  page(facts: PageFacts): string | null
  /** When the import runs. */
  now: Date
  /** `what`: a name, or what is said in its place. */
  skip(what: string | Said, reason: Said): void
  note(what: string | Said, note: Said): void
  outcome(): Outcome
}

export function createDraft(terms: Terms): Draft {
  const contacts = new Map<string, DeclaredContact>()
  const bySettings = new Map<string, string>()
  const monitors = new Map<string, DeclaredMonitor>()
  const windows = new Map<string, DraftedWindow>()
  const pages = new Map<string, DraftedPage>()
  const skipped: Skipped[] = []
  const notes: Note[] = []
  const pings: OldPing[] = []
  const failed = new Set<string>()

  function skip(what: string | Said, reason: Said): void {
    skipped.push({ what: labelOf(what), reason: shown(reason) })
    boundRecords(
      skipped.length,
      said('it has more than {max} records that cannot come over', { max: MAX_RECORDS }),
    )
  }
  // Several alerts of one monitor may add the same note.
  const noted = new Set<string>()
  function note(what: string | Said, text: Said): void {
    const key = JSON.stringify([what, text])
    if (!noted.has(key)) notes.push({ what: labelOf(what), note: shown(text) })
    noted.add(key)
    boundRemarks(notes.length)
  }

  const numbers = new Map<Map<string, unknown>, Map<string, number>>()
  function nameIn(
    taken: Map<string, unknown>,
    wanted: string,
    label: (name: string) => string | Said = (name) => name,
  ): string {
    const given = numbers.get(taken) ?? new Map<string, number>()
    numbers.set(taken, given)
    const name = unusedName(wanted, taken, given)
    if (name !== wanted.trim()) note(label(name), renamed(describe(wanted), wanted, taken))
    return name
  }

  return {
    now: terms.now,
    skip,
    note,
    contact({ name: wanted, type, config, notify_on_down = true, notify_on_recovery = true }) {
      const parsed = parseConfig(type, config)
      if (!parsed.ok) {
        const reason = joined(
          Object.entries(parsed.faults).map(([path, faults]) => reasonOf(config, path, faults, type)),
        )
        // Several monitors may use it.
        const key = JSON.stringify([wanted, reason])
        if (!failed.has(key)) skip(said('contact {name}', { name: wanted }), reason)
        failed.add(key)
        return null
      }
      const settings = { type, config: parsed.value, notify_on_down, notify_on_recovery }
      const key = JSON.stringify(settings)
      const known = bySettings.get(key)
      if (known !== undefined) return known
      const name = nameIn(contacts, wanted)
      contacts.set(name, { ...settings, name })
      bySettings.set(key, name)
      boundRecords(contacts.size, said('it has more than {max} contacts', { max: MAX_RECORDS }))
      return name
    },
    monitor(facts) {
      const { oldPing, ...rest } = facts
      const drafted = draftMonitor(rest, terms)
      if ('fault' in drafted) {
        skip(facts.name, drafted.fault)
        return null
      }
      const name = nameIn(monitors, facts.name)
      for (const text of drafted.notes) note(name, text)
      monitors.set(name, { ...drafted.monitor, name })
      boundRecords(monitors.size, said('it has more than {max} monitors', { max: MAX_RECORDS }))
      if (drafted.monitor.contacts.length === 0) note(name, ALERTS_EVERYBODY)
      if (facts.type === 'heartbeat') pings.push({ monitor: name, address: oldPing ?? null })
      return name
    },
    window(facts) {
      // Judging one takes a while: a file may hold any number.
      if (windows.size === MAX_WINDOWS) {
        skip(windowLabel(facts.name), TOO_MANY_WINDOWS)
        return null
      }
      const drafted = draftWindow({ ...facts, name: unusedName(facts.name, windows) }, terms.now)
      if ('fault' in drafted) {
        skip(windowLabel(facts.name), drafted.fault)
        return null
      }
      const name = nameIn(windows, facts.name, windowLabel)
      windows.set(name, drafted)
      if (facts.note !== undefined && drafted.window.note.length < facts.note.length)
        note(
          windowLabel(name),
          said('has a shorter note here, of {max} characters', { max: MAX_NOTE_LENGTH }),
        )
      return drafted
    },
    page(facts) {
      const drafted = draftPage({ ...facts, name: unusedName(facts.name, pages) })
      if ('fault' in drafted) {
        skip(pageLabel(facts.name), drafted.fault)
        return null
      }
      const name = nameIn(pages, facts.name, pageLabel)
      pages.set(name, drafted)
      boundRecords(pages.size, said('it has more than {max} status pages', { max: MAX_RECORDS }))
      if (drafted.page.description.length < facts.description.length)
        note(
          pageLabel(name),
          said('has a shorter description here, of {max} characters', { max: MAX_DESCRIPTION_LENGTH }),
        )
      return name
    },
    outcome: () => ({
      declaration: { contacts: [...contacts.values()], monitors: [...monitors.values()] },
      windows: [...windows.values()],
      pages: [...pages.values()],
      skipped,
      notes,
      pings,
    }),
  }
}

/** Why a value cannot be taken, without the value: it is a secret, as anyone who knows a webhook's URL can post to it. */
function reasonOf(
  config: Record<string, unknown>,
  path: string,
  faults: readonly Said[],
  type: ContactType,
): Said {
  const value = config[path.replace(/^config\./, '')]
  if (value === undefined || value === null || value === '')
    return about(path, said('is missing in the export'))
  const told = faults.map((fault) => withoutGot(fault))
  const fault = joined(told.map((each) => (WHOLE in each.values ? each : about(path, each))))
  return said('{fault}: that is not what a {contact} contact takes', { fault, contact: type })
}

const MAX_SHOWN_LENGTH = 300

/** Text from an export must neither control the terminal nor fill it. */
function shownText(text: string): string {
  return cut(shownLine(text), MAX_SHOWN_LENGTH)
}

function shown({ text, values }: Said): Said {
  const filled = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return [name, shownText(value)]
    return [name, value !== null && typeof value === 'object' ? shown(value) : value]
  })
  return { text, values: Object.fromEntries(filled) }
}

function labelOf(what: string | Said): Said {
  return shown(typeof what === 'string' ? inWords(what) : what)
}

const ALERTS_EVERYBODY = said('has no contacts of its own: here, every contact of the team is alerted then')

function renamed(name: string, wanted: string, taken: Map<string, unknown>): Said {
  if (taken.has(wanted.trim())) return said('is called so here: the name {name} is taken', { name })
  if (wanted.trim() === '') return said('is called so here: the name {name} is empty', { name })
  return said('is called so here: the name {name} is too long, or has characters that a name cannot have', {
    name,
  })
}
