import { type Insertable, type Selectable, sql } from 'kysely'
import { ofEachField, type SubjectRef, withoutField } from '../../core/maintenance/subject-kind.ts'
import {
  type Chosen,
  chosenField,
  chosenIn,
  chosenOf,
  type MaintenanceWindow,
  SUBJECT_KINDS,
  type SubjectKind,
  type Subjects,
} from '../../core/maintenance/window.ts'
import type { WindowRecord } from '../../core/maintenance/window-record.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'
import { changeNotification } from '../news.ts'
import { insertRecord, updateRecord } from '../records.ts'
import { hashSecret, sealSecret } from '../sealing/secret-addresses.ts'
import type { Vault } from '../sealing/vault.ts'
import { isAmong } from '../subjects.ts'

/** Wakes the leader; the payload is the id of a team whose windows changed. */
export const MAINTENANCE_CHANNEL = 'upbeat_maintenance'

type Columns = Tables['maintenance_windows']
type WindowColumns = Omit<
  Insertable<Columns>,
  'id' | 'team_id' | 'token' | 'token_hash' | 'since' | 'created_at' | 'deleted_at'
>

/** The windows of a team that are not deleted, oldest first; or those alone that cover a subject. */
export async function listWindows(
  query: Query,
  teamId: number,
  subject?: SubjectRef,
): Promise<WindowRecord[]> {
  const all = query
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
  const rows = await (subject
    ? all.where((eb) => eb.or([eb('all_subjects', '=', true), eb('id', 'in', windowsOf(subject))]))
    : all
  ).execute()
  return withSubjects(query, rows)
}

export async function findWindow(
  query: Query,
  teamId: number,
  windowId: number,
): Promise<WindowRecord | null> {
  const rows = await query
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', windowId)
    .where('deleted_at', 'is', null)
    .execute()
  return (await withSubjects(query, rows))[0] ?? null
}

/** The same, locked until the transaction ends, so that changes of a window and its turns come one after another. */
export async function lockWindow(
  query: Query,
  teamId: number,
  windowId: number,
): Promise<WindowRecord | null> {
  const locked = await query
    .selectFrom('maintenance_windows')
    .select('id')
    .where('team_id', '=', teamId)
    .where('id', '=', windowId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked ? findWindow(query, teamId, windowId) : null
}

/** The windows of a team that go by tags, locked until the transaction ends. */
export async function lockTagWindows(query: Query, teamId: number): Promise<WindowRecord[]> {
  const rows = await query
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where('tags', '<>', sql<string[]>`'{}'`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return withSubjects(query, rows)
}

export async function countWindows(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('maintenance_windows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The caller raises the revision (`windowsChanged`). `token`: of a switch's secret address. */
export async function insertWindow(
  query: Query,
  vault: Vault,
  teamId: number,
  window: MaintenanceWindow,
  { since, token }: { since: Date; token: string | null },
): Promise<number> {
  const id = await insertRecord(query, 'maintenance_windows', teamId, (own) => ({
    ...columnsOf(window),
    since,
    token: token && sealSecret(vault, 'switch', own, token),
    token_hash: token ? hashSecret('switch', token) : null,
  }))
  await insertSubjects(query, teamId, id, window)
  return id
}

/** Writes all fields of a locked window. `since`: now, where times or subjects change. */
export async function updateWindow(
  query: Query,
  teamId: number,
  windowId: number,
  window: MaintenanceWindow,
  since: Date,
): Promise<void> {
  const columns = { ...columnsOf(window), since }
  await updateRecord(query, 'maintenance_windows', { teamId, id: windowId }, columns)
  await query.deleteFrom('maintenance_window_subjects').where('window_id', '=', windowId).execute()
  await insertSubjects(query, teamId, windowId, window)
}

export async function markWindowDeleted(
  query: Query,
  teamId: number,
  windowId: number,
  now: Date,
): Promise<void> {
  const gone = { deleted_at: now, token: null, token_hash: null }
  await updateRecord(query, 'maintenance_windows', { teamId, id: windowId }, gone)
}

/** Marks the one-off window deleted that is over longest, if it is since before `before`; false if there is none. */
export async function retireOneOff(query: Query, teamId: number, before: Date, now: Date): Promise<boolean> {
  const oldest = await query
    .selectFrom('maintenance_windows')
    .select('id')
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where('kind', '=', 'one_off')
    .where('ends_at', '<', before)
    .orderBy('ends_at')
    .limit(1)
    // The caller holds the team, and a change of a window takes the team last: waiting for it could take forever.
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (oldest) await markWindowDeleted(query, teamId, oldest.id, now)
  return oldest !== undefined
}

/** Tells every process, when the transaction commits, that windows of a team or their turns changed. */
export async function windowsChanged(query: Query, teamId: number): Promise<void> {
  await query
    .updateTable('teams')
    .set(({ eb }) => ({ maintenance_revision: eb('maintenance_revision', '+', 1) }))
    .where('id', '=', teamId)
    .returning([
      changeNotification(teamId, 'maintenance').as('notified'),
      sql`pg_notify(${MAINTENANCE_CHANNEL}, ${String(teamId)})`.as('woken'),
    ])
    .execute()
}

/** Subjects of the team only: others are left out. */
async function insertSubjects(
  query: Query,
  teamId: number,
  windowId: number,
  subjects: Subjects,
): Promise<void> {
  const chosen = SUBJECT_KINDS.flatMap((kind) => chosenOf(subjects, kind).map((id) => ({ kind, id })))
  if (chosen.length === 0) return
  await sql`
    INSERT INTO maintenance_window_subjects (window_id, kind, subject_id)
    SELECT ${windowId}::int, kind, id FROM subjects
    WHERE team_id = ${teamId} AND ${isAmong(chosen)}`.execute(query)
}

function columnsOf(window: MaintenanceWindow): Required<WindowColumns> {
  const { kind, name, note, all_subjects, tags, shows_on_pages, public_name } = window
  const shared = { kind, name, note, all_subjects, tags, shows_on_pages, public_name }
  return { ...NO_TIMES, ...timesOf(window), ...shared }
}

const NO_TIMES = {
  starts_at: null,
  ends_at: null,
  local_start: null,
  time_zone: null,
  duration_minutes: null,
  rule: null,
  exceptions: null,
  max_minutes: null,
  ends_when_passing: null,
} as const satisfies Partial<WindowColumns>

function timesOf(window: MaintenanceWindow): Partial<WindowColumns> {
  const { kind, name, note, shows_on_pages, public_name, all_subjects, tags, ...times } = window
  return withoutField('_ids', times)
}

function windowsOf({ kind, id }: SubjectRef) {
  return sql<number>`(
    SELECT window_id FROM maintenance_window_subjects WHERE kind = ${kind} AND subject_id = ${id})`
}

async function withSubjects(query: Query, rows: Selectable<Columns>[]): Promise<WindowRecord[]> {
  const chosen = rows.filter(({ all_subjects }) => !all_subjects).map(({ id }) => id)
  const links = Map.groupBy(await readLinks(query, chosen), ({ window_id }) => window_id)
  return rows.map((row) => {
    const idsOf = (kind: SubjectKind) => links.get(row.id)?.find((link) => link.kind === kind)?.ids ?? []
    return toRecord(row, ofEachField('_ids', idsOf))
  })
}

async function readLinks(
  query: Query,
  windowIds: number[],
): Promise<{ window_id: number; kind: SubjectKind; ids: number[] }[]> {
  if (windowIds.length === 0) return []
  // As JSON, which is read several times as fast as an array.
  return query
    .selectFrom('maintenance_window_subjects')
    .select(['window_id', 'kind', sql<number[]>`json_agg(subject_id ORDER BY subject_id)`.as('ids')])
    .where('window_id', '=', anyOf(windowIds))
    .groupBy(['window_id', 'kind'])
    .execute()
}

/** Columns of a statement: the chosen subjects of the window `w`, those alone that meet a condition on the link `l`. */
export function chosenColumns(condition = 'true'): string {
  return SUBJECT_KINDS.map(
    (kind) => `ARRAY(SELECT l.subject_id FROM maintenance_window_subjects l
      WHERE l.window_id = w.id AND l.kind = '${kind}' AND ${condition}) AS ${chosenField(kind)}`,
  ).join(', ')
}

/** A row holds what the schema let in; a kind's own columns are never null in its rows. */
export function toRecord(
  row: Omit<Selectable<Columns>, 'team_id' | 'token' | 'token_hash' | 'created_at' | 'deleted_at'>,
  chosen: Chosen,
): WindowRecord {
  const { id, since, kind, name, note, shows_on_pages, public_name, all_subjects, tags } = row
  const subjects = { all_subjects, ...chosenIn(chosen), tags }
  const shared = { id, since, name, note, shows_on_pages, public_name, ...subjects }
  switch (kind) {
    case 'one_off':
      return { ...shared, kind, starts_at: row.starts_at as Date, ends_at: row.ends_at as Date }
    case 'recurring':
      return {
        ...shared,
        kind,
        local_start: row.local_start as string,
        time_zone: row.time_zone as string,
        duration_minutes: row.duration_minutes as number,
        rule: row.rule as string,
        exceptions: row.exceptions ?? [],
      }
    case 'switch':
      return {
        ...shared,
        kind,
        max_minutes: row.max_minutes as number,
        ends_when_passing: row.ends_when_passing as boolean,
      }
  }
}
