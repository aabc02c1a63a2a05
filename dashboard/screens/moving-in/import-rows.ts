import { english, type Said, WHOLE } from '../../../src/core/language/said.ts'
import { windowInWords } from '../../../src/core/maintenance/window-words.ts'
import { targetOf } from '../../../src/core/monitors/target.ts'
import { contactsLeftOut, type LeftOut, rowKey } from '../../../src/core/moving-in/choose.ts'
import type { Created, MovedKind } from '../../../src/core/moving-in/create.ts'
import type { Matches } from '../../../src/core/moving-in/match.ts'
import { pageLabel, windowLabel } from '../../../src/core/moving-in/names.ts'
import type { Note } from '../../../src/core/moving-in/outcome.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import { capitalized } from '../../../src/core/text.ts'
import { sayKindCount } from '../../data/subjects/shown-kinds.ts'
import { say } from '../../language/faults.ts'
import { LOCALE, t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { CONTACT_CARDS } from '../../parts/contact-type.tsx'
import { sayInterval } from '../../parts/figures.ts'
import { typeWord } from '../../parts/monitors/type-word.ts'

/** A record of an import, and what becomes of it. `missing`: it is created, once the button is pressed. */
export type ImportRow = {
  kind: MovedKind
  key: string
  name: string
  type: string
  /** The target of its checks, its times, or its place. */
  address: string | null
  details: string
  is: 'missing' | 'left out' | 'without contact' | 'created' | 'existing'
  /** The record, if it is there. */
  id: number | null
  /** Why it was not created, or will not be. */
  reason: string | null
  notes: string[]
}

export type Progress = { leftOut: LeftOut; created: Created | null }

/** Each record of an import, in the order in which they are created. */
export function rowsOf(matches: Matches, notes: readonly Note[], progress: Progress): ImportRow[] {
  const attempt = attemptOf(progress.created)
  const notesBy = Map.groupBy(notes, ({ what }) => english(what))
  const finish = (row: Pick<ImportRow, 'kind' | 'name'>, existing: { id: number } | null, label: string) => ({
    key: rowKey(row.kind, row.name),
    ...fateOf(row, existing, progress.leftOut, attempt),
    notes: (notesBy.get(label) ?? []).map(({ note }) => capitalized(say(note))),
  })
  const monitors = matches.monitors.map(({ wanted, existing }): ImportRow => {
    const row = { kind: 'monitor' as const, name: wanted.name }
    const told = finish(row, existing, wanted.name)
    const lost = told.is === 'missing' ? contactsLeftOut(matches, wanted, progress.leftOut) : []
    return {
      ...row,
      type: typeWord(wanted.type),
      address: targetOf(wanted),
      details: sayDetails([
        wanted.members
          ? sayKindCount('monitor', wanted.members.length)
          : (wanted.options?.schedule ?? sayInterval(intervalSecondsOf(wanted))),
        wanted.is_active ? null : t('Paused'),
        wanted.contacts.length > 0 ? sayList(wanted.contacts) : t('Every contact'),
        ...(wanted.tags ?? []),
      ]),
      ...told,
      ...(lost.length > 0 && {
        is: 'without contact' as const,
        reason: t('Needs {names}, which you left out.', { names: sayList(lost) }),
      }),
    }
  })
  const contacts = matches.contacts.map(({ wanted, existing }): ImportRow => {
    const row = { kind: 'contact' as const, name: wanted.name }
    const { label } = CONTACT_CARDS[wanted.type]
    return { ...row, type: label, address: null, details: '', ...finish(row, existing, wanted.name) }
  })
  const windows = matches.windows.map(({ wanted: { window, monitors: covered, coversAll }, existing }) => {
    const row = { kind: 'window' as const, name: window.name }
    return {
      ...row,
      type: t('Maintenance window'),
      address: windowInWords(window, t, { zone: zoneHere(), locale: LOCALE }),
      details: coversAll ? t('Everything') : sayKindCount('monitor', covered.length),
      ...finish(row, existing, english(windowLabel(window.name))),
    }
  })
  const pages = matches.pages.map(({ wanted: { page, groups, isPublished }, existing }) => {
    const row = { kind: 'page' as const, name: page.name }
    const shown = groups.reduce((sum, { monitors: listed }) => sum + listed.length, 0)
    return {
      ...row,
      type: t('Status page'),
      address: `/status/${page.slug}`,
      details: sayDetails([
        sayKindCount('monitor', shown),
        isPublished ? t('published at once') : t('not published'),
      ]),
      ...finish(row, existing, english(pageLabel(page.name))),
    }
  })
  return [...monitors, ...contacts, ...windows, ...pages]
}

/** Notes on nothing that has a row. */
export function otherNotes(matches: Matches, notes: readonly Note[]): Note[] {
  const labels = new Set([
    ...[...matches.monitors, ...matches.contacts].map(({ wanted }) => wanted.name),
    ...matches.windows.map(({ wanted }) => english(windowLabel(wanted.window.name))),
    ...matches.pages.map(({ wanted }) => english(pageLabel(wanted.page.name))),
  ])
  return notes.filter(({ what }) => !labels.has(english(what)))
}

function fateOf(
  { kind, name }: Pick<ImportRow, 'kind' | 'name'>,
  existing: { id: number } | null,
  leftOut: LeftOut,
  { made, ids, refused }: Attempt,
): Pick<ImportRow, 'is' | 'id' | 'reason'> {
  const key = rowKey(kind, name)
  const reason = refused.get(key) ?? null
  const id = existing?.id ?? made.get(key) ?? null
  // One that an attempt made is found by the next as one that is there.
  if (id !== null && ids.has(rowKey(kind, String(id))))
    return { is: reason === null ? 'created' : 'missing', id, reason }
  if (existing) return { is: 'existing', id, reason: null }
  return leftOut.has(key) ? { is: 'left out', id: null, reason: null } : { is: 'missing', id: null, reason }
}

/** Records that were made so far, by the keys of their rows and by kind and id, and why the rest was not. */
type Attempt = { made: Map<string, number>; ids: Set<string>; refused: Map<string, string> }

const PLACES = { contact: 'contacts', monitor: 'monitors', window: 'windows', page: 'pages' } as const
const KINDS = Object.keys(PLACES) as MovedKind[]

function attemptOf(created: Created | null): Attempt {
  const made = KINDS.flatMap((kind) =>
    [...(created?.[PLACES[kind]] ?? [])].map(([name, { id }]) => ({ kind, name, id })),
  )
  return {
    made: new Map(made.map(({ kind, name, id }) => [rowKey(kind, name), id])),
    ids: new Set(made.map(({ kind, id }) => rowKey(kind, String(id)))),
    refused: new Map(
      created?.refused.map(({ kind, name, reason }) => [rowKey(kind, name), say(reason)]) ?? [],
    ),
  }
}

function sayDetails(details: readonly (string | null)[]): string {
  return details.filter((detail) => detail !== null).join(' · ')
}

function zoneHere(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Sentences with what they are about, each sentence once. */
export function byReason(said: readonly { what: Said; why: Said }[]): { reason: string; names: string[] }[] {
  const grouped = Map.groupBy(said, ({ why }) => say(why))
  return [...grouped].map(([reason, all]) => ({
    reason: capitalized(reason),
    // A name stays as it is; other labels begin a line.
    names: all.map(({ what }) => (WHOLE in what.values ? say(what) : capitalized(say(what)))),
  }))
}
