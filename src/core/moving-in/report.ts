import { windowInWords } from '../maintenance/window-words.ts'
import type { DeclaredMonitor } from '../monitors/declaration.ts'
import { targetOf } from '../monitors/target.ts'
import { intervalSecondsOf } from '../probing/schedule.ts'
import type { Team } from '../teams/team.ts'
import type { Created } from './create.ts'
import { describeSeconds } from './intervals.ts'
import type { ImportKind } from './kinds.ts'
import type { Matched, Matches } from './match.ts'
import type { Note, Outcome, Skipped } from './outcome.ts'

export type State = 'missing' | 'created' | 'existing' | 'refused'
export type ImportLine = { name: string; type: string; state: State; id: number | null; detail: string }

/** The report of an import, as `upbeat import --json` prints it and the dashboard shows it. */
export type Imported = {
  service: ImportKind
  /** False for a report before anything is created. */
  applied: boolean
  contacts: ImportLine[]
  monitors: ImportLine[]
  windows: ImportLine[]
  pages: ImportLine[]
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
      const detail = [targetOf(wanted), whenJudged(wanted), wanted.is_active ? null : 'paused'].filter(
        (part) => part,
      )
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

function whenJudged(wanted: DeclaredMonitor): string {
  if (wanted.members) return `of ${amountOf(wanted.members.length)}`
  const schedule = wanted.options?.schedule
  return schedule ? `at ${schedule}` : `every ${describeSeconds(intervalSecondsOf(wanted))}`
}

function amountOf(monitors: number): string {
  return `${monitors} monitor${monitors === 1 ? '' : 's'}`
}

function lineOf(
  { wanted, existing }: Matched<{ name: string; type: string }, { id: number }>,
  created: Created | null,
  made: Map<string, { id: number }> | undefined,
  detail: string,
): ImportLine {
  const record = existing ?? made?.get(wanted.name)
  const state = existing ? 'existing' : record ? 'created' : created ? 'refused' : 'missing'
  return { name: wanted.name, type: wanted.type, state, id: record?.id ?? null, detail }
}

/** This service also accepts pings at Uptime Kuma's path, so scripts change only the host and token. */
function addressFor(kind: ImportKind, address: string | null): string | null {
  return kind === 'uptime-kuma' ? (address?.replace('/ping/', '/api/push/') ?? null) : address
}
