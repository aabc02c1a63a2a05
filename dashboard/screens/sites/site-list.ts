import { byNaturalOrder } from '../../../src/core/natural-order.ts'
import type { SiteRow } from '../../../src/core/sites/shown-site.ts'
import { isSiteFound } from '../../../src/core/sites/site-search.ts'
import { byGroup, groupOf } from '../../../src/core/tags/tag-group.ts'
import type { SiteSearch } from '../../data/sites/site-search.ts'

/** The sites that a search finds, by name in its groups. */
export function sitesFound(rows: readonly SiteRow[], search: SiteSearch): SiteRow[] {
  const found = rows.filter((site) => isSiteFound(site, search))
  const { group } = search
  const inGroups = (one: SiteRow, other: SiteRow) =>
    group === undefined ? 0 : byGroup(groupOf(one.tags, group), groupOf(other.tags, group))
  return found.toSorted(
    (one, other) => inGroups(one, other) || byNaturalOrder(one.name, other.name) || one.id - other.id,
  )
}
