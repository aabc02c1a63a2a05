import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { listPage } from '../../core/lists/list-page.ts'
import { CRAWLED_AREAS, SiteArea } from '../../core/sites/area.ts'
import { isLookedAtAfterSnooze } from '../../core/sites/look-schedule.ts'
import type { Query } from '../../postgres/database.ts'
import { lockSubject } from '../../store/history/subjects.ts'
import { findListed, inOrderOf } from '../../store/lists/subject-list.ts'
import { announceNews } from '../../store/news.ts'
import {
  bringForward,
  markSiteDeleted,
  snoozeArea,
  stopJudgingAreas,
} from '../../store/sites/site-changes.ts'
import { SITE_ROWS } from '../../store/sites/site-rows.ts'
import { countSites, listSites as readSites } from '../../store/sites/sites.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'
import { presentRow, presentSite, readSite } from './present-site.ts'

const MAX_SNOOZE_MS = 366 * 86_400_000

export const listSites: Implementation<'listSites'> = {
  async perform(services, { actor: { teamId, plan }, query }) {
    const { db, plans, databaseNow } = services
    const [{ ids, total, groups }, sites] = await Promise.all([
      findListed(db, SITE_ROWS, teamId, query),
      countSites(db.query, teamId),
    ])
    const rows = inOrderOf(ids, await readSites(db.query, teamId, ids))
    const data = rows.map((site) => presentRow(site, databaseNow()))
    const path = `${dashboardUrl(services, teamId)}/sites`
    const { links, meta } = listPage(path, query, { total, count: data.length })
    const { max_sites, max_crawl_pages, min_interval_seconds } = plans[plan]
    const limits = { max_sites, max_crawl_pages, min_home_interval_seconds: min_interval_seconds }
    return { body: { data, groups, links, meta: { ...meta, sites, plan, ...limits } } }
  },
}

export const getSite: Implementation<'getSite'> = {
  async perform({ databaseNow }, { record }) {
    return { body: { data: presentSite(record, databaseNow()) } }
  },
}

export const deleteSite: Implementation<'deleteSite'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record }) {
    await db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'sites', teamId, record.id))) throw new Refusal('notFound')
      await stopJudgingAreas(query, record.id, SiteArea.options, databaseNow())
      await markSiteDeleted(query, teamId, record.id, databaseNow())
    })
    return {}
  },
}

/** A crawl looks at several areas: `links` carries its schedule. */
export const lookAtSite: Implementation<'lookAtSite'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record, body: { area } }) {
    const scheduled = (CRAWLED_AREAS as readonly SiteArea[]).includes(area) ? 'links' : area
    const site = await db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'sites', teamId, record.id))) throw new Refusal('notFound')
      const before = await readSite(query, teamId, record.id)
      if (!before.is_active) throw Refusal.invalid({ area: [said('must wait: the site is paused')] })
      if (before.areas_off.includes(area)) {
        throw Refusal.invalid({ area: [said('must be one that is on, got {area}', { area })] })
      }
      await bringForward(query, record.id, [scheduled], databaseNow())
      await announceNews(query, { team_id: teamId, event: 'sites', data: {} })
      return readSite(query, teamId, record.id)
    })
    return { body: { data: presentSite(site, databaseNow()) } }
  },
}

export const snoozeSiteArea: Implementation<'snoozeSiteArea'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record, body: { area, until, reason } }) {
    const end = until === null ? null : new Date(until)
    refuseEnd(end, databaseNow())
    const site = await db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'sites', teamId, record.id))) throw new Refusal('notFound')
      await snoozeArea(query, teamId, record.id, area, end && { until: end, reason }, databaseNow())
      if (end === null) await lookAfterSnooze(query, teamId, record.id, area, databaseNow())
      return readSite(query, teamId, record.id)
    })
    return { body: { data: presentSite(site, databaseNow()) } }
  },
}

async function lookAfterSnooze(query: Query, teamId: number, siteId: number, area: SiteArea, now: Date) {
  const { areas } = await readSite(query, teamId, siteId)
  const ended = areas.filter((one) => one.area === area && isLookedAtAfterSnooze(one))
  await bringForward(
    query,
    siteId,
    ended.map((one) => one.area),
    now,
  )
}

function refuseEnd(end: Date | null, now: Date): void {
  if (end === null) return
  const got = end.toISOString()
  if (end <= now) throw Refusal.invalid({ until: [said('must be in the future, got {got}', { got })] })
  if (end.getTime() - now.getTime() > MAX_SNOOZE_MS) {
    throw Refusal.invalid({ until: [said('must be at most a year ahead, got {got}', { got })] })
  }
}
