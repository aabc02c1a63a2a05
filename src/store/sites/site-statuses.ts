import { type SiteStatus, siteStatus } from '../../core/sites/site-status.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'

/** The status of each of these sites at a time. */
export async function readSiteStatuses(
  query: Query,
  siteIds: readonly number[],
  now: Date,
): Promise<Map<number, SiteStatus>> {
  if (siteIds.length === 0) return new Map()
  const rows = await query
    .selectFrom('site_areas as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .select(['s.id', 's.areas_off', 'a.area', 'a.status'])
    .select(['a.status_since as statusSince', 'a.snoozed_until as snoozedUntil'])
    .where('s.id', '=', anyOf([...siteIds]))
    .execute()
  const areas = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...areas].map(([id, ofSite]) => [id, siteStatus(ofSite, ofSite[0]?.areas_off ?? [], now)] as const),
  )
}
