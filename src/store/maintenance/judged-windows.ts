import type { Selectable } from 'kysely'
import {
  type Chosen,
  chosenField,
  MAX_ONE_OFF_MINUTES,
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../core/maintenance/window.ts'
import {
  type JudgedWindow,
  judgedWindows,
  type KeptOccurrence,
} from '../../core/maintenance/window-record.ts'
import type { Connection } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'
import { KEPT_IDS } from './occurrences.ts'
import { chosenColumns, toRecord } from './windows.ts'

export type Reader = Pick<Connection, 'query'>
type WindowRow = Selectable<Tables['maintenance_windows']> & Chosen
type KeptRow = KeptOccurrence & { teamId: number }

/** Windows of a team, and the revision that they are of at least. */
export type TeamWindows = { revision: number; windows: JudgedWindow[] }

/** How often the windows of each team have changed. Teams without windows that ever changed are left out. */
export async function readRevisions(reader: Reader, teamIds: number[]): Promise<Map<number, number>> {
  const { rows } = await reader.query<{ id: number; revision: number }>({
    name: 'read-maintenance-revisions',
    text: 'SELECT id, maintenance_revision AS revision FROM teams WHERE id = ANY($1) AND maintenance_revision > 0',
    values: [teamIds],
  })
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** The same of all teams. */
export async function readAllRevisions(reader: Reader): Promise<Map<number, number>> {
  const { rows } = await reader.query<{ id: number; revision: number }>({
    name: 'read-all-maintenance-revisions',
    text: 'SELECT id, maintenance_revision AS revision FROM teams WHERE maintenance_revision > 0',
  })
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** The team of a subject, and how often its windows have changed. */
export type SubjectRevision = { id: number; teamId: number; revision: number }

/** The same by subjects; those of teams without windows that ever changed are left out. */
export async function readSubjectRevisions(
  reader: Reader,
  kind: SubjectKind,
  ids: number[],
): Promise<SubjectRevision[]> {
  const { rows } = await reader.query<SubjectRevision>({
    name: 'read-maintenance-revisions-of-subjects',
    text: `SELECT s.id, t.id AS "teamId", t.maintenance_revision AS revision
           FROM subjects s JOIN teams t ON t.id = s.team_id
           WHERE s.kind = $1 AND s.id = ANY($2) AND t.maintenance_revision > 0`,
    values: [kind, ids],
  })
  return rows
}

/** Some subjects of a kind. */
export type SomeSubjects = { kind: SubjectKind; ids: readonly number[] }

/** Which of each kind are asked about: null for all, whatever the kind. */
function idsOf(only: SomeSubjects | null): Record<SubjectKind, readonly number[] | null> {
  return ofEachKind((kind) => (!only ? null : kind === only.kind ? only.ids : []))
}

/**
 * Windows by which findings from `from` on are judged: all, or those that cover any of some subjects, with these alone.
 * Every one of the teams is in the answer.
 */
export async function readTeamWindows(
  reader: Reader,
  teamIds: number[],
  from: Date,
  only: SomeSubjects | null = null,
): Promise<Map<number, TeamWindows>> {
  const revisions = await readRevisions(reader, teamIds)
  const changed = [...revisions.keys()]
  const windows = changed.length > 0 ? await readWindows(reader, changed, only) : []
  const kept = changed.length > 0 ? await readKept(reader, changed, from, only) : []
  const windowsOf = Map.groupBy(windows, ({ team_id }) => team_id)
  const keptOf = Map.groupBy(kept, ({ teamId }) => teamId)
  return new Map(
    teamIds.map((teamId) => {
      const records = (windowsOf.get(teamId) ?? []).map((row) => toRecord(row, row))
      return [
        teamId,
        { revision: revisions.get(teamId) ?? 0, windows: judgedWindows(records, keptOf.get(teamId) ?? []) },
      ]
    }),
  )
}

async function readWindows(
  reader: Reader,
  teamIds: number[],
  only: SomeSubjects | null,
): Promise<WindowRow[]> {
  const { rows } = await reader.query<WindowRow>({
    name: 'read-windows-of-teams',
    text: `SELECT w.*, ${chosenColumns('($2::text IS NULL OR l.kind = $2 AND l.subject_id = ANY($3::int[]))')}
           FROM maintenance_windows w WHERE w.team_id = ANY($1) AND w.deleted_at IS NULL
             AND ($2 IS NULL OR w.all_subjects OR w.id IN (
               SELECT l.window_id FROM maintenance_window_subjects l WHERE l.kind = $2 AND l.subject_id = ANY($3)))
           ORDER BY w.id`,
    values: [teamIds, only?.kind ?? null, only?.ids ?? null],
  })
  return rows
}

async function readKept(
  reader: Reader,
  teamIds: number[],
  from: Date,
  only: SomeSubjects | null,
): Promise<KeptRow[]> {
  const ids = idsOf(only)
  const isOfOne = SUBJECT_KINDS.map((kind, at) => `o.${chosenField(kind)} && $${at + 4}::int[]`)
  const { rows } = await reader.query<KeptRow>({
    name: 'read-kept-occurrences',
    text: `SELECT o.team_id AS "teamId", o.window_id AS "windowId", o.starts_at AS "startsAt", o.ends_at AS "endsAt",
                  o.ended_by AS "endedBy", o.all_subjects, ${KEPT_IDS}
           FROM maintenance_occurrences o
           WHERE o.team_id = ANY($1) AND (o.ends_at >= $2
             -- Ended early or called off: its plan may go beyond the time, and must not come back to life.
             OR (o.ends_at >= $3 AND o.ended_by IS NOT NULL AND EXISTS (
               SELECT FROM maintenance_windows w
               WHERE w.id = o.window_id AND w.deleted_at IS NULL AND w.kind <> 'switch')))
             AND ($4::int[] IS NULL OR o.all_subjects OR ${isOfOne.join(' OR ')})
           ORDER BY o.starts_at`,
    values: [
      ...[teamIds, from, new Date(from.getTime() - MAX_ONE_OFF_MINUTES * 60_000)],
      ...SUBJECT_KINDS.map((kind) => ids[kind]),
    ],
  })
  return rows
}
