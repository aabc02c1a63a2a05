import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import type { SITE_LIST } from '../../../src/core/lists/site-list.ts'
import type { SiteLimits } from '../../../src/core/sites/shown-site.ts'
import { type AnswerOf, question } from '../../data/ask.ts'
import { PER_PAGE } from '../../data/lists/page-size.ts'
import type { Limits } from '../../forms/sites/site-fields.ts'

export type Site = AnswerOf<'getSite'>['data']
export type Area = Site['areas'][number]

/** Looks are many: the list is asked for again at this pace, besides what news tells. */
const REFRESH_MS = 60_000
/** A crawl tells of itself; this is for news that was missed. */
const REFRESH_OF_CRAWL_MS = 10_000

export function sitesQuestion(team: number, search: SearchOf<typeof SITE_LIST> = {}) {
  return queryOptions({
    ...question(team, 'listSites', { query: { per_page: PER_PAGE, ...search } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}

export function siteQuestion(team: number, site: number) {
  return {
    ...question(team, 'getSite', { id: site }),
    refetchInterval: ({ state }: { state: { data?: AnswerOf<'getSite'> | undefined } }) =>
      isCrawling(state.data?.data) ? REFRESH_OF_CRAWL_MS : REFRESH_MS,
  }
}

export function isCrawling(site: Site | undefined): boolean {
  return site?.crawl?.ended_at === null
}

/** Limits of the team's plan, for the form. */
export function limitsOf(meta: SiteLimits): Limits {
  const { plan: planName, max_crawl_pages, min_home_interval_seconds: min_interval_seconds } = meta
  return { plan: { max_crawl_pages, min_interval_seconds }, planName }
}
