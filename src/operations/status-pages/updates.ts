import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { PostUpdate, PostUpdatePatch } from '../../core/status-pages/post.ts'
import { phaseFaults } from '../../core/status-pages/posts/post-rules.ts'
import { parseFields } from '../../core/validation.ts'
import { findPost, type PostRecord } from '../../store/status-pages/posts.ts'
import { deleteUpdate, editUpdate, listUpdates, type UpdateRecord } from '../../store/status-pages/updates.ts'
import { settlePost } from '../../store/status-pages/written-posts.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { addUpdate, changePost, refuseFault, refuseImpacts, timeOfUpdate } from './change-post.ts'

export const addStatusUpdate: Implementation<'addStatusUpdate'> = {
  validate: (_services, { record }, body) =>
    parseFields(PostUpdate, body, ({ phase }) => phaseFaults(record.kind, phase)),

  async perform(services, { actor, record, body }) {
    return changePost(services, actor, record, async (query, post) => {
      await refuseImpacts(query, post.pageId, body.impacts)
      const at = timeOfUpdate(body.at, services.databaseNow())
      await addUpdate(query, actor.teamId, post, { ...body, at })
    })
  },
}

export const editStatusUpdate: Implementation<'editStatusUpdate'> = {
  validate: (_services, _asked, body) => parseFields(PostUpdatePatch, body),

  async perform(services, { actor, record, body }) {
    return changePost(services, actor, await postOf(services, actor, record), async (query, post) => {
      refuseFault(phaseFaults(post.kind, body.phase))
      await refuseImpacts(query, post.pageId, body.impacts ?? [])
      const { phase, body: words, impacts } = body
      await editUpdate(query, record.id, {
        ...(phase && { phase }),
        ...(words !== undefined && { body: words }),
        ...(impacts && { impacts }),
        ...(body.at && { at: timeOfUpdate(body.at, services.databaseNow()) }),
      })
      await settlePost(query, actor.teamId, post)
    })
  },
}

export const deleteStatusUpdate: Implementation<'deleteStatusUpdate'> = {
  async perform(services, { actor, record }) {
    return changePost(services, actor, await postOf(services, actor, record), async (query, post) => {
      const others = (await listUpdates(query, post.id)).filter(({ id }) => id !== record.id)
      if (others.length === 0) {
        throw Refusal.invalid({ update: [said('must stay, as the only one of its post: delete the post')] })
      }
      await deleteUpdate(query, actor.teamId, record.id)
      await settlePost(query, actor.teamId, post)
    })
  },
}

export const previewStatusText: Implementation<'previewStatusText'> = {
  async perform({ renderPostBody }, { body }) {
    return { body: { data: { html: renderPostBody(body.body) } } }
  },
}

async function postOf({ db }: Services, { teamId }: Actor, { postId }: UpdateRecord): Promise<PostRecord> {
  const post = await findPost(db.query, teamId, postId)
  if (!post) throw new Refusal('notFound')
  return post
}
