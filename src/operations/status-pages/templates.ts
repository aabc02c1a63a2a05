import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { MAX_TEMPLATES, PostTemplate } from '../../core/status-pages/post.ts'
import {
  countTemplates,
  findTemplate,
  insertTemplate,
  listTemplates,
  updateTemplate,
} from '../../store/status-pages/templates.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { deletionFrom } from '../delete-record.ts'
import type { Implementation } from '../implementation.ts'

export const listStatusTemplates: Implementation<'listStatusTemplates'> = {
  async perform({ db }, { actor }) {
    return { body: { data: await listTemplates(db.query, actor.teamId) } }
  },
}

export const createStatusTemplate: Implementation<'createStatusTemplate'> = {
  async perform({ db }, { actor: { teamId }, body }) {
    const id = await db.query.transaction().execute(async (query) => {
      await lockTeam(query, teamId)
      if ((await countTemplates(query, teamId)) >= MAX_TEMPLATES) {
        throw Refusal.invalid({
          name: [
            said('must wait: the team has {count} templates, the most; delete one first', {
              count: MAX_TEMPLATES,
            }),
          ],
        })
      }
      return insertTemplate(query, teamId, body)
    })
    return { body: { data: { ...body, id } } }
  },
}

export const updateStatusTemplate: Implementation<'updateStatusTemplate'> = {
  async perform({ db }, { actor: { teamId }, record, body }) {
    await updateTemplate(db.query, teamId, record.id, pick(body, keysOf(PostTemplate.shape)))
    const data = await findTemplate(db.query, teamId, record.id)
    if (!data) throw new Refusal('notFound')
    return { body: { data } }
  },
}

export const deleteStatusTemplate: Implementation<'deleteStatusTemplate'> = deletionFrom('status_templates')
