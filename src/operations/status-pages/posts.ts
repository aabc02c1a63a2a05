import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { ifReadable } from '../../core/maintenance/cover.ts'
import { LOOK_BACK_MS, timesOf } from '../../core/maintenance/kept-window.ts'
import { windowAt } from '../../core/maintenance/occurrence.ts'
import { publicName } from '../../core/maintenance/window.ts'
import { pick } from '../../core/shape.ts'
import { subjectOf } from '../../core/status-pages/component-subject.ts'
import { coverageOf } from '../../core/status-pages/planned-maintenance.ts'
import { MAX_POSTS, MAX_TITLE_LENGTH, NewPost, PostPatch } from '../../core/status-pages/post.ts'
import { newPostFaults, scheduleFaults } from '../../core/status-pages/posts/post-rules.ts'
import { cut } from '../../core/text.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { keepRecord } from '../../store/deleted-records.ts'
import { listKept } from '../../store/maintenance/occurrences.ts'
import { findWindow } from '../../store/maintenance/windows.ts'
import { readLayout } from '../../store/status-pages/layout.ts'
import { lockPage, pageChanged } from '../../store/status-pages/pages.ts'
import { findPostOfOccurrence } from '../../store/status-pages/planned-posts.ts'
import {
  countPosts,
  deletePost,
  listPosts,
  type PostRecord,
  updatePost,
} from '../../store/status-pages/posts.ts'
import { listUpdates } from '../../store/status-pages/updates.ts'
import { settlePost, tellOf, writePost } from '../../store/status-pages/written-posts.ts'
import { answerPage } from '../answer-page.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'
import { changePost, changePosts, refuseFault, refuseImpacts, timeOfUpdate } from './change-post.ts'
import { presentPostRow, readPostDetail } from './present-post-detail.ts'

export const listStatusPosts: Implementation<'listStatusPosts'> = {
  async perform(services, { actor: { teamId }, record, query }) {
    const { db } = services
    const filter = { pageId: record.id, state: query.state }
    const total = await countPosts(db.query, teamId, filter)
    return answerPage(
      `${dashboardUrl(services, teamId)}/status-pages/${record.id}/posts`,
      query,
      total,
      (place) => listPosts(db.query, teamId, filter, place),
      presentPostRow,
    )
  },
}

export const createStatusPost: Implementation<'createStatusPost'> = {
  validate: (_services, _asked, body) => parseFields(NewPost, body, newPostFaults),

  async perform(services, { actor, record, body }) {
    const {
      update,
      is_draft,
      kind,
      title,
      scheduled_for: scheduledFor,
      scheduled_until: scheduledUntil,
    } = body
    return changePosts(services, actor, record.id, async (query, { id: pageId }) => {
      await refuseOverPosts(query, actor.teamId, pageId)
      await refuseImpacts(query, pageId, update.impacts, 'update.')
      const now = services.databaseNow()
      const at = timeOfUpdate(update.at, now, 'update.')
      const post = { pageId, kind, title, scheduledFor, scheduledUntil, publishedAt: is_draft ? null : now }
      return writePost(query, actor.teamId, post, { ...update, at })
    })
  },
}

async function refuseOverPosts(query: Query, teamId: number, pageId: number): Promise<void> {
  if ((await countPosts(query, teamId, { pageId })) < MAX_POSTS) return
  throw Refusal.invalid({
    title: [said('must wait: the page has {count} posts, the most; delete one first', { count: MAX_POSTS })],
  })
}

export const draftMaintenancePost: Implementation<'draftMaintenancePost'> = {
  async perform(services, { actor, record, body }) {
    const { teamId } = actor
    return changePosts(services, actor, record.id, async (query, { id: pageId }) => {
      await refuseOverPosts(query, teamId, pageId)
      const window = await findWindow(query, teamId, body.window_id)
      if (!window) {
        throw Refusal.invalid({
          window_id: [said('must be the ID of a maintenance window, got {got}', { got: body.window_id })],
        })
      }
      const since = new Date(body.starts_at.getTime() - LOOK_BACK_MS)
      const kept = (await listKept(query, teamId, since)).filter(({ windowId }) => windowId === window.id)
      const found = ifReadable(() => windowAt(timesOf({ window, kept }), body.starts_at))
      const ofOccurrence = { windowId: window.id, occurrenceAt: body.starts_at }
      // Twice is once: a second post would stand beside the first.
      const known = await findPostOfOccurrence(query, pageId, ofOccurrence)
      if (known !== null) return known
      if (found?.startsAt.getTime() !== body.starts_at.getTime()) {
        throw Refusal.invalid({
          starts_at: [
            said('must be the start of an occurrence of the window, got {got}', {
              got: body.starts_at.toISOString(),
            }),
          ],
        })
      }
      const { components } = await readLayout(query, pageId)
      const covers = coverageOf(window)
      const impacts = components.flatMap((component) => {
        const subject = subjectOf(component)
        if (!subject || !covers(subject)) return []
        return { component_id: component.id, state: 'maintenance' as const }
      })
      const post = {
        pageId,
        kind: 'maintenance' as const,
        title: cut(publicName(window), MAX_TITLE_LENGTH),
        scheduledFor: found.startsAt,
        scheduledUntil: found.endsAt,
        ...ofOccurrence,
        followsWindow: true,
      }
      const now = services.databaseNow()
      const phase = found.startsAt <= now ? ('in_progress' as const) : ('scheduled' as const)
      const update = { phase, body: window.note, impacts, notifies: false }
      return writePost(query, teamId, post, { ...update, at: now })
    })
  },
}

export const getStatusPost: Implementation<'getStatusPost'> = {
  async perform(services, { actor, record }) {
    return { body: { data: await readPostDetail(services, actor.teamId, record.id) } }
  },
}

export const updateStatusPost: Implementation<'updateStatusPost'> = {
  validate: (_services, { record }, body) =>
    parseFields(PostPatch, body, (patch) =>
      scheduleFaults(record.kind, { ...scheduleOf(record), ...pick(patch, SCHEDULE) }),
    ),

  async perform(services, { actor, record, body }) {
    return changePost(services, actor, record, async (query, post) => {
      const schedule = { ...scheduleOf(post), ...pick(body, SCHEDULE) }
      refuseFault(scheduleFaults(post.kind, schedule))
      const scheduledFor = schedule.scheduled_for
      const times = { scheduledFor, scheduledUntil: schedule.scheduled_until }
      const isSame =
        times.scheduledFor?.getTime() === post.scheduledFor?.getTime() &&
        times.scheduledUntil?.getTime() === post.scheduledUntil?.getTime()
      await updatePost(query, actor.teamId, post.id, {
        ...(body.title && { title: body.title }),
        ...times,
        // Times of a person are kept from changes of the window.
        ...(!isSame && { followsWindow: false }),
      })
      await settlePost(query, actor.teamId, { ...post, scheduledFor })
    })
  },
}

const SCHEDULE = ['scheduled_for', 'scheduled_until'] as const

function scheduleOf({ scheduledFor, scheduledUntil }: PostRecord) {
  return { scheduled_for: scheduledFor, scheduled_until: scheduledUntil }
}

export const publishStatusPost: Implementation<'publishStatusPost'> = {
  async perform(services, { actor, record, body }) {
    return changePost(services, actor, record, async (query, post) => {
      // Twice is once: nobody is told again.
      if (post.publishedAt !== null) return
      await updatePost(query, actor.teamId, post.id, { publishedAt: services.databaseNow() })
      const latest = (await listUpdates(query, post.id)).at(-1)
      if (body.notifies && latest) await tellOf(query, post, latest.id)
    })
  },
}

export const deleteStatusPost: Implementation<'deleteStatusPost'> = {
  async perform({ db }, { actor: { teamId }, record }) {
    await db.query.transaction().execute(async (query) => {
      await lockPage(query, teamId, record.pageId)
      await keepRecord(query, 'StatusPost', { teamId, id: record.id })
      await deletePost(query, teamId, record.id)
      await pageChanged(query, teamId, record.pageId)
    })
    return {}
  },
}
