import type { TimeSpan } from '../../core/history/uptime.ts'
import {
  type CoveredTime,
  coveredTime,
  coveredTimeOf,
  occurrencesOf,
} from '../../core/maintenance/covered-time.ts'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import type { Connection } from '../../postgres/database.ts'
import { readRevisions, readTeamWindows } from './judged-windows.ts'

type Reader = Pick<Connection, 'query'>
type Range = { from: Date; to: Date }
type Planned = { id: number; teamId: number; createdAt: Date }

/** The covered time of one range by team, and the revision of the windows that it was worked out from. */
export type KnownCover = Map<number, { revision: number; covered: CoveredTime }>

/**
 * The time within a range in which windows applied to these subjects. Those without are left out. A team
 * without windows costs nothing but the look; each window of others is worked out once, however many it covers. With
 * `known`, which is of one kind, all windows of a team are, for whoever asks for more of its subjects next.
 */
export async function readCoveredTime(
  reader: Reader,
  kind: SubjectKind,
  subjects: readonly Planned[],
  range: Range,
  known: KnownCover | null,
): Promise<Map<number, readonly TimeSpan[]>> {
  const revisions = await readRevisions(reader, [...new Set(subjects.map(({ teamId }) => teamId))])
  const cover: KnownCover = known ?? new Map()
  const changed = [...revisions].filter(([id, revision]) => cover.get(id)?.revision !== revision)
  if (changed.length > 0) {
    const teamIds = changed.map(([id]) => id)
    const only = known ? null : { kind, ids: subjects.map(({ id }) => id) }
    for (const [id, { revision, windows }] of await readTeamWindows(reader, teamIds, range.from, only))
      cover.set(id, { revision, covered: coveredTime(windows, range, kind) })
  }
  return new Map(
    subjects.flatMap(({ id, teamId, createdAt }) => {
      const covered = cover.get(teamId)?.covered
      const spans = covered ? coveredTimeOf(covered, id, createdAt) : []
      return spans.length > 0 ? [[id, spans] as const] : []
    }),
  )
}

/** An occurrence of a window with the name that the window has, or had when it was deleted. */
export type NamedSpan = TimeSpan & { name: string }

/** The occurrences that cover any part of a range in which the monitor existed, whole and newest first. */
export async function readPlannedSpans(
  reader: Reader,
  { id, teamId, createdAt }: Planned,
  { from, to }: Range,
  limit: number,
): Promise<NamedSpan[]> {
  const range = { from: new Date(Math.max(from.getTime(), createdAt.getTime())), to }
  const only = { kind: 'monitor' as const, ids: [id] }
  const windows = (await readTeamWindows(reader, [teamId], range.from, only)).get(teamId)?.windows ?? []
  if (windows.length === 0) return []
  const { rows } = await reader.query<{ id: number; name: string }>({
    name: 'read-window-names',
    text: 'SELECT id, name FROM maintenance_windows WHERE team_id = $1 AND id = ANY($2)',
    values: [teamId, [...new Set(windows.map((window) => window.id))]],
  })
  const names = new Map(rows.map((row) => [row.id, row.name]))
  return occurrencesOf(windows, range)
    .flatMap(({ window, spans }) => spans.map((span) => ({ ...span, name: names.get(window.id) ?? '' })))
    .sort((one, other) => other.fromMs - one.fromMs)
    .slice(0, limit)
}
