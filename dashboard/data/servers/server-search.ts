import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { keptSearch } from '../kept-search.ts'
import { readTagSearch, type TagSearch } from '../tags/tag-search.ts'
import { isWithin, readZoom } from '../zoom.ts'

const MAX_SEARCH_LENGTH = 255
const MAX_PAGE = 10_000

const SORTS = ['attention', 'name', 'cpu', 'memory', 'disk', 'load', 'last_report_at'] as const
export type ServerSort = (typeof SORTS)[number]
const ORDERS = ['asc', 'desc'] as const

/** The filters in the address of the list of servers. */
export type ServerSearch = TagSearch & {
  page?: number | undefined
  search?: string | undefined
  status?: LiveStatus | undefined
  sort?: ServerSort | undefined
  order?: (typeof ORDERS)[number] | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readServerSearch(given: Record<string, unknown>): ServerSearch {
  // The router reads a search for 1 as a number.
  const search = String(given.search ?? '')
  const page = Number(given.page)
  return keptSearch<ServerSearch>(['page', 'search', 'status', 'sort', 'order', 'tags', 'group'], {
    ...readTagSearch(given),
    page: isWithin(page, 1, MAX_PAGE) ? page : undefined,
    search: isWithin(search.length, 1, MAX_SEARCH_LENGTH) ? search : undefined,
    status: oneOf(LiveStatus.options, given.status),
    sort: oneOf(SORTS, given.sort),
    order: oneOf(ORDERS, given.order),
  })
}

function oneOf<T>(options: readonly T[], value: unknown): T | undefined {
  return options.find((option) => option === value)
}

export const SERVER_RANGES = ['1h', '6h', '24h', '7d', '30d', '90d'] as const
export type ServerRange = (typeof SERVER_RANGES)[number]

const HOUR_SECONDS = 3_600
export const RANGE_SECONDS: Record<ServerRange, number> = {
  '1h': HOUR_SECONDS,
  '6h': 6 * HOUR_SECONDS,
  '24h': 24 * HOUR_SECONDS,
  '7d': 7 * 24 * HOUR_SECONDS,
  '30d': 30 * 24 * HOUR_SECONDS,
  '90d': 90 * 24 * HOUR_SECONDS,
}

/** The stretch that the page of a server shows: the newest of some length, or the one that was zoomed into. */
export type ServerPageSearch = {
  range?: ServerRange | undefined
  /** In seconds since 1970, both or neither. */
  from?: number | undefined
  to?: number | undefined
  /** The dialog about the agent is open. */
  install?: true | undefined
}

export function readServerPageSearch({
  range,
  from,
  to,
  install,
}: Record<string, unknown>): ServerPageSearch {
  const kept: ServerPageSearch = { range: oneOf(SERVER_RANGES, range), ...readZoom(from, to) }
  if (install === true) kept.install = true
  return keptSearch(['range', 'from', 'to', 'install'], kept)
}
