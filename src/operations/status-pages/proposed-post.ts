import { Refusal } from '../../core/errors.ts'
import { SUBJECT_KINDS } from '../../core/maintenance/subject-kind.ts'
import { subjectOf } from '../../core/status-pages/component-subject.ts'
import { MAX_IMPACTS } from '../../core/status-pages/post.ts'
import type { PostAbout } from '../../core/status-pages/post-about.ts'
import { beginPost, type DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import { listDownComponents } from '../../store/status-pages/automatic-posts.ts'
import { readPage } from '../../store/status-pages/pages.ts'
import { readShownComponents } from '../../store/status-pages/shown-components.ts'
import { findTemplate } from '../../store/status-pages/templates.ts'
import type { Implementation } from '../implementation.ts'

/** In the words that the service's own draft would have. */
export const proposeStatusPost: Implementation<'proposeStatusPost'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record, query: about }) {
    const page = await readPage(db.query, record.id)
    if (!page) throw new Refusal('notFound')
    const now = databaseNow()
    const all = await listDownComponents(db.query, page.id, now)
    const isAboutSome = SUBJECT_KINDS.some((kind) => about[`${kind}s`] !== undefined)
    const down = isAboutSome ? await showing(db.query, page.id, about, all, now) : all
    const shown = down.slice(0, MAX_IMPACTS)
    if (shown.length === 0) return { body: { data: { title: '', body: '', impacts: [] } } }
    const template = page.template_id === null ? null : await findTemplate(db.query, teamId, page.template_id)
    const { title, update } = beginPost({ name: page.name, language: page.language, template }, shown)
    return { body: { data: { title, body: update.body, impacts: update.impacts } } }
  },
}

/** Components that show the subjects: the ones of their incidents, though these may be over by now. */
async function showing(
  query: Query,
  pageId: number,
  about: PostAbout,
  down: readonly DownComponent[],
  now: Date,
): Promise<DownComponent[]> {
  const begun = new Map(down.map((one) => [one.id, one]))
  const rows = await readShownComponents(query, pageId, now)
  return rows.flatMap((row) => {
    const subject = subjectOf(row)
    if (!subject || !about[`${subject.kind}s`]?.includes(subject.id)) return []
    const { id, name } = row
    return [begun.get(id) ?? { id, name, kind: subject.kind, incidentIds: [], startedAt: now, isNew: true }]
  })
}
