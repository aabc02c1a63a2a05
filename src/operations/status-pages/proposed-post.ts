import { Refusal } from '../../core/errors.ts'
import { MAX_IMPACTS } from '../../core/status-pages/post.ts'
import { beginPost, type DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import { listDownComponents } from '../../store/status-pages/automatic-posts.ts'
import { readPage } from '../../store/status-pages/pages.ts'
import { readShownComponents } from '../../store/status-pages/shown-components.ts'
import { findTemplate } from '../../store/status-pages/templates.ts'
import type { Implementation } from '../implementation.ts'

/** In the words that the service's own draft would have. */
export const proposeStatusPost: Implementation<'proposeStatusPost'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record, query: { monitor } }) {
    const page = await readPage(db.query, record.id)
    if (!page) throw new Refusal('notFound')
    const now = databaseNow()
    const all = await listDownComponents(db.query, page.id, now)
    const down = monitor === undefined ? all : await ofMonitor(db.query, page.id, monitor, all, now)
    const shown = down.slice(0, MAX_IMPACTS)
    if (shown.length === 0) return { body: { data: { title: '', body: '', impacts: [] } } }
    const template = page.template_id === null ? null : await findTemplate(db.query, teamId, page.template_id)
    const { title, update } = beginPost({ name: page.name, language: page.language, template }, shown)
    return { body: { data: { title, body: update.body, impacts: update.impacts } } }
  },
}

/** Components that show a monitor: the ones of its incident, though it may be over by now. */
async function ofMonitor(
  query: Query,
  pageId: number,
  monitorId: number,
  down: readonly DownComponent[],
  now: Date,
): Promise<DownComponent[]> {
  const begun = new Map(down.map((one) => [one.id, one]))
  const rows = await readShownComponents(query, pageId, now)
  return rows
    .filter(({ monitor_id }) => monitor_id === monitorId)
    .map(
      ({ id, name }) =>
        begun.get(id) ?? { id, name, kind: 'monitor', incidentIds: [], startedAt: now, isNew: true },
    )
}
