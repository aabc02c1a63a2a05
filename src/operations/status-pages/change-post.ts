import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { type Impact, MAX_UPDATES_OF_POST } from '../../core/status-pages/post.ts'
import { impactFaults, updateTime } from '../../core/status-pages/posts/post-rules.ts'
import type { StatusPostDetail } from '../../core/status-pages/shown-post.ts'
import type { FieldError } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { lockPage, type PageRecord, pageChanged } from '../../store/status-pages/pages.ts'
import { findPost, type PostRecord, updatePost } from '../../store/status-pages/posts.ts'
import { componentIdsOf, countUpdates } from '../../store/status-pages/updates.ts'
import { type WrittenUpdate, writeUpdate } from '../../store/status-pages/written-posts.ts'
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

/** One more update of a post of a locked page. */
export async function addUpdate(
  query: Query,
  teamId: number,
  post: PostRecord,
  update: WrittenUpdate,
): Promise<void> {
  if ((await countUpdates(query, post.id)) >= MAX_UPDATES_OF_POST) {
    throw Refusal.invalid({
      body: [
        said('must go into another post: this one has {count} updates, the most', {
          count: MAX_UPDATES_OF_POST,
        }),
      ],
    })
  }
  await writeUpdate(query, teamId, post, update)
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
  return Refusal.invalid({ [field]: [message] })
}
