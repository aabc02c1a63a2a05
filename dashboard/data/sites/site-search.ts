import { LiveStatus } from '../../../src/core/monitors/status.ts'
import type { Expiry } from '../../../src/core/sites/shown-site.ts'
import { keptSearch } from '../kept-search.ts'
import { readTagSearch, type TagSearch } from '../tags/tag-search.ts'

const MAX_SEARCH_LENGTH = 255

/** The filters in the address of the list of sites. */
export type SiteSearch = TagSearch & { search?: string | undefined; status?: LiveStatus | undefined }

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readSiteSearch(given: Record<string, unknown>): SiteSearch {
  return keptSearch<SiteSearch>(['search', 'status', 'tags', 'group'], {
    ...readTagSearch(given),
    search: readText(given.search),
    status: LiveStatus.safeParse(given.status).data,
  })
}

const ENDING = ['certificate', 'domain'] as const satisfies readonly Expiry['of'][]

/** The filters in the address of the expiry dates. */
export type ExpirySearch = { search?: string | undefined; of?: Expiry['of'] | undefined }

/** Keeps the valid parts of an address. */
export function readExpirySearch(given: Record<string, unknown>): ExpirySearch {
  return keptSearch<ExpirySearch>(['search', 'of'], {
    search: readText(given.search),
    of: ENDING.find((one) => one === given.of),
  })
}

/** The router reads a search for 1 as a number. */
function readText(given: unknown): string | undefined {
  const text = String(given ?? '')
  return text !== '' && text.length <= MAX_SEARCH_LENGTH ? text : undefined
}
