import { sql } from 'kysely'
import { ofEachField, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { idsOf, type SubjectIds, subjectOf } from '../../core/status-pages/component-subject.ts'
import type { LayoutIds, PlacedGroup, PlacedLayout } from '../../core/status-pages/layout.ts'
import type { Component, Group } from '../../core/status-pages/status-page.ts'
import type { Query } from '../../postgres/database.ts'

/** The subject of a component, as it is stored. */
type StoredSubject = { kind: SubjectKind | null; subject_id: number | null }

/** A component, and its subject as far as the editor shows it. */
export type ComponentRow = Omit<Component, 'id'> & {
  id: number
  by_tag: boolean
  group_id: number | null
  position: number
  subject_name: string | null
  subject_deleted: boolean
}
export type GroupRow = Omit<Group, 'id' | 'components'> & { id: number; position: number }

/** In the order of the page: groups and components without one share their positions. */
export async function readLayout(
  query: Query,
  pageId: number,
): Promise<{ groups: GroupRow[]; components: ComponentRow[] }> {
  const groups = await readGroups(query, pageId)
  const components = await query
    .selectFrom('status_components as c')
    .leftJoin('subjects as v', (join) =>
      join.onRef('v.kind', '=', 'c.kind').onRef('v.id', '=', 'c.subject_id'),
    )
    .select(['c.id', 'c.group_id', 'c.position', 'c.kind', 'c.subject_id', 'c.name'])
    .select(['c.description', 'c.shows_uptime', 'c.shows_chart', 'c.state', 'c.by_tag'])
    .select('v.name as subject_name')
    .select(sql<boolean>`v.deleted_at IS NOT NULL`.as('subject_deleted'))
    .where('c.page_id', '=', pageId)
    .orderBy('c.position')
    .orderBy('c.id')
    .execute()
  return { groups, components: components.map(withIds) }
}

export async function readGroups(query: Query, pageId: number): Promise<(GroupRow & { created_at: Date })[]> {
  return query
    .selectFrom('status_groups')
    .select(['id', 'name', 'is_open', 'tags', 'position', 'created_at'])
    .where('page_id', '=', pageId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Replaces what is on a locked page. Ids must be of the page; rows with none are new; others are removed. */
export async function writeLayout(
  query: Query,
  pageId: number,
  { groups, components }: PlacedLayout,
): Promise<void> {
  const keptGroups = await writeGroups(query, pageId, groups)
  await writeComponents(
    query,
    pageId,
    components.map(({ group, ...rest }) => ({
      ...rest,
      group_id: group === null ? null : (keptGroups[group] as number),
    })),
  )
  // Last: a group takes its components along.
  await query
    .deleteFrom('status_groups')
    .where('page_id', '=', pageId)
    .where('id', '!=', sql<number>`ALL(${keptGroups}::int[])`)
    .execute()
}

/** Their ids, in the same order. */
async function writeGroups(query: Query, pageId: number, groups: PlacedGroup[]): Promise<number[]> {
  const known = groups.filter(({ id }) => id !== null)
  await sql`UPDATE status_groups AS g SET name = s.name, is_open = s.is_open, tags = s.tags, position = s.position
    FROM jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      AS s (id int, name text, is_open boolean, tags text[], position int)
    WHERE g.id = s.id AND g.page_id = ${pageId}`.execute(query)
  const added = groups.filter(({ id }) => id === null)
  const { rows } = await sql<{ id: number; position: number }>`
    INSERT INTO status_groups (page_id, name, is_open, tags, position)
    SELECT ${pageId}::int, name, is_open, tags, position FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      AS s (name text, is_open boolean, tags text[], position int) ORDER BY position
    RETURNING id, position`.execute(query)
  const newIds = new Map(rows.map(({ id, position }) => [position, id]))
  return groups.map(({ id, position }) => id ?? (newIds.get(position) as number))
}

async function writeComponents(
  query: Query,
  pageId: number,
  components: (Component & { position: number; group_id: number | null })[],
): Promise<void> {
  const kept = components.flatMap(({ id }) => (id === null ? [] : [id]))
  await query
    .deleteFrom('status_components')
    .where('page_id', '=', pageId)
    .where('id', '!=', sql<number>`ALL(${kept}::int[])`)
    .execute()
  const known = components.filter(({ id }) => id !== null).map(withSubject)
  // `updated_at` is of the component, not of its place. One that a person moved to another group stays there.
  await sql`UPDATE status_components AS c SET group_id = s.group_id, position = s.position,
      by_tag = c.by_tag AND c.group_id IS NOT DISTINCT FROM s.group_id, kind = s.kind, subject_id = s.subject_id,
      name = s.name, description = s.description, shows_uptime = s.shows_uptime, shows_chart = s.shows_chart, state = s.state,
      updated_at = CASE WHEN (c.kind, c.subject_id, c.name, c.description, c.state)
        IS DISTINCT FROM (s.kind, s.subject_id, s.name, s.description, s.state)
        THEN now() ELSE c.updated_at END
    FROM jsonb_to_recordset(${JSON.stringify(known)}::jsonb) AS s (id int, group_id int, position int,
      kind text, subject_id int, name text, description text, shows_uptime boolean, shows_chart boolean, state text)
    WHERE c.id = s.id AND c.page_id = ${pageId}`.execute(query)
  const added = components.filter(({ id }) => id === null)
  await insertComponents(
    query,
    pageId,
    added.map((component) => ({ ...component, by_tag: false })),
  )
}

/** Their ids are ignored. */
export async function insertComponents(
  query: Query,
  pageId: number,
  components: readonly (Component & { position: number; group_id: number | null; by_tag: boolean })[],
): Promise<void> {
  await sql`INSERT INTO status_components (page_id, group_id, position, kind, subject_id, name, description,
      shows_uptime, shows_chart, state, by_tag)
    SELECT ${pageId}::int, group_id, position, kind, subject_id, name, description, shows_uptime, shows_chart, state, by_tag
    FROM jsonb_to_recordset(${JSON.stringify(components.map(withSubject))}::jsonb) AS s (group_id int, position int,
      kind text, subject_id int, name text, description text, shows_uptime boolean, shows_chart boolean, state text,
      by_tag boolean)
    ORDER BY group_id NULLS FIRST, position`.execute(query)
}

/** A row with the subject that the fields of a component name, and the other way round. */
function withSubject<Row extends SubjectIds>(row: Row) {
  const subject = subjectOf(row)
  return { ...row, kind: subject?.kind ?? null, subject_id: subject?.id ?? null }
}

export function withIds<Row extends StoredSubject>({ kind, subject_id, ...row }: Row) {
  return { ...row, ...idsOf(kind && subject_id ? { kind, id: subject_id } : null) }
}

/** Ids of groups and components on a page, and the subjects that its components have already. */
export async function readLayoutIds(query: Query, pageId: number): Promise<LayoutIds> {
  const groups = await query.selectFrom('status_groups').select('id').where('page_id', '=', pageId).execute()
  const components = await query
    .selectFrom('status_components')
    .select(['id', 'kind', 'subject_id'])
    .where('page_id', '=', pageId)
    .execute()
  const subjects = Map.groupBy(components, ({ kind }) => kind)
  const idsOfKind = (kind: SubjectKind) => [
    ...new Set(subjects.get(kind)?.flatMap(({ subject_id }) => subject_id ?? [])),
  ]
  return {
    groups: groups.map(({ id }) => id),
    components: components.map(({ id }) => id),
    ...ofEachField('s', idsOfKind),
  }
}

/** How many components each page of a team has. Pages without any are left out. */
export async function countComponents(query: Query, teamId: number): Promise<Map<number, number>> {
  const rows = await query
    .selectFrom('status_components as c')
    .innerJoin('status_pages as p', 'p.id', 'c.page_id')
    .select(({ fn }) => ['c.page_id', fn.countAll<number>().as('count')])
    .where('p.team_id', '=', teamId)
    .groupBy('c.page_id')
    .execute()
  return new Map(rows.map(({ page_id, count }) => [page_id, count]))
}
