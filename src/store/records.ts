import type { Insertable, UpdateObject } from 'kysely'
import type { KeptKind } from '../core/history/kept-record.ts'
import type { SubjectKind } from '../core/maintenance/subject-kind.ts'
import type { NamedTable } from '../core/teams/audit-names.ts'
import { anyOf } from '../postgres/built-statements.ts'
import type { Query } from '../postgres/database.ts'
import { nextId } from '../postgres/next-id.ts'
import type { Tables } from '../postgres/tables.ts'
import { keepRecord } from './deleted-records.ts'
import { changeNotification } from './news.ts'

/** Tables of records that people delete, with the news that open pages get of each change; null: none. */
const DELETED = {
  invitations: null,
  schedules: 'on_call',
  schedule_overrides: 'on_call',
  escalation_policies: 'on_call',
  status_templates: 'status_pages',
  reports: 'team',
  report_recipients: 'team',
} as const

/** Null: the caller tells processes of the change, which is a part of a larger one. */
const CHANGED = {
  ...DELETED,
  contacts: 'contacts',
  status_subscribers: 'status_pages',
  status_pages: null,
  status_posts: null,
  maintenance_windows: null,
} as const

export type DeletedTable = keyof typeof DELETED

/** Those whose deletion can be taken back for a while; invitations and addresses that get mail are gone at once. */
const KINDS: Partial<Record<DeletedTable, KeptKind>> = {
  schedules: 'Schedule',
  schedule_overrides: 'ScheduleOverride',
  escalation_policies: 'EscalationPolicy',
  status_templates: 'StatusTemplate',
  reports: 'Report',
}

/** The news of subjects have the name of their table. */
type SubjectTable = `${SubjectKind}s`
export type ChangedTable = keyof typeof CHANGED | SubjectTable

function newsOf(table: ChangedTable) {
  return table in CHANGED ? CHANGED[table as keyof typeof CHANGED] : (table as SubjectTable)
}

/**
 * Deletes a record of a team, with all that refers to it by ON DELETE CASCADE; in a transaction, where it is kept for a while.
 * False if the team has no such record.
 */
export async function deleteRecord(
  query: Query,
  table: DeletedTable,
  teamId: number,
  id: number,
): Promise<boolean> {
  const news = DELETED[table]
  const kind = KINDS[table]
  if (kind) await keepRecord(query, kind, { teamId, id })
  const row = await query
    .deleteFrom(table)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('id')
    .$if(news !== null, (known) => known.returning(changeNotification(teamId, news ?? 'team').as('notified')))
    .executeTakeFirst()
  return row !== undefined
}

/** Adds a record of a team. `columnsOf` gets its id, to which sealed columns are bound. Returns the id. */
export async function insertRecord<Table extends Extract<ChangedTable, Parameters<typeof nextId>[1]>>(
  query: Query,
  table: Table,
  teamId: number,
  columnsOf: (id: number) => Omit<Insertable<Tables[Table]>, 'id' | 'team_id'>,
): Promise<number> {
  const id = await nextId(query, table)
  const news = newsOf(table)
  const row = { ...columnsOf(id), id, team_id: teamId }
  // The query builder knows the columns of one table only.
  await query
    .insertInto<'contacts'>(table as 'contacts')
    .values(row as unknown as Insertable<Tables['contacts']>)
    .$if(news !== null, (known) => known.returning(changeNotification(teamId, news ?? 'team').as('notified')))
    .execute()
  return id
}

/** Writes columns of a record of a team. A change of nothing is still a change. False if the team has no such record. */
export async function updateRecord<Table extends ChangedTable>(
  query: Query,
  table: Table,
  { teamId, id }: { teamId: number; id: number },
  changes: UpdateObject<Tables, Table>,
): Promise<boolean> {
  const news = newsOf(table)
  // The query builder knows the columns of one table only. The columns named here are those of all.
  const update = query.updateTable<'contacts'>(table as 'contacts')
  const row = await update
    .set({ ...(changes as UpdateObject<Tables, 'contacts'>), team_id: teamId })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('id')
    .$if(news !== null, (known) => known.returning(changeNotification(teamId, news ?? 'team').as('notified')))
    .executeTakeFirst()
  return row !== undefined
}

/** Names of those of the ids that are records of the team, deleted subjects included. */
export async function readNames(
  query: Query,
  table: NamedTable | 'schedules',
  teamId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await query
    .selectFrom<'contacts'>(table as 'contacts')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .where('id', '=', anyOf([...ids]))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
