import { sql } from 'kysely'
import type { ComponentState } from '../../core/status-pages/component-state.ts'
import type { PostKind, PostPhase } from '../../core/status-pages/post.ts'
import type { PostState } from '../../core/status-pages/shown-post.ts'
import type { Query } from '../../postgres/database.ts'

/** A post, or a draft of one, without its updates. */
export type PostRecord = {
  id: number
  pageId: number
  kind: PostKind
  title: string
  phase: PostPhase
  startedAt: Date
  resolvedAt: Date | null
  scheduledFor: Date | null
  scheduledUntil: Date | null
  incidentId: number | null
  /** The service writes it, and no person changed it. */
  isAutomatic: boolean
  /** The occurrence of a window that it is about; null for others. */
  windowId: number | null
  occurrenceAt: Date | null
  /** Its times are those of the occurrence. */
  followsWindow: boolean
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
  /** That its updates said about components. */
  states: ComponentState[]
}

export type NewPostRow = Pick<
  PostRecord,
  'pageId' | 'kind' | 'title' | 'phase' | 'startedAt' | 'resolvedAt' | 'scheduledFor' | 'scheduledUntil'
> &
  Partial<
    Pick<
      PostRecord,
      'incidentId' | 'isAutomatic' | 'windowId' | 'occurrenceAt' | 'followsWindow' | 'publishedAt'
    >
  >

/** Newest first. */
export async function listPosts(
  query: Query,
  teamId: number,
  filter: { pageId: number; state?: PostState | undefined },
  page: { limit: number; offset: number },
): Promise<PostRecord[]> {
  return withColumns(selectMatching(query, teamId, filter))
    .orderBy('p.started_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export async function countPosts(
  query: Query,
  teamId: number,
  filter: { pageId: number; state?: PostState | undefined },
): Promise<number> {
  const { count } = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findPost(query: Query, teamId: number, postId: number): Promise<PostRecord | null> {
  const post = await withColumns(selectPosts(query, teamId)).where('p.id', '=', postId).executeTakeFirst()
  return post ?? null
}

export async function insertPost(query: Query, teamId: number, post: NewPostRow): Promise<number> {
  const { id } = await query
    .insertInto('status_posts')
    .values({
      page_id: post.pageId,
      team_id: teamId,
      kind: post.kind,
      title: post.title,
      phase: post.phase,
      started_at: post.startedAt,
      resolved_at: post.resolvedAt,
      scheduled_for: post.scheduledFor,
      scheduled_until: post.scheduledUntil,
      incident_id: post.incidentId ?? null,
      is_automatic: post.isAutomatic ?? false,
      window_id: post.windowId ?? null,
      occurrence_at: post.occurrenceAt ?? null,
      follows_window: post.followsWindow ?? false,
      published_at: post.publishedAt ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes what changed of a post of a locked page. */
export async function updatePost(
  query: Query,
  teamId: number,
  postId: number,
  changes: Partial<Omit<NewPostRow, 'pageId' | 'kind' | 'incidentId' | 'windowId'>>,
): Promise<void> {
  await query
    .updateTable('status_posts')
    .set({
      title: changes.title,
      phase: changes.phase,
      started_at: changes.startedAt,
      resolved_at: changes.resolvedAt,
      scheduled_for: changes.scheduledFor,
      scheduled_until: changes.scheduledUntil,
      is_automatic: changes.isAutomatic,
      occurrence_at: changes.occurrenceAt,
      follows_window: changes.followsWindow,
      published_at: changes.publishedAt,
      updated_at: sql<Date>`now()`,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', postId)
    .execute()
}

/** Its updates go, too, and messages about them that are not sent yet. */
export async function deletePost(query: Query, teamId: number, postId: number): Promise<void> {
  await query.deleteFrom('status_posts').where('team_id', '=', teamId).where('id', '=', postId).execute()
}

function selectPosts(query: Query, teamId: number) {
  return query.selectFrom('status_posts as p').where('p.team_id', '=', teamId)
}

function selectMatching(
  query: Query,
  teamId: number,
  { pageId, state }: { pageId: number; state?: PostState | undefined },
) {
  const posts = selectPosts(query, teamId).where('p.page_id', '=', pageId)
  if (state === undefined) return posts
  if (state === 'draft') return posts.where('p.published_at', 'is', null)
  return posts
    .where('p.published_at', 'is not', null)
    .where('p.resolved_at', state === 'active' ? 'is' : 'is not', null)
}

function withColumns(posts: ReturnType<typeof selectPosts>) {
  return posts
    .select(['p.id', 'p.page_id as pageId', 'p.kind', 'p.title', 'p.phase'])
    .select(['p.started_at as startedAt', 'p.resolved_at as resolvedAt', 'p.scheduled_for as scheduledFor'])
    .select(['p.scheduled_until as scheduledUntil', 'p.incident_id as incidentId'])
    .select(['p.is_automatic as isAutomatic', 'p.published_at as publishedAt'])
    .select(['p.window_id as windowId', 'p.occurrence_at as occurrenceAt'])
    .select('p.follows_window as followsWindow')
    .select(['p.created_at as createdAt', 'p.updated_at as updatedAt'])
    .select(
      sql<ComponentState[]>`ARRAY(SELECT DISTINCT i ->> 'state'
        FROM status_updates u, jsonb_array_elements(u.impacts) AS i WHERE u.post_id = p.id)`.as('states'),
    )
}
