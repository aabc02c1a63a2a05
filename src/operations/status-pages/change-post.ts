import { Refusal } from '../../core/errors.ts'
import type { Impact, PostUpdate } from '../../core/status-pages/post.ts'
import { MAX_UPDATES_OF_POST } from '../../core/status-pages/post.ts'
import { impactFaults, postState, updateTime } from '../../core/status-pages/post-rules.ts'
import type { StatusPostDetail } from '../../core/status-pages/shown-post.ts'
import type { FieldError } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { queueNotices } from '../../store/status-pages/notices.ts'
import { lockPage, type PageRecord, pageChanged } from '../../store/status-pages/pages.ts'
import {
  findPost,
  insertPost,
  type NewPostRow,
  type PostRecord,
  updatePost,
} from '../../store/status-pages/posts.ts'
import { componentIdsOf, insertUpdate, listUpdates } from '../../store/status-pages/updates.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { readPostDetail } from './present-post-detail.ts'

/** Does work on a locked page, says that it changed, and answers with the post that the work returns the id of. */
export async function changePosts(
  services: Services,
  { teamId }: Actor,
  pageId: number,
  work: (query: Query, page: PageRecord) => Promise<number>,
): Promise<{ body: { data: StatusPostDetail } }> {
  const postId = await services.db.query.transaction().execute(async (query) => {
    const page = await lockPage(query, teamId, pageId)
    if (!page) throw new Refusal('notFound')
    const changed = await work(query, page)
    await pageChanged(query, teamId, pageId)
    return changed
  })
  return { body: { data: await readPostDetail(services, teamId, postId) } }
}

/** The same for a post that is there: what a person changes, the service does not go on with. */
export function changePost(
  services: Services,
  actor: Actor,
  { id, pageId }: Pick<PostRecord, 'id' | 'pageId'>,
  work: (query: Query, post: PostRecord) => Promise<void>,
): Promise<{ body: { data: StatusPostDetail } }> {
  return changePosts(services, actor, pageId, async (query) => {
    const post = await findPost(query, actor.teamId, id)
    if (!post) throw new Refusal('notFound')
    await work(query, post)
    await updatePost(query, actor.teamId, id, { isAutomatic: false })
    return id
  })
}

/** A post with its first update. */
export async function writePost(
  query: Query,
  teamId: number,
  post: Omit<NewPostRow, 'phase' | 'startedAt' | 'resolvedAt'>,
  update: Pick<PostUpdate, 'phase' | 'body' | 'impacts' | 'notifies'> & { at: Date },
): Promise<number> {
  const postId = await insertPost(query, teamId, { ...post, ...postState(post, [update]) })
  const updateId = await insertUpdate(query, { ...update, postId })
  const isTold = update.notifies && (post.publishedAt ?? null) !== null
  if (isTold) await queueNotices(query, { pageId: post.pageId, updateId, componentIds: idsOf([update]) })
  return postId
}

/** One more update of a post of a locked page. */
export async function writeUpdate(
  query: Query,
  teamId: number,
  post: PostRecord,
  update: Pick<PostUpdate, 'phase' | 'body' | 'impacts' | 'notifies'> & { at: Date },
): Promise<void> {
  const updates = await listUpdates(query, post.id)
  if (updates.length >= MAX_UPDATES_OF_POST) {
    throw Refusal.invalid({
      body: [`body must go into another post: this one has ${MAX_UPDATES_OF_POST} updates, the most`],
    })
  }
  const updateId = await insertUpdate(query, { ...update, postId: post.id })
  await settlePost(query, teamId, post)
  if (update.notifies && post.publishedAt !== null) await tellOf(query, post, updateId)
}

/** Tells subscribers of an update of a published post, all who were told of any component that it names. */
export async function tellOf(
  query: Query,
  { id, pageId }: Pick<PostRecord, 'id' | 'pageId'>,
  updateId: number,
): Promise<void> {
  await queueNotices(query, { pageId, updateId, componentIds: idsOf(await listUpdates(query, id)) })
}

/** Brings what a post says of itself in line with its updates. */
export async function settlePost(
  query: Query,
  teamId: number,
  post: Pick<PostRecord, 'id' | 'kind' | 'scheduledFor'>,
): Promise<void> {
  await updatePost(query, teamId, post.id, postState(post, await listUpdates(query, post.id)))
}

export function timeOfUpdate(at: Date | null, now: Date, path = ''): Date {
  const time = updateTime(at, now)
  if (time instanceof Date) return time
  throw invalid({ ...time, field: `${path}${time.field}` })
}

export async function refuseImpacts(
  query: Query,
  pageId: number,
  impacts: readonly Impact[],
  path = '',
): Promise<void> {
  if (impacts.length === 0) return
  const faults = impactFaults(impacts, await componentIdsOf(query, pageId), path)
  if (Object.keys(faults).length > 0) throw Refusal.invalid(faults)
}

export function refuseFault([fault]: FieldError[]): void {
  if (fault) throw invalid(fault)
}

function invalid({ field, message }: FieldError): Refusal {
  return Refusal.invalid({ [field]: [`${field} ${message}`] })
}

function idsOf(updates: readonly { impacts: readonly Impact[] }[]): number[] {
  return [...new Set(updates.flatMap(({ impacts }) => impacts.map(({ component_id }) => component_id)))]
}
