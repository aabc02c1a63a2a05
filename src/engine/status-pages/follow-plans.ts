import { type FollowedOccurrence, followOccurrence } from '../../core/maintenance/followed-occurrence.ts'
import { MAX_UPDATES_OF_POST } from '../../core/status-pages/post.ts'
import { followPlan } from '../../core/status-pages/posts/planned-post.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { lockPage, pageChanged } from '../../store/status-pages/pages.ts'
import {
  findPostOfOccurrence,
  listPostsToFollow,
  noteFollowed,
  readFollowedWindow,
  readWindowRevision,
} from '../../store/status-pages/planned-posts.ts'
import { findPost, type PostRecord, updatePost } from '../../store/status-pages/posts.ts'
import { listUpdates } from '../../store/status-pages/updates.ts'
import { settlePost, writeUpdate } from '../../store/status-pages/written-posts.ts'

type Found = { id: number; pageId: number; teamId: number }

/**
 * Lets posts about planned maintenance begin and end at their times, and move with the occurrence of a window that they were
 * made from. Its plan is in the database; the lock of a page lets one process write.
 */
export async function followPlans(
  db: Database,
  now: Date,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  for (const found of await listPostsToFollow(db.query, now)) {
    await db.query
      .transaction()
      .execute((query) => followPost(query, found, now))
      .catch(onTrouble)
  }
}

async function followPost(query: Query, { id, pageId, teamId }: Found, now: Date): Promise<void> {
  const page = await lockPage(query, teamId, pageId)
  const post = await findPost(query, teamId, id)
  if (!page || !post?.scheduledFor || !post.scheduledUntil) return
  const revision = await readWindowRevision(query, teamId)
  const occurrence = await occurrenceOf(query, teamId, post)
  const updates = await listUpdates(query, id)
  const latest = updates.at(-1)
  if (!latest) return
  const { scheduledFor, scheduledUntil } = post
  const step = followPlan(
    { phase: post.phase, isDraft: post.publishedAt === null, scheduledFor, scheduledUntil, latest },
    occurrence,
    page.language,
    now,
  )
  const { updates: said, ...times } = step
  const moved = await occurrenceAtOf(query, post, occurrence)
  if (Object.keys(times).length > 0 || moved) {
    await updatePost(query, teamId, id, { ...times, ...(moved && { occurrenceAt: moved }) })
    await settlePost(query, teamId, { ...post, ...times })
  }
  // The last place is for the end.
  let room = MAX_UPDATES_OF_POST - 1 - updates.length
  for (const update of said) {
    if (update.phase === 'completed' || room-- > 0)
      await writeUpdate(query, teamId, { ...post, ...times }, update)
  }
  if (post.followsWindow) await noteFollowed(query, teamId, id, revision)
  if (said.length > 0 || Object.keys(times).length > 0 || moved) await pageChanged(query, teamId, pageId)
}

async function occurrenceOf(
  query: Query,
  teamId: number,
  { followsWindow, windowId, occurrenceAt }: PostRecord,
): Promise<FollowedOccurrence | null | undefined> {
  // A window that history has forgotten says nothing any more.
  if (!followsWindow || windowId === null || occurrenceAt === null) return undefined
  return followOccurrence(await readFollowedWindow(query, teamId, { windowId, occurrenceAt }), occurrenceAt)
}

/** The occurrence that a post is about from now on, where that is another, and no other post of the page is about it. */
async function occurrenceAtOf(
  query: Query,
  { pageId, windowId, occurrenceAt }: PostRecord,
  occurrence: FollowedOccurrence | null | undefined,
): Promise<Date | null> {
  if (!occurrence || windowId === null) return null
  const next = occurrence.occurrenceAt
  if (next.getTime() === occurrenceAt?.getTime()) return null
  const taken = await findPostOfOccurrence(query, pageId, { windowId, occurrenceAt: next })
  return taken === null ? next : null
}
