import type { SiteRow } from '../../../src/core/sites/shown-site.ts'
import { isSiteFound } from '../../../src/core/sites/site-search.ts'
import { byGroup, groupOf } from '../../../src/core/tags/tag-group.ts'
import type { SiteSearch } from '../../data/sites/site-search.ts'

/** The sites that a search finds, in its groups; within a group in the order given. */
export function sitesFound(rows: readonly SiteRow[], search: SiteSearch): SiteRow[] {
  const found = rows.filter((site) => isSiteFound(site, search))
  const { group } = search
  if (group === undefined) return found
  return found.toSorted((one, other) => byGroup(groupOf(one.tags, group), groupOf(other.tags, group)))
}
