import type { LinkOutcome } from '../link-outcome.ts'
import type { FindingKind, Source } from '../site-finding.ts'
import { MAX_SOURCES } from '../site-finding.ts'
import { addressKey } from './address.ts'

/** A fault that a crawl before has found, and this one has not seen. */
export type UnseenFinding = {
  kind: FindingKind
  address: string
  sources: readonly Source[]
  lastSeenAt: Date
}

export type CrawlKnowledge = {
  /** The outcomes of addresses that the crawl came to, by their keys; a missing one says nothing. */
  outcomes: ReadonlyMap<string, LinkOutcome>
  /** Keys of addresses that a page read by this crawl names, whether they were looked at or not. */
  named: ReadonlySet<string>
  /** Nothing cut the crawl short: it came to all pages that those it could read lead to. */
  isWhole: boolean
  /** Since when pages that could not be read may hide others: the newest of them; null: there are none. */
  hiddenSince: Date | null
  /** Whether a crawl has nothing to do with an address any more, by the settings of the site. */
  isLeftOut: (address: string) => boolean
  /** Whether a page of the host is none of the site. */
  isOutside: (page: string) => boolean
  at: Date
}

/** A finding that no crawl has seen for so long is forgotten: crawls of a site that is larger than its limit may never come there again. */
export const FORGOTTEN_AFTER_MS = 30 * 86_400_000

/**
 * The fate of a finding that a crawl has not seen. Only what was looked at says anything: the address itself, or all pages
 * that named it. That a page was not found says that it is gone if nothing can have hidden it. `forgotten`: nobody looks any
 * more, and nothing is told.
 */
export function fateOf(finding: UnseenFinding, knowledge: CrawlKnowledge): 'fixed' | 'stays' | 'forgotten' {
  const { outcomes, named, isLeftOut, isOutside, at } = knowledge
  const { kind, address, lastSeenAt } = finding
  const key = addressKey(address)
  const isCovered = (page: string) => outcomes.has(addressKey(page)) || !(isLeftOut(page) || isOutside(page))
  const sources = finding.sources.filter(({ page }) => isCovered(page))
  if (sources.length === 0 && finding.sources.length > 0) return 'forgotten'
  if (isLeftOut(address) && !outcomes.has(key)) return 'forgotten'
  // Pages that only sitemaps name were faults of links once.
  if (kind === 'broken_link' && isOnlyMapped(sources, outcomes.get(key))) return 'forgotten'
  const isOfPage = kind === 'mixed_active' || kind === 'mixed_passive'
  const isOfItself = kind === 'sitemap_fault' && sources.every(({ page }) => addressKey(page) === key)
  const outcome = isOfPage || isOfItself ? undefined : outcomes.get(key)
  // One that is judged otherwise now is another finding, if it is one.
  const isJudged = outcome !== undefined && (kind === 'unjudged' || outcome.verdict !== 'unjudged')
  const isOfSitemap = kind === 'sitemap_fault' && !isOfItself
  if (isJudged && (!isOfSitemap || isRead(outcome))) return 'fixed'
  if (outcome === undefined && !isOfPage && !isOfItself && named.has(key)) return 'stays'
  const isAnswered = outcome === undefined || (isOfSitemap && outcome.verdict === 'broken')
  if (isAnswered && isUnnamed(sources, finding, knowledge)) return 'fixed'
  return at.getTime() - lastSeenAt.getTime() >= FORGOTTEN_AFTER_MS ? 'forgotten' : 'stays'
}

function isOnlyMapped(sources: readonly Source[], outcome: LinkOutcome | undefined): boolean {
  return (
    outcome?.verdict === 'broken' && sources.length > 0 && sources.every(({ label }) => label === 'sitemap')
  )
}

/** Whether certainly no page names it any more: each was read and does not, or is gone. */
function isUnnamed(
  sources: readonly Source[],
  { lastSeenAt }: UnseenFinding,
  { outcomes, isWhole, hiddenSince }: CrawlKnowledge,
): boolean {
  const seen = sources.map(({ page }) => outcomes.get(addressKey(page)))
  // Something hides it now that did not when it was last seen.
  const canBeHidden = !isWhole || (hiddenSince !== null && hiddenSince > lastSeenAt)
  // There may be more pages than are kept.
  const isAll = sources.length > 0 && sources.length < MAX_SOURCES
  return seen.every((outcome) => (outcome ? isSettled(outcome) : !canBeHidden)) && (isAll || !canBeHidden)
}

/** Whether all that a page names is known: it was read to its end, leads to elsewhere, or is gone. */
function isSettled(outcome: LinkOutcome): boolean {
  return isRead(outcome) ? !outcome.is_cut : outcome.verdict === 'broken' && !isPassing(outcome)
}

function isRead({ verdict }: LinkOutcome): boolean {
  return verdict === 'fine' || verdict === 'hint'
}

/** Whether a page fails in a way that may be over soon, or that says nothing of it: what it leads to is out of reach. */
export function isPassing({ verdict, kind, status_code }: LinkOutcome): boolean {
  if (verdict === 'fine' || verdict === 'hint') return false
  return verdict === 'unjudged' || kind !== 'http_error' || status_code === null || status_code >= 500
}
