import { english, inWords, type Said, said } from '../language/said.ts'
import { cut } from '../text.ts'
import { type CrawlLimit, limitSentence } from './crawl/limits.ts'
import { TOO_SLOW } from './crawl/unasked.ts'

/** One reason why a crawl is not whole. `code` tells it from others; `earlier`: stored as English alone. */
export type CutReason = Said & { code: CrawlLimit | 'home_unread' | 'earlier' }

const MAX_EXAMPLE_LENGTH = 200

/** Why a crawl left something out; `page`: the first page that it is true of. */
export function limitReason(code: CrawlLimit, maxPages: number, page?: string): CutReason {
  const reason = limitSentence(code, maxPages)
  if (page === undefined) return { code, ...reason }
  return { code, text: '{reason}: {page}', values: { reason, page: cut(page, MAX_EXAMPLE_LENGTH) } }
}

/** The reason of a crawl that saw no page: it says nothing of the site. */
export function homeUnread(reason: Said | string): CutReason {
  return { code: 'home_unread', ...said('the home page: {reason}', { reason }) }
}

/** The reason of a crawl whose home page leads to another host. */
export function homeElsewhere(address: string): CutReason {
  return homeUnread(said('it leads to {address}', { address }))
}

export function isHomeUnread(reasons: readonly CutReason[]): boolean {
  return reasons.some(({ code }) => code === 'home_unread')
}

/** The reasons as one English text, which alerts and the release before read. */
export function printReasons(reasons: readonly CutReason[]): string | null {
  return reasons.length === 0 ? null : reasons.map(english).join('; ')
}

/** The reasons beside a stored text. Where a process of the release before wrote last, the text alone is true. */
export function storedReasons(text: string | null, reasons: readonly CutReason[] | null): CutReason[] {
  if (text === null) return []
  return reasons !== null && printReasons(reasons) === text ? [...reasons] : [readEnglish(text)]
}

/**
 * A reason that was stored as English alone, before `site_crawls.cut_reasons` and `site_areas.cause_reasons`. It goes with
 * the text column `site_crawls.cut_short`; nothing else may take a sentence apart.
 */
function readEnglish(text: string): CutReason {
  const HOME = 'the home page: '
  if (!text.startsWith(HOME)) return { code: 'earlier', ...inWords(text) }
  const reason = text.slice(HOME.length)
  return homeUnread(reason === TOO_SLOW.detail && TOO_SLOW.said ? TOO_SLOW.said : reason)
}
