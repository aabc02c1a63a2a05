import { siteOperations } from '../../contract/sites.ts'
import { Refusal } from '../../core/errors.ts'
import { keysOf, pick } from '../../core/shape.ts'
import { SiteArea } from '../../core/sites/area.ts'
import { SiteSettings } from '../../core/sites/site.ts'
import { siteFaults } from '../../core/sites/site-faults.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { lockSubject } from '../../store/history/subjects.ts'
import { bringForward, forgetSite, stopJudgingAreas, writeSite } from '../../store/sites/site-changes.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Implementation } from '../implementation.ts'
import { presentSite, readSite, settingsOf } from './present-site.ts'

export const updateSite: Implementation<'updateSite'> = {
  validate({ plans, refuseAddress }, { actor, record }, body) {
    const rules = siteFaults({
      plan: plans[actor.plan],
      planName: actor.plan,
      refuseAddress: (url) => refuseAddress('crawled site', url),
    })
    // Values that stay were allowed once: a smaller plan must not keep anyone from changing the name.
    return parseFields(siteOperations.updateSite.body, body, (fields) => {
      const changed = Object.entries(fields).filter(([name, value]) => record[name as never] !== value)
      return rules(Object.fromEntries(changed))
    })
  },

  async perform({ db, databaseNow }, { actor: { teamId }, record, body }) {
    const sent: Partial<SiteSettings> = pick(body, keysOf(SiteSettings.shape))
    const changed = await db.query.transaction().execute(async (query) => {
      if (!(await lockSubject(query, 'sites', teamId, record.id))) throw new Refusal('notFound')
      await refuseUnknownContacts(query, teamId, body.contact_ids, 'contact_ids')
      const before = settingsOf(await readSite(query, teamId, record.id))
      const after = { ...before, ...sent }
      await writeSite(query, teamId, record.id, after, isOther(before, after))
      await followChange(query, record.id, before, after, databaseNow())
      return readSite(query, teamId, record.id)
    })
    return { body: { data: presentSite(changed, databaseNow()) } }
  },
}

/** Whether a look that began before says nothing of the site as it is now. */
function isOther(before: SiteSettings, after: SiteSettings): boolean {
  return (
    before.url !== after.url ||
    before.is_active !== after.is_active ||
    before.domain_expires_on !== after.domain_expires_on ||
    before.areas_off.toSorted().join() !== after.areas_off.toSorted().join()
  )
}

/** A pause ends all judging; what goes on, or is another site now, is looked at at once. */
async function followChange(
  query: Query,
  siteId: number,
  before: SiteSettings,
  after: SiteSettings,
  now: Date,
): Promise<void> {
  const on = areasOn(after)
  const isMoved = before.url !== after.url
  const ends = isMoved ? SiteArea.options : areasOn(before).filter((area) => !on.includes(area))
  await stopJudgingAreas(query, siteId, ends, now)
  if (isMoved) await forgetSite(query, siteId)
  const begins = isMoved ? on : on.filter((area) => !areasOn(before).includes(area))
  await bringForward(query, siteId, begins, now)
  if (before.domain_expires_on !== after.domain_expires_on) await bringForward(query, siteId, ['domain'], now)
  const soon = new Date(now.getTime() + after.home_interval_seconds * 1_000)
  await bringForward(query, siteId, ['home_page'], soon)
}

/** The areas that are looked at. */
export function areasOn({ is_active, areas_off }: SiteSettings): SiteArea[] {
  return is_active ? SiteArea.options.filter((area) => !areas_off.includes(area)) : []
}
