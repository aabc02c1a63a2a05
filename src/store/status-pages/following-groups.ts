import { sql } from 'kysely'
import { ofEachKind, SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type {
  Carrier,
  Carriers,
  FollowedComponent,
  Following,
  FollowingGroup,
} from '../../core/status-pages/following-groups.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { STORED_KINDS } from '../stored-kinds.ts'
import { insertComponents, withIds } from './layout.ts'

/** The groups of a team's pages that follow tags, in the order of the pages' ids. */
export async function listFollowingGroups(
  query: Query,
  teamId: number,
): Promise<(FollowingGroup & { pageId: number })[]> {
  return query
    .selectFrom('status_groups as g')
    .innerJoin('status_pages as p', 'p.id', 'g.page_id')
    .select(['g.id', 'g.tags', 'g.page_id as pageId'])
    .where('p.team_id', '=', teamId)
    .where('g.tags', '<>', sql<string[]>`'{}'`)
    .orderBy('g.page_id')
    .orderBy('g.position')
    .execute()
}

/** Everything of a team that has tags, by name. Deleted monitors are among it: they can be restored. */
export async function readCarriers(query: Query, teamId: number): Promise<Carriers> {
  const carriers = ofEachKind<readonly Carrier[]>(() => [])
  for (const kind of SUBJECT_KINDS) carriers[kind] = await readCarriersOf(query, teamId, kind)
  return carriers
}

async function readCarriersOf(query: Query, teamId: number, kind: SubjectKind): Promise<Carrier[]> {
  const tagged = query
    .selectFrom(STORED_KINDS[kind].table)
    .select(['id', 'name', 'tags'])
    .where('team_id', '=', teamId)
    .where('tags', '<>', sql<string[]>`'{}'`)
  return (kind === 'monitor' ? tagged : tagged.where('deleted_at', 'is', null))
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
}

/** The components of a locked page, and its groups in their order. */
export async function readFollowed(
  query: Query,
  pageId: number,
): Promise<{ groups: FollowingGroup[]; components: FollowedComponent[] }> {
  const groups = await query
    .selectFrom('status_groups')
    .select(['id', 'tags'])
    .where('page_id', '=', pageId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  const components = await query
    .selectFrom('status_components')
    .select(['id', 'group_id', 'by_tag', 'kind', 'subject_id'])
    .where('page_id', '=', pageId)
    .orderBy('id')
    .execute()
  return { groups, components: components.map(withIds) }
}

/** Components that join are the last of their group. */
export async function writeFollowing(
  query: Query,
  pageId: number,
  { leaving, marked, joining }: Following,
): Promise<void> {
  const ofPage = query.updateTable('status_components').where('page_id', '=', pageId)
  for (const by_tag of [true, false]) {
    const ids = marked.filter((one) => one.by_tag === by_tag).map(({ id }) => id)
    if (ids.length > 0) await ofPage.set({ by_tag }).where('id', '=', anyOf(ids)).execute()
  }
  if (leaving.length > 0) {
    await query
      .deleteFrom('status_components')
      .where('page_id', '=', pageId)
      .where('id', '=', anyOf(leaving))
      .execute()
  }
  if (joining.length === 0) return
  const { rows } = await sql<{ last: number }>`
    SELECT coalesce(max(position), -1) AS last FROM status_components WHERE page_id = ${pageId}`.execute(
    query,
  )
  const first = (rows[0]?.last ?? -1) + 1
  const components = joining.map((component, index) => ({
    ...component,
    position: first + index,
    by_tag: true,
  }))
  await insertComponents(query, pageId, components)
}
