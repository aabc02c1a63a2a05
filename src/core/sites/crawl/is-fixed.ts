import type { LinkOutcome } from '../link-outcome.ts'
import type { FindingKind, Source } from '../site-finding.ts'

/** Verdicts of a crawl by address; none for an address that it did not come to. */
export type Verdicts = ReadonlyMap<string, LinkOutcome['verdict']>

export type CrawlKnowledge = {
  verdicts: Verdicts
  /** The crawl came to all pages that there are: nothing cut it short, and no page failed for what may be a moment. */
  isWhole: boolean
}

/**
 * Whether a finding that a crawl has not seen is no more. An address that could not be judged is what it was; one that no page
 * leads to may only be out of reach for the moment, unless the pages that led to it were read.
 */
export function isFixed(
  { kind, address, sources }: { kind: FindingKind; address: string; sources: readonly Source[] },
  { verdicts, isWhole }: CrawlKnowledge,
): boolean {
  if (kind === 'sitemap_fault') {
    const verdict = verdicts.get(address)
    return verdict === undefined ? isWhole : isRead(verdict)
  }
  if (kind !== 'mixed_active' && kind !== 'mixed_passive') {
    const verdict = verdicts.get(address)
    // One that is judged now is another finding, if it is one.
    if (verdict !== undefined) return kind === 'unjudged' || verdict !== 'unjudged'
  }
  if (sources.every(({ page }) => isRead(verdicts.get(page)))) return true
  const isGone = sources.every(({ page }) => !verdicts.has(page) || isRead(verdicts.get(page)))
  return isWhole && isGone
}

function isRead(verdict: LinkOutcome['verdict'] | undefined): boolean {
  return verdict === 'fine' || verdict === 'hint'
}

/** Whether a page fails in a way that may be over soon, so that what it leads to is out of reach for the moment. */
export function isPassing({ verdict, kind, status_code }: LinkOutcome): boolean {
  if (verdict === 'fine' || verdict === 'hint' || kind === 'forbidden_by_robots') return false
  return kind !== 'http_error' || status_code === null || status_code >= 500
}
