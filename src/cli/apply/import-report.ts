import { windowInWords } from '../../core/maintenance/window-words.ts'
import { intervalSecondsOf } from '../../core/monitors/monitor.ts'
import { targetOf } from '../../core/monitors/target.ts'
import type { Team } from '../../core/teams/team.ts'
import { describeSeconds } from '../../imports/intervals.ts'
import type { ImportKind } from '../../imports/kinds.ts'
import type { Matched, Matches } from '../../imports/match.ts'
import type { Note, Outcome, Skipped } from '../../imports/outcome.ts'
import { table } from '../output.ts'
import type { Created } from './import-create.ts'

type State = 'missing' | 'created' | 'existing' | 'refused'
type Line = { name: string; type: string; state: State; id: number | null; detail: string }

/** The output of `upbeat import --json`. */
export type Imported = {
  service: ImportKind
  /** False without `--apply`, when nothing is created. */
  applied: boolean
  contacts: Line[]
  monitors: Line[]
  windows: Line[]
  pages: Line[]
  refused: Skipped[]
  /** How many of the refused ones an import creates later, once a bound of mails is free again. */
  held: number
  skipped: Skipped[]
  notes: Note[]
  /** Old and new URL of each heartbeat; null if it is unknown or not created yet. */
  heartbeats: { monitor: string; old: string | null; new: string | null }[]
  /** The number of monitors that the plan has room for; null if it has no limit. */
  room: number | null
}

type Done = { kind: ImportKind; team: Team; outcome: Outcome; matches: Matches; created: Created | null }

export function importedOf({ kind, team, outcome, matches, created }: Done): Imported {
  const addresses = new Map(
    matches.monitors.map(({ wanted, existing }) => {
      const monitor = existing ?? created?.monitors.get(wanted.name)
      return [wanted.name, monitor?.heartbeat_url ?? null]
    }),
  )
  return {
    service: kind,
    applied: created !== null,
    contacts: matches.contacts.map((matched) => lineOf(matched, created, created?.contacts, '')),
    monitors: matches.monitors.map((matched) => {
      const { wanted } = matched
      const every = `every ${describeSeconds(intervalSecondsOf(wanted))}`
      const detail = [targetOf(wanted), every, wanted.is_active ? null : 'paused'].filter((part) => part)
      return lineOf(matched, created, created?.monitors, detail.join(', '))
    }),
    windows: matches.windows.map(({ wanted: { window, monitors, coversAll }, existing }) => {
      const subjects = coversAll ? 'everything' : amountOf(monitors.length)
      const wanted = { name: window.name, type: window.kind }
      const detail = `${windowInWords(window)}: ${subjects}`
      return lineOf({ wanted, existing }, created, created?.windows, detail)
    }),
    pages: matches.pages.map(({ wanted: { page, groups, isPublished }, existing }) => {
      const count = groups.reduce((sum, { monitors }) => sum + monitors.length, 0)
      const wanted = { name: page.name, type: page.visibility }
      const detail = `/status/${page.slug}: ${amountOf(count)}${isPublished ? '' : ', not published'}`
      return lineOf({ wanted, existing }, created, created?.pages, detail)
    }),
    refused: created?.refused ?? [],
    held: created?.held ?? 0,
    skipped: [...outcome.skipped, ...matches.skipped],
    notes: [...outcome.notes, ...matches.notes],
    heartbeats: outcome.pings.map(({ monitor, address }) => ({
      monitor,
      old: address,
      new: addressFor(kind, addresses.get(monitor) ?? null),
    })),
    room: team.max_monitors === null ? null : Math.max(0, team.max_monitors - team.monitors_count),
  }
}

function amountOf(monitors: number): string {
  return `${monitors} monitor${monitors === 1 ? '' : 's'}`
}

function lineOf(
  { wanted, existing }: Matched<{ name: string; type: string }, { id: number }>,
  created: Created | null,
  made: Map<string, { id: number }> | undefined,
  detail: string,
): Line {
  const record = existing ?? made?.get(wanted.name)
  const state = existing ? 'existing' : record ? 'created' : created ? 'refused' : 'missing'
  return { name: wanted.name, type: wanted.type, state, id: record?.id ?? null, detail }
}

/** This service also accepts pings at Uptime Kuma's path, so scripts change only the host and token. */
function addressFor(kind: ImportKind, address: string | null): string | null {
  return kind === 'uptime-kuma' ? (address?.replace('/ping/', '/api/push/') ?? null) : address
}

const SHOWN_NAMES = 20
const INDENT = '  '

/** Formats a report with lines of at most `width`. URLs to copy may be longer. */
export function describeImport(imported: Imported, width: number | null): string {
  const parts = [
    listed(
      imported.applied ? 'Created' : 'To create',
      imported,
      imported.applied ? 'created' : 'missing',
      width,
    ),
    listed('There already, left alone', imported, 'existing', width),
    grouped(
      'Not created',
      imported.refused.map(({ what, reason }) => [what, reason]),
    ),
    grouped(
      'Skipped',
      imported.skipped.map(({ what, reason }) => [what, reason]),
    ),
    grouped(
      'Imported with differences',
      imported.notes.map(({ what, note }) => [what, note]),
    ),
    heartbeats(imported),
    summary(imported),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function listed(
  title: string,
  { contacts, monitors, windows, pages }: Imported,
  state: State,
  width: number | null,
): string {
  const rows = [
    ...contacts.map((line) => ({ what: 'contact', ...line })),
    ...monitors.map((line) => ({ what: 'monitor', ...line })),
    ...windows.map((line) => ({ what: 'window', ...line })),
    ...pages.map((line) => ({ what: 'status page', ...line })),
  ].filter((line) => line.state === state)
  if (rows.length === 0) return ''
  const cells = rows.map(({ what, name, type, detail }) => ({ what, name, type, detail }))
  return `${title}:\n${indent(table(cells, width === null ? null : width - INDENT.length))}`
}

/** Lists each reason once, with the names that it applies to. */
function grouped(title: string, entries: [string, string][]): string {
  if (entries.length === 0) return ''
  const byReason = Map.groupBy(entries, ([, reason]) => reason)
  const lines = [...byReason].flatMap(([reason, named]) => {
    const names = named.map(([what]) => what)
    const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more (--json has all)` : ''
    return [`  ${reason}:`, `    ${names.slice(0, SHOWN_NAMES).join(', ')}${more}`]
  })
  return `${title}:\n${lines.join('\n')}`
}

function heartbeats({ heartbeats: rows, applied }: Imported): string {
  if (rows.length === 0) return ''
  const later = applied ? 'was not created' : 'known when it is created'
  const cells = rows.map((row) => ({
    monitor: row.monitor,
    old: row.old ?? 'not in the export',
    new: row.new ?? later,
  }))
  return `Tell your jobs their new addresses:\n${indent(table(cells))}`
}

function summary(imported: Imported): string {
  const lines = [...imported.contacts, ...imported.monitors, ...imported.windows, ...imported.pages]
  const count = (state: State) => lines.filter((line) => line.state === state).length
  const rest = `${count('existing')} there already, ${imported.skipped.length} skipped`
  if (imported.applied) {
    const held = imported.held > 0 ? `, ${imported.held} of them held back: import again later` : ''
    return `${count('created')} created, ${rest}, ${imported.refused.length} not created${held}.`
  }
  const missing = imported.monitors.filter(({ state }) => state === 'missing').length
  const tooMany =
    imported.room !== null && missing > imported.room
      ? `\nThe plan of the team leaves room for ${imported.room} of the ${missing} monitors: the others will be refused.`
      : ''
  const next =
    count('missing') > 0 ? 'Nothing was created: add --apply to create it.' : 'There is nothing to create.'
  return `${count('missing')} to create, ${rest}.${tooMany}\n${next}`
}

function indent(text: string): string {
  return text.replace(/^/gm, INDENT)
}
