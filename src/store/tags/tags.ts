import { sql } from 'kysely'
import { SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { carries, partsOf } from '../../core/tags/selector.ts'
import type { MonitorTags, TagInUse } from '../../core/tags/tag-change.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import { STORED_KINDS } from '../stored-kinds.ts'

/** Arbitrary, but different from our other advisory locks. */
const LOCK = 7_215

/** A subject whose tags nobody else changes until the transaction ends. */
export type TaggedSubject = { id: number; name: string; tags: string[] }

/**
 * Lets changes of tags of a team come one after another until the transaction ends, with changes of windows that go by
 * tags: neither overlooks the other. Taken before any other lock.
 */
export async function lockTags(query: Query, teamId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::int, ${teamId}::int)`.execute(query)
}

/** Skips deleted subjects and those of other teams. */
export async function lockTagged(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<TaggedSubject[]> {
  return (
    query
      .selectFrom(STORED_KINDS[kind].table)
      .select(['id', 'name', 'tags'])
      .where('team_id', '=', teamId)
      .where('id', '=', anyOf([...ids]))
      .where('deleted_at', 'is', null)
      .orderBy('id')
      // Not FOR UPDATE: new incidents refer to the subject, and must not wait for us.
      .forNoKeyUpdate()
      .execute()
  )
}

export async function saveTags(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  subjects: readonly Pick<TaggedSubject, 'id' | 'tags'>[],
): Promise<void> {
  const changed = JSON.stringify(subjects.map(({ id, tags }) => ({ id, tags })))
  await sql`
    UPDATE ${sql.table(STORED_KINDS[kind].table)} AS s
    SET tags = ARRAY(SELECT jsonb_array_elements_text(n.one->'tags'))
    FROM jsonb_array_elements(${changed}::jsonb) AS n (one)
    WHERE s.team_id = ${teamId} AND s.id = (n.one->>'id')::int
    RETURNING ${changeNotification(teamId, `${kind}s`)}`.execute(query)
}

export async function readTags(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  id: number,
): Promise<string[] | null> {
  const row = await query
    .selectFrom(STORED_KINDS[kind].table)
    .select('tags')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.tags ?? null
}

/** The monitors of a team that have tags, by id. */
export async function listMonitorTags(query: Query, teamId: number): Promise<MonitorTags[]> {
  return query
    .selectFrom('monitors')
    .select(['id', 'tags'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`tags <> '{}'`)
    .orderBy('id')
    .execute()
}

/** In the order of the tags. */
export async function listTagsInUse(query: Query, teamId: number): Promise<TagInUse[]> {
  const { rows } = await sql<TagInUse>`
    SELECT tag, ${sql.join(SUBJECT_KINDS.map(countOf))}
    FROM (${sql.join(
      SUBJECT_KINDS.map((kind) => tagsOf(teamId, kind)),
      sql` UNION ALL `,
    )}) AS used
    GROUP BY tag ORDER BY tag COLLATE "C"`.execute(query)
  return rows
}

function countOf(kind: SubjectKind) {
  return sql`count(*) FILTER (WHERE kind = ${kind}) AS ${sql.ref(`${kind}s`)}`
}

function tagsOf(teamId: number, kind: SubjectKind) {
  return sql`
    SELECT ${kind}::text AS kind, unnest(tags) AS tag FROM ${sql.table(STORED_KINDS[kind].table)}
    WHERE team_id = ${teamId} AND deleted_at IS NULL AND tags <> '{}'`
}

/**
 * The subjects of a kind that carry all of some tags, by id. A deleted monitor is among them: it can be restored, and
 * nothing else can.
 */
export async function listCarriers(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  selectors: readonly string[],
): Promise<number[]> {
  const { exact, keys } = partsOf(selectors)
  const subjects = query
    .selectFrom(STORED_KINDS[kind].table)
    .select(['id', 'tags'])
    .where('team_id', '=', teamId)
  const rows = await (kind === 'monitor' ? subjects : subjects.where('deleted_at', 'is', null))
    .where(sql<boolean>`tags @> ${exact}::text[]`)
    .orderBy('id')
    .execute()
  return rows.filter(({ tags }) => carries(tags, keys)).map(({ id }) => id)
}
