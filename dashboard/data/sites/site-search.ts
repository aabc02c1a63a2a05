import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { keptSearch } from '../kept-search.ts'
import { readTagSearch, type TagSearch } from '../tags/tag-search.ts'

const MAX_SEARCH_LENGTH = 255

/** The filters in the address of the list of sites. */
export type SiteSearch = TagSearch & { search?: string | undefined; status?: LiveStatus | undefined }

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readSiteSearch(given: Record<string, unknown>): SiteSearch {
  // The router reads a search for 1 as a number.
  const search = String(given.search ?? '')
  return keptSearch<SiteSearch>(['search', 'status', 'tags', 'group'], {
    ...readTagSearch(given),
    search: search !== '' && search.length <= MAX_SEARCH_LENGTH ? search : undefined,
    status: LiveStatus.safeParse(given.status).data,
  })
}
