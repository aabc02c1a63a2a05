import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { MAX_SITES_LISTED } from '../../core/sites/shown-site.ts'
import { MAX_CRAWL_PAGES, SiteSettings } from '../../core/sites/site.ts'
import { siteFaults } from '../../core/sites/site-faults.ts'
import { canAdd, type Plan } from '../../core/teams/plan.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { insertSite } from '../../store/sites/site-changes.ts'
import { countSites } from '../../store/sites/sites.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { presentSite, readSite } from './present-site.ts'

const HOME_INTERVAL_SECONDS = 60

export const createSite: Implementation<'createSite'> = {
  validate({ plans, refuseAddress }, { actor }, body) {
    const plan = plans[actor.plan]
    const rules = siteFaults({
      plan,
      planName: actor.plan,
      refuseAddress: (url) => refuseAddress('crawled site', url),
    })
    return parseFields(SiteSettings, { ...defaultsOn(plan), ...(body as object) }, rules)
  },

  async perform(services, { actor: { teamId }, body }) {
    const { db, databaseNow } = services
    const site = await db.query.transaction().execute(async (query) => {
      await refuseUnknownContacts(query, teamId, body.contact_ids, 'contact_ids')
      await refuseOverSites(services, query, teamId)
      return readSite(query, teamId, await insertSite(query, teamId, body, databaseNow()))
    })
    return { body: { data: presentSite(site, databaseNow()) } }
  },
}

/** Settings that were not sent are as the plan allows. */
function defaultsOn({ min_interval_seconds, max_crawl_pages }: Plan): Partial<SiteSettings> {
  return {
    home_interval_seconds: Math.max(HOME_INTERVAL_SECONDS, min_interval_seconds),
    max_pages: Math.min(MAX_CRAWL_PAGES, max_crawl_pages),
  }
}

/** Refuses a site over the limit. Locks the team, so that two requests cannot both take the last place. */
export async function refuseOverSites({ plans }: Services, query: Query, teamId: number): Promise<void> {
  const { plan } = await lockTeam(query, teamId)
  const count = await countSites(query, teamId)
  const limit = plans[plan].max_sites
  if (!canAdd(limit, count)) {
    throw new Refusal('planLimitReached', {
      detail:
        limit === 1
          ? said(
              'The {plan} plan allows {limit} site, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            )
          : said(
              'The {plan} plan allows {limit} sites, and this team has as many. Delete one or change the plan.',
              { plan, limit },
            ),
      plan,
      max_sites: limit,
    })
  }
  if (count < MAX_SITES_LISTED) return
  throw Refusal.invalid({
    name: [
      said('must wait: the team has {count} sites, the most; delete one first', { count: MAX_SITES_LISTED }),
    ],
  })
}
