import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { worstState } from '../../core/status-pages/component-state.ts'
import type { ShownUpdate, StatusPostDetail, StatusPostRow } from '../../core/status-pages/shown-post.ts'
import { findWindow } from '../../store/maintenance/windows.ts'
import { findPost, type PostRecord } from '../../store/status-pages/posts.ts'
import {
  componentIdsOf,
  countNotices,
  listUpdates,
  type UpdateRecord,
} from '../../store/status-pages/updates.ts'
import type { Services } from '../services.ts'

/** Characters of texts that are rendered, of the newest updates: more would hold other requests up. */
const MAX_RENDERED = 100_000

/** A post as its editor shows it. */
export async function readPostDetail(
  { db, renderPostBody }: Pick<Services, 'db' | 'renderPostBody'>,
  teamId: number,
  postId: number,
): Promise<StatusPostDetail> {
  const post = await findPost(db.query, teamId, postId)
  if (!post) throw new Refusal('notFound')
  const [updates, notices, componentIds, window] = await Promise.all([
    listUpdates(db.query, postId),
    countNotices(db.query, postId),
    componentIdsOf(db.query, post.pageId),
    post.windowId === null ? null : findWindow(db.query, teamId, post.windowId),
  ])
  const known = new Set(componentIds)
  let room = MAX_RENDERED
  return {
    ...presentPostRow(post),
    page_id: post.pageId,
    incident_id: post.incidentId,
    window: window && { id: window.id, name: window.name },
    follows_window: post.followsWindow && window !== null,
    created_at: formatInstant(post.createdAt),
    updates: updates.reverse().map((update) => {
      room -= update.body.length
      return {
        ...presentUpdate(update, known),
        html: room < 0 ? null : renderPostBody(update.body),
        notices: notices.get(update.id) ?? { pending: 0, sent: 0, failed: 0 },
      }
    }),
  }
}

export function presentPostRow(post: PostRecord): StatusPostRow {
  return {
    id: post.id,
    kind: post.kind,
    title: post.title,
    phase: post.phase,
    impact: worstState(post.states),
    is_draft: post.publishedAt === null,
    is_automatic: post.isAutomatic,
    started_at: formatInstant(post.startedAt),
    resolved_at: formatInstantOrNull(post.resolvedAt),
    scheduled_for: formatInstantOrNull(post.scheduledFor),
    scheduled_until: formatInstantOrNull(post.scheduledUntil),
    published_at: formatInstantOrNull(post.publishedAt),
    updated_at: formatInstant(post.updatedAt),
  }
}

function presentUpdate(
  update: UpdateRecord,
  known: ReadonlySet<number>,
): Omit<ShownUpdate, 'notices' | 'html'> {
  return {
    id: update.id,
    phase: update.phase,
    body: update.body,
    impacts: update.impacts.filter(({ component_id }) => known.has(component_id)),
    at: formatInstant(update.at),
    created_at: formatInstant(update.createdAt),
    edited_at: formatInstantOrNull(update.editedAt),
  }
}
