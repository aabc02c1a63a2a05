import { CompiledQuery, type Selectable, sql } from 'kysely'
import type { AUDIT_LIST } from '../../core/lists/audit-list.ts'
import type { FilterValues } from '../../core/lists/list.ts'
import type { AuditActor, Door } from '../../core/teams/audit.ts'
import { AUDIT_PATTERNS } from '../../core/teams/audit-kind.ts'
import type { AuditChange } from '../../core/teams/audit-values.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { gather } from '../../postgres/gather.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import type { Tables } from '../../postgres/tables.ts'
import { type FilterConditions, hasWords, matching } from '../lists/conditions.ts'

/** A change to write to the audit log. The actor's name is looked up when it is written. */
export type AuditRecord = {
  teamId: number
  at: Date
  /** Null for the operator on the command line. */
  userId: number | null
  door: Door
  action: string
  subject: string | null
  subjectId: number | null
  fields: string[]
  changes?: AuditChange[]
}

export type AuditRow = Omit<Selectable<Tables['audit_entries']>, 'team_id' | 'user_id'>

export type WriteAudit = (entry: AuditRecord) => Promise<void>

/** Writes entries in batches: those that arrive during a write share the next statement and commit. */
export function createAuditWriter({ pool }: Database): WriteAudit {
  return gather(async (entries: AuditRecord[]) => {
    await pool.query(insertOf(entries))
    return entries.map(() => undefined)
  })
}

/** Writes an entry in the transaction of the change. */
export async function insertAudit(query: Query, entry: AuditRecord): Promise<void> {
  const { text, values } = insertOf([entry])
  await query.executeQuery(CompiledQuery.raw(text, values))
}

/** Fields are passed as JSON, because arrays of different lengths do not form a matrix. */
function insertOf(entries: AuditRecord[]) {
  return {
    name: 'insert-audit-entries',
    text: `INSERT INTO audit_entries (team_id, at, user_id, actor_name, door, action, subject, subject_id, fields,
             changes)
           SELECT e.team_id, e.at, u.id, u.name, e.door, e.action, e.subject, e.subject_id,
             ARRAY(SELECT jsonb_array_elements_text(e.fields)), e.changes
           FROM unnest($1::int[], $2::timestamptz[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[],
             $8::jsonb[], $9::jsonb[]) WITH ORDINALITY
             AS e (team_id, at, user_id, door, action, subject, subject_id, fields, changes, number)
           LEFT JOIN users u ON u.id = e.user_id
           ORDER BY e.number`,
    values: [
      entries.map(({ teamId }) => teamId),
      entries.map(({ at }) => at),
      entries.map(({ userId }) => userId),
      entries.map(({ door }) => door),
      entries.map(({ action }) => action),
      entries.map(({ subject }) => subject),
      entries.map(({ subjectId }) => subjectId),
      entries.map(({ fields }) => JSON.stringify(fields)),
      entries.map(({ changes }) => (changes && changes.length > 0 ? JSON.stringify(changes) : null)),
    ],
  }
}

type AuditFilter = FilterValues<typeof AUDIT_LIST>

/** The names of fields are searched as they are shown. */
const SEARCHED = ['e.actor_name', 'e.subject', `replace(array_to_string(e.fields, ' '), '_', ' ')`]
const OF_A_KIND = Object.values(AUDIT_PATTERNS).join('|')

const CONDITIONS: FilterConditions<typeof AUDIT_LIST> = {
  search: (text) => hasWords(SEARCHED, text.replaceAll('_', ' ')),
  person: (id) => sql`e.user_id = ${id}`,
  kind: (kind) => (kind === 'team' ? sql`e.action !~ ${OF_A_KIND}` : sql`e.action ~ ${AUDIT_PATTERNS[kind]}`),
  from: (at) => sql`e.at >= ${at}`,
  to: (at) => sql`e.at < ${at}`,
}

export async function countAudit(query: Query, teamId: number, filter: AuditFilter): Promise<number> {
  const { count } = await matchingEntries(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function listAudit(
  query: Query,
  teamId: number,
  filter: AuditFilter,
  page: { limit: number; offset: number },
): Promise<AuditRow[]> {
  return matchingEntries(query, teamId, filter)
    .select(['id', 'at', 'actor_name', 'door', 'action', 'subject', 'subject_id', 'fields', 'changes'])
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** More people than a list can show are searched by name. */
const MAX_ACTORS = 1_000

/** The members, and all others who are in the log: one step in the index for each, however many lines they have. */
export async function listActors(query: Query, teamId: number): Promise<AuditActor[]> {
  const { rows } = await sql<AuditActor>`
    WITH RECURSIVE actors AS (
      (SELECT user_id FROM audit_entries WHERE team_id = ${teamId} AND user_id IS NOT NULL ORDER BY user_id LIMIT 1)
      UNION ALL
      SELECT (SELECT e.user_id FROM audit_entries e WHERE e.team_id = ${teamId} AND e.user_id > a.user_id
        ORDER BY e.user_id LIMIT 1)
      FROM actors a WHERE a.user_id IS NOT NULL)
    SELECT a.user_id AS id, m.user_id IS NOT NULL AS is_member, coalesce(u.name, (
        SELECT e.actor_name FROM audit_entries e WHERE e.team_id = ${teamId} AND e.user_id = a.user_id
        ORDER BY e.id DESC LIMIT 1), '') AS name
    FROM (SELECT user_id FROM actors WHERE user_id IS NOT NULL
      UNION SELECT user_id FROM members WHERE team_id = ${teamId} LIMIT ${MAX_ACTORS}) a
    LEFT JOIN members m ON m.team_id = ${teamId} AND m.user_id = a.user_id
    LEFT JOIN users u ON u.id = m.user_id
    ORDER BY is_member DESC, lower(coalesce(u.name, '')) COLLATE "C", name, id`.execute(query)
  return rows
}

function matchingEntries(query: Query, teamId: number, filter: AuditFilter) {
  return query
    .selectFrom('audit_entries as e')
    .where('e.team_id', '=', teamId)
    .where(matching(CONDITIONS, filter))
}

/** Deletes some of the entries from before `cutoff`, oldest first; true if there may be more. */
export async function removeSomeAudit(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    ...{ table: 'audit_entries', key: ['id'], oldestOnly: true },
    where: 'at < $1',
    values: [cutoff],
  })
}
