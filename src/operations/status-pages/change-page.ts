import { Refusal } from '../../core/errors.ts'
import type { StatusPageDetail } from '../../core/status-pages/shown-page.ts'
import type { Query } from '../../postgres/database.ts'
import { lockPage, type PageRecord, pageChanged } from '../../store/status-pages/pages.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { readPageDetail } from './present-page.ts'

/**
 * Does work on a locked page, says that it changed, and answers with the whole page. `hold` takes locks that come before
 * that of a page.
 */
export async function changePage(
  services: Services,
  actor: Actor,
  pageId: number,
  work: (query: Query, page: PageRecord) => Promise<void>,
  hold?: (query: Query) => Promise<void>,
): Promise<{ body: { data: StatusPageDetail } }> {
  const { teamId } = actor
  await services.db.query.transaction().execute(async (query) => {
    await hold?.(query)
    const page = await lockPage(query, teamId, pageId)
    if (!page) throw new Refusal('notFound')
    await work(query, page)
    await pageChanged(query, teamId, pageId)
  })
  return { body: { data: await readPageDetail(services, actor, pageId) } }
}
