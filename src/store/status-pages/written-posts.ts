import type { PostUpdate } from '../../core/status-pages/post.ts'
import { postState } from '../../core/status-pages/posts/post-rules.ts'
import type { Query } from '../../postgres/database.ts'
import { queueNotices } from './notices.ts'
import { insertPost, type NewPostRow, type PostRecord, updatePost } from './posts.ts'
import { insertUpdate, listUpdates } from './updates.ts'

/** Writes of a person or the service: on a locked page, with their messages in the same transaction. */
export type WrittenUpdate = Pick<PostUpdate, 'phase' | 'body' | 'impacts' | 'notifies'> & { at: Date }

type WrittenPost = Pick<PostRecord, 'id' | 'pageId' | 'kind' | 'scheduledFor' | 'publishedAt'>

/** A post with its first update. */
export async function writePost(
  query: Query,
  teamId: number,
  post: Omit<NewPostRow, 'phase' | 'startedAt' | 'resolvedAt'>,
  update: WrittenUpdate,
): Promise<number> {
  const id = await insertPost(query, teamId, { ...post, ...postState(post, [update]) })
  const updateId = await insertUpdate(query, { ...update, postId: id })
  const { pageId, publishedAt = null } = post
  if (update.notifies && publishedAt !== null) await tellOf(query, { id, pageId }, updateId)
  return id
}

/** One more update of a post. */
export async function writeUpdate(
  query: Query,
  teamId: number,
  post: WrittenPost,
  update: WrittenUpdate,
): Promise<void> {
  const updateId = await insertUpdate(query, { ...update, postId: post.id })
  await settlePost(query, teamId, post)
  if (update.notifies && post.publishedAt !== null) await tellOf(query, post, updateId)
}

/** Tells subscribers of an update of a published post: those of any component that the post ever named. */
export async function tellOf(
  query: Query,
  { id, pageId }: Pick<WrittenPost, 'id' | 'pageId'>,
  updateId: number,
): Promise<void> {
  const named = (await listUpdates(query, id)).flatMap(({ impacts }) => impacts)
  const componentIds = [...new Set(named.map(({ component_id }) => component_id))]
  await queueNotices(query, { pageId, updateId, componentIds })
}

/** Brings what a post says of itself in line with its updates. */
export async function settlePost(
  query: Query,
  teamId: number,
  post: Pick<WrittenPost, 'id' | 'kind' | 'scheduledFor'>,
): Promise<void> {
  await updatePost(query, teamId, post.id, postState(post, await listUpdates(query, post.id)))
}
