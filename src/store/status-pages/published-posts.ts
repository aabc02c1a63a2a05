import { sql } from 'kysely'
import type { Impact, PostPhase } from '../../core/status-pages/post.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import type { PostRecord } from './posts.ts'

export type PublishedUpdate = {
  id: number
  phase: PostPhase
  body: string
  impacts: Impact[]
  at: Date
  createdAt: Date
}

/** A post that visitors see, and its updates in the order of their times. */
export type PublishedPost = Omit<
  PostRecord,
  'pageId' | 'incidentId' | 'isAutomatic' | 'followsWindow' | 'createdAt' | 'states' | 'publishedAt'
> & { publishedAt: Date; updates: PublishedUpdate[] }

/** Posts that began within a range, newest first. */
export async function listPostsOfRange(
  query: Query,
  pageId: number,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<PublishedPost[]> {
  const posts = await selectPosts(query, pageId)
    .where('started_at', '>=', from)
    .where('started_at', '<', to)
    .limit(limit)
    .execute()
  return withUpdates(query, posts)
}

/**
 * Posts that are not over or were not at `since`, newest first. The texts of updates of those that were over at
 * `textsSince` are left out: of them, only the states count.
 */
export async function listPostsSince(
  query: Query,
  pageId: number,
  since: Date,
  textsSince: Date,
  limit: number,
): Promise<PublishedPost[]> {
  const posts = await selectPosts(query, pageId)
    .where((eb) => eb.or([eb('resolved_at', 'is', null), eb('resolved_at', '>=', since)]))
    .limit(limit)
    .execute()
  const withText = posts.filter(({ resolvedAt }) => resolvedAt === null || resolvedAt >= textsSince)
  return withUpdates(
    query,
    posts,
    withText.map(({ id }) => id),
  )
}

export async function findPublishedPost(
  query: Query,
  pageId: number,
  postId: number,
): Promise<PublishedPost | null> {
  const posts = await selectPosts(query, pageId).where('id', '=', postId).execute()
  return (await withUpdates(query, posts))[0] ?? null
}

function selectPosts(query: Query, pageId: number) {
  return query
    .selectFrom('status_posts')
    .select(['id', 'kind', 'title', 'phase', 'started_at as startedAt', 'resolved_at as resolvedAt'])
    .select(['scheduled_for as scheduledFor', 'scheduled_until as scheduledUntil'])
    .select(['window_id as windowId', 'occurrence_at as occurrenceAt'])
    .select(['published_at as publishedAt', 'updated_at as updatedAt'])
    .where('page_id', '=', pageId)
    .where('published_at', 'is not', null)
    .$narrowType<{ publishedAt: Date }>()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
}

/** Characters of texts, and of components with their states, that are read for a page: of the newest updates. */
export const MAX_READ_TEXT = 2_000_000
const MAX_READ_IMPACTS = 8_000_000

/** Older ones are as if nothing stood there: a team could fill the memory of a process that serves all teams. */
async function withUpdates(
  query: Query,
  posts: Omit<PublishedPost, 'updates'>[],
  withText = posts.map(({ id }) => id),
): Promise<PublishedPost[]> {
  if (posts.length === 0) return []
  const isTold = anyOf(withText)
  const updates = await query
    .selectFrom('status_updates')
    .select(['id', 'post_id', 'phase', 'at', 'created_at as createdAt'])
    .select(
      sql<string>`CASE WHEN post_id = ${isTold} AND sum(length(body)) FILTER (WHERE post_id = ${isTold})
        OVER (ORDER BY at DESC, id DESC) <= ${MAX_READ_TEXT}::int THEN body ELSE '' END`.as('body'),
    )
    .select(
      sql<
        Impact[]
      >`CASE WHEN sum(length(impacts::text)) OVER (ORDER BY at DESC, id DESC) <= ${MAX_READ_IMPACTS}::int
        THEN impacts ELSE '[]'::jsonb END`.as('impacts'),
    )
    .where('post_id', '=', anyOf(posts.map(({ id }) => id)))
    .orderBy('at')
    .orderBy('id')
    .execute()
  const updatesOf = Map.groupBy(updates, ({ post_id }) => post_id)
  return posts.map((post) => ({
    ...post,
    updates: (updatesOf.get(post.id) ?? []).map(({ post_id, ...update }) => update),
  }))
}
