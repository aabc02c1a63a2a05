import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { KeptKind } from '../core/history/kept-record.ts'
import type { Database, Query } from '../postgres/database.ts'
import { removeSome } from '../postgres/remove-some.ts'
import type { Tables } from '../postgres/tables.ts'

/** A record of a team. `at`: the time of its deletion, now unless given. */
type Deleted = { teamId: number; id: number; at?: Date }

type Part = {
  table: keyof Tables & string
  /** Which rows `r` of the table go with the record. */
  rows: (deleted: Deleted) => RawBuilder<SqlBool>
  /** A condition on rows that only attach the record to others, which may be gone, or have something else by now. */
  attaches?: RawBuilder<SqlBool>
  /** Such rows from after the deletion make room. */
  replaces?: true
}

/** A column of rows that stay, which the deletion empties. */
type Link = { table: keyof Tables & string; column: string; key: readonly string[]; most?: number }

type Kept = {
  table: keyof Tables & string
  /** Which rows `r` of the table are the team's, where no column says so. */
  isOf?: (teamId: number) => RawBuilder<SqlBool>
  /** The row stays, and is marked as deleted. */
  isMarked?: true
  /** Rows of other tables, in the order in which they refer to each other. */
  parts: readonly Part[]
  links: readonly Link[]
}

/** More log lines of a contact lose it for good. */
const MAX_RELINKED = 10_000

const timeOf = (at: Date | undefined) => (at ? sql`${at}::timestamptz` : sql`now()`)
const of = (column: string) => (deleted: Deleted) => sql<SqlBool>`r.${sql.ref(column)} = ${deleted.id}`
const SUBJECT_EXISTS = sql<SqlBool>`EXISTS (SELECT FROM subjects s WHERE s.kind = r.kind AND s.id = r.subject_id)`

/** The rows that are kept of a record of each kind. A test compares them with the references of the tables. */
export const KEPT: Record<KeptKind, Kept> = {
  Contact: {
    table: 'contacts',
    parts: [
      { table: 'subject_contacts', rows: of('contact_id'), attaches: SUBJECT_EXISTS },
      {
        table: 'schedule_participant_contacts',
        rows: of('contact_id'),
        attaches: sql<SqlBool>`EXISTS (SELECT FROM schedule_participants p
          WHERE p.schedule_id = r.schedule_id AND p.key = r.participant)`,
      },
    ],
    links: [
      { table: 'acknowledgements', column: 'contact_id', key: ['id'] },
      { table: 'deliveries', column: 'contact_id', key: ['id'], most: MAX_RELINKED },
    ],
  },
  EscalationPolicy: {
    table: 'escalation_policies',
    parts: [{ table: 'subject_policies', rows: of('policy_id'), attaches: SUBJECT_EXISTS }],
    links: [],
  },
  MaintenanceWindow: {
    table: 'maintenance_windows',
    isMarked: true,
    parts: [
      {
        table: 'maintenance_occurrences',
        rows: ({ id, at }) => sql<SqlBool>`r.window_id = ${id} AND r.ends_at >= ${timeOf(at)}`,
        replaces: true,
      },
    ],
    links: [],
  },
  Report: {
    table: 'reports',
    parts: [
      { table: 'report_recipients', rows: of('report_id') },
      { table: 'report_editions', rows: of('report_id') },
    ],
    links: [],
  },
  Schedule: {
    table: 'schedules',
    parts: [
      { table: 'schedule_participants', rows: of('schedule_id') },
      {
        table: 'schedule_participant_contacts',
        rows: of('schedule_id'),
        attaches: sql<SqlBool>`EXISTS (SELECT FROM contacts c WHERE c.id = r.contact_id)`,
      },
      { table: 'schedule_overrides', rows: of('schedule_id') },
    ],
    links: [],
  },
  ScheduleOverride: { table: 'schedule_overrides', parts: [], links: [] },
  StatusPage: {
    table: 'status_pages',
    parts: [
      { table: 'status_domains', rows: of('page_id') },
      { table: 'status_groups', rows: of('page_id') },
      {
        table: 'status_components',
        rows: of('page_id'),
        attaches: sql<SqlBool>`(r.subject_id IS NULL OR ${SUBJECT_EXISTS})`,
      },
      { table: 'status_posts', rows: of('page_id') },
      {
        table: 'status_updates',
        rows: ({ id }) =>
          sql<SqlBool>`r.post_id IN (SELECT p.id FROM status_posts p WHERE p.page_id = ${id})`,
      },
      {
        table: 'incident_posts',
        rows: of('page_id'),
        attaches: sql<SqlBool>`EXISTS (SELECT FROM team_incidents i WHERE i.kind = r.kind AND i.id = r.team_incident_id)`,
      },
      { table: 'status_subscribers', rows: of('page_id') },
    ],
    links: [],
  },
  StatusPost: {
    table: 'status_posts',
    parts: [{ table: 'status_updates', rows: of('post_id') }],
    links: [{ table: 'incident_posts', column: 'post_id', key: ['page_id', 'kind', 'team_incident_id'] }],
  },
  StatusTemplate: {
    table: 'status_templates',
    parts: [],
    links: [{ table: 'status_pages', column: 'template_id', key: ['id'] }],
  },
  StatusUpdate: {
    table: 'status_updates',
    isOf: (teamId) =>
      sql<SqlBool>`EXISTS (SELECT FROM status_posts p WHERE p.id = r.post_id AND p.team_id = ${teamId})`,
    parts: [],
    links: [],
  },
}

const ROOT = 'record'
const partOf = (index: number) => `part ${index}`
const linkOf = (index: number) => `link ${index}`

/**
 * Keeps a record as it is, with all that goes with it, in the transaction that deletes it. It locks the record. Does nothing
 * if the team has no such record.
 */
export async function keepRecord(query: Query, kind: KeptKind, deleted: Deleted): Promise<void> {
  const { table, isOf, parts, links } = KEPT[kind]
  const { teamId, id, at } = deleted
  const isIt = sql`${isOf?.(teamId) ?? sql`r.team_id = ${teamId}`} AND r.id = ${id}`
  await sql`SELECT FROM ${sql.table(table)} r WHERE ${isIt} FOR UPDATE`.execute(query)
  const pieces = [
    sql`${ROOT}::text, to_jsonb(r)`,
    ...parts.map(
      (part, index) =>
        sql`${partOf(index)}::text, (SELECT coalesce(jsonb_agg(to_jsonb(r)), '[]')
          FROM ${sql.table(part.table)} r WHERE ${part.rows(deleted)})`,
    ),
    ...links.map((link, index) => {
      const key = link.key.map((column) => sql`${column}::text, linked.${sql.ref(column)}`)
      return sql`${linkOf(index)}::text, (SELECT coalesce(jsonb_agg(jsonb_build_object(${sql.join(key)})), '[]')
        FROM (SELECT * FROM ${sql.table(link.table)} l WHERE l.${sql.ref(link.column)} = ${id}
          ORDER BY ${sql.join(link.key.map((column) => sql`l.${sql.ref(column)} DESC`))}
          LIMIT ${link.most ?? null}::bigint) linked)`
    }),
  ]
  await sql`DELETE FROM deleted_records WHERE team_id = ${teamId} AND kind = ${kind} AND record_id = ${id}`.execute(
    query,
  )
  await sql`INSERT INTO deleted_records (team_id, kind, record_id, deleted_at, content)
    SELECT ${teamId}::int, ${kind}::text, ${id}::int, ${timeOf(at)}, jsonb_build_object(${sql.join(pieces)})
    FROM ${sql.table(table)} r WHERE ${isIt}`.execute(query)
}

/** The name of a record that was deleted since then; null if none is kept. It can be taken once. */
export async function takeKept(
  query: Query,
  kind: KeptKind,
  { teamId, id, since }: { teamId: number; id: number; since: Date },
): Promise<{ name: string; at: Date; content: unknown } | null> {
  const row = await query
    .deleteFrom('deleted_records')
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .where('deleted_at', '>', since)
    .returning(['deleted_at', 'content'])
    .executeTakeFirst()
  if (!row) return null
  const { name, title } = (row.content as { record: { name?: string; title?: string } })[ROOT]
  return { name: name ?? title ?? '', at: row.deleted_at, content: row.content }
}

/** Puts a record back as it was, with its id. Throws where a unique value of it was given to another one meanwhile. */
export async function putBack(
  query: Query,
  kind: KeptKind,
  deleted: Deleted,
  content: unknown,
): Promise<void> {
  const kept = content as Record<string, unknown>
  const { table, isMarked, parts, links } = KEPT[kind]
  if (isMarked) await unmark(query, deleted, kept[ROOT])
  else await insert(query, table, [kept[ROOT]])
  for (const [index, part] of parts.entries()) {
    if (part.replaces) {
      await sql`DELETE FROM ${sql.table(part.table)} r WHERE ${part.rows(deleted)}`.execute(query)
    }
    await insert(query, part.table, kept[partOf(index)], part.attaches)
  }
  for (const [index, link] of links.entries()) await relink(query, link, deleted.id, kept[linkOf(index)])
}

async function insert(
  query: Query,
  table: string,
  rows: unknown,
  attaches?: RawBuilder<SqlBool>,
): Promise<void> {
  const found = sql`jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r`
  await sql`INSERT INTO ${sql.table(table)} OVERRIDING SYSTEM VALUE SELECT r.* FROM ${found}
    ${attaches ? sql`WHERE ${attaches} ON CONFLICT DO NOTHING` : sql``}`.execute(query)
}

/** A window stays for what happened in it; only its secret address had gone. */
async function unmark(query: Query, { teamId, id }: Deleted, row: unknown): Promise<void> {
  await sql`UPDATE maintenance_windows w SET deleted_at = NULL, token = r.token, token_hash = r.token_hash
    FROM jsonb_populate_record(NULL::maintenance_windows, ${JSON.stringify(row)}::jsonb) r
    WHERE w.team_id = ${teamId} AND w.id = ${id}`.execute(query)
}

async function relink(query: Query, { table, column, key }: Link, id: number, rows: unknown): Promise<void> {
  const isSame = (one: string, other: string) =>
    sql.join(
      key.map((name) => sql`${sql.ref(`${one}.${name}`)} = ${sql.ref(`${other}.${name}`)}`),
      sql` AND `,
    )
  const names = (alias: string) => sql.join(key.map((name) => sql.ref(`${alias}.${name}`)))
  await sql`WITH held AS (
      SELECT ${names('l')} FROM ${sql.table(table)} l
      WHERE l.${sql.ref(column)} IS NULL AND (${names('l')}) IN (
        SELECT ${names('r')} FROM jsonb_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) r)
      ORDER BY ${names('l')} FOR NO KEY UPDATE)
    UPDATE ${sql.table(table)} t SET ${sql.ref(column)} = ${id} FROM held WHERE ${isSame('t', 'held')}`.execute(
    query,
  )
}

/** Records of the team of the kind of `kind`, without deleted ones. */
export async function countRecords(query: Query, kind: KeptKind, teamId: number): Promise<number> {
  const { table, isMarked } = KEPT[kind]
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)}
    WHERE team_id = ${teamId} ${isMarked ? sql`AND deleted_at IS NULL` : sql``}`.execute(query)
  return rows[0]?.count ?? 0
}

/** Deletes for good some of what was deleted before `cutoff`; true if there may be more. */
export async function removeSomeKept(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    ...{ table: 'deleted_records', key: ['id'] },
    where: 'deleted_at < $1',
    values: [cutoff],
  })
}

/** Deletes for good all that a team deleted: an account that goes leaves nothing behind. */
export async function forgetKept(query: Query, teamId: number): Promise<void> {
  await query.deleteFrom('deleted_records').where('team_id', '=', teamId).execute()
}
