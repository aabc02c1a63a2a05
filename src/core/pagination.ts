import * as z from 'zod'
import { MAX_RECORD_ID } from './record-id.ts'

export const DEFAULT_PER_PAGE = 25
export const MAX_PER_PAGE = 100
const PAGES_AT_EACH_END = 2
const PAGES_ON_EACH_SIDE = 3

/** The service's own address plus a query with a few filters. */
const Url = z.string().max(2_048).nullable()
const Count = z.int().min(0).max(MAX_RECORD_ID)
const Page = z.int().min(1).max(MAX_RECORD_ID)
/** Both ends, the pages around the current one, two gaps, and the two steps. */
const MAX_LINKS = 2 * PAGES_AT_EACH_END + 2 * PAGES_ON_EACH_SIDE + 5

export const PageLinks = z.object({
  first: Url.describe('The first page.'),
  last: Url.describe('The last page.'),
  prev: Url.describe('The previous page; null on the first.'),
  next: Url.describe('The next page; null on the last.'),
})
export const PageMeta = z.object({
  current_page: Page.describe('The number of this page.'),
  from: Page.nullable().describe('Position of the first record on this page; null if it is empty.'),
  last_page: Page.describe('The number of the last page.'),
  links: z
    .array(
      z.object({
        url: Url.describe('Null if there is no such page.'),
        label: z.string().max(32).describe('The page number, or text with HTML entities.'),
        page: Page.nullable().describe('The number of the page; null for a gap.'),
        active: z.boolean().describe('Whether this is the current page.'),
      }),
    )
    .max(MAX_LINKS)
    .describe('Links for a page-number bar.'),
  path: z.string().max(2_048).describe('URL of the list, without a query.'),
  per_page: z.int().min(1).max(MAX_PER_PAGE).describe('Records per page.'),
  to: Page.nullable().describe('Position of the last record on this page; null if it is empty.'),
  total: Count.describe('Total number of records.'),
})
export type Page = { links: z.infer<typeof PageLinks>; meta: z.infer<typeof PageMeta> }

/**
 * Builds the `links` and `meta` of one page. `path` is the absolute URL of the list without a query; `query`
 * holds the filters that every link repeats.
 */
export function pageOf(request: {
  path: string
  query: Record<string, string | undefined>
  page: number
  perPage: number
  total: number
  count: number
}): Page {
  const { path, page, perPage, total, count } = request
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const carried = Object.entries(request.query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  const beforeNumber = `${path}?${new URLSearchParams([...carried, ['page', '']])}`
  const urlOf = (number: number | null) => (number === null ? null : `${beforeNumber}${number}`)
  const previous = page > 1 ? page - 1 : null
  const next = page < lastPage ? page + 1 : null
  const step = (label: string, to: number | null) => ({
    url: urlOf(to),
    label,
    page: to,
    active: false,
  })
  const numbers = shownPages(page, lastPage).map((number) => ({
    url: urlOf(number),
    label: number === null ? '...' : String(number),
    page: number,
    active: number === page,
  }))
  const from = count > 0 ? (page - 1) * perPage + 1 : null
  return {
    links: {
      first: urlOf(1),
      last: urlOf(lastPage),
      prev: urlOf(previous),
      next: urlOf(next),
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      links: [step('&laquo; Previous', previous), ...numbers, step('Next &raquo;', next)],
      path,
      per_page: perPage,
      to: from && from + count - 1,
      total,
    },
  }
}

/** The first two pages, the last two, and three on each side of the current one; null marks a gap. */
function shownPages(current: number, last: number): (number | null)[] {
  const shown = new Set<number>()
  const show = (from: number, to: number) => {
    for (let page = Math.max(1, from); page <= Math.min(last, to); page++) shown.add(page)
  }
  show(1, PAGES_AT_EACH_END)
  show(current - PAGES_ON_EACH_SIDE, current + PAGES_ON_EACH_SIDE)
  show(last - PAGES_AT_EACH_END + 1, last)
  const pages = [...shown].sort((a, b) => a - b)
  return pages.flatMap((page, index) =>
    index > 0 && page - (pages[index - 1] ?? 0) > 1 ? [null, page] : [page],
  )
}
