import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { StatusPageDetail } from '../../core/status-pages/shown-page.ts'
import { MAX_STATUS_PAGES } from '../../core/status-pages/status-page.ts'
import { canAdd } from '../../core/teams/plan.ts'
import type { Query } from '../../postgres/database.ts'
import { countPages, lockPage, type PageRecord, pageChanged } from '../../store/status-pages/pages.ts'
import { lockTeam } from '../../store/teams/teams.ts'
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

/** Refuses a page over the limit. Locks the team, so that two requests cannot both take the last place. */
export async function refuseOverPages({ plans }: Services, query: Query, teamId: number): Promise<void> {
  const { plan } = await lockTeam(query, teamId)
  const count = await countPages(query, teamId)
  const limit = plans[plan].max_status_pages
  if (!canAdd(limit, count)) {
    throw new Refusal('planLimitReached', {
      detail:
        limit === 1
          ? said(
              'The {plan} plan allows {limit} status page, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            )
          : said(
              'The {plan} plan allows {limit} status pages, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            ),
      plan,
      max_status_pages: limit,
    })
  }
  if (count < MAX_STATUS_PAGES) return
  throw Refusal.invalid({
    name: [
      said('must wait: the team has {count} status pages, the most; delete one first', {
        count: MAX_STATUS_PAGES,
      }),
    ],
  })
}
