import type { FindingKind } from '../site-finding.ts'
import { addressKey, isOfHost, isOfSite, matchesPattern, readAddress } from './address.ts'
import type { LinkUse } from './elements.ts'
import type { CrawlLimit } from './limits.ts'
import { type MixedContent, mixedContent } from './mixed-content.ts'
import { MAX_LABEL_LENGTH, type ReadPage } from './page.ts'

/** A target of a link: a page of the site is read in its turn, others are only asked for. */
export type FoundLink = { address: URL; isPage: boolean; label: string }
export type FoundFault = { kind: FindingKind; address: string; detail: string; label: string }

/** Settings of a site by which a crawl chooses. */
export type CrawledSite = { url: URL; checksForeignLinks: boolean; ignoredPatterns: readonly string[] }

/** Sent, not asked for: what a form or a ping does is not ours to do. */
const SENT: ReadonlySet<LinkUse> = new Set(['form', 'ping'])
/** Read in their turn, since they lead on or load more. */
const PAGES: ReadonlySet<LinkUse> = new Set(['leads', 'frame'])
const PARTS: ReadonlySet<LinkUse> = new Set(['style', 'manifest'])
const MAX_MALFORMED_LENGTH = 200

/** Everything of a page that a crawl goes on with. `pageAddress`: where redirects ended. */
export function foundOnPage(
  site: CrawledSite,
  pageAddress: string,
  page: ReadPage,
  policy: string,
): { links: FoundLink[]; faults: FoundFault[]; limits: CrawlLimit[] } {
  const base = URL.parse(page.base ?? '', pageAddress)?.href ?? pageAddress
  const canonical = page.canonical === null ? null : readAddress(page.canonical, base)
  const canonicalUrl = canonical?.kind === 'address' ? canonical.url : null
  const links: FoundLink[] = []
  const faults: FoundFault[] = mixedFaults(site, pageAddress, page, policy)
  const limits = new Set<CrawlLimit>(page.dropped > 0 ? ['many_links'] : [])
  for (const { href, use, label } of page.links) {
    if (SENT.has(use)) continue
    const read = readAddress(href, base)
    if (read.kind === 'long') limits.add('long_address')
    else if (read.kind === 'malformed') faults.push(malformed(href, label))
    else if (read.kind === 'address') {
      if (isLeftOut(site, read.url) || isVariant(read.url, pageAddress, canonicalUrl)) continue
      links.push({ address: read.url, isPage: isRead(use, read.url, site.url), label })
    }
  }
  const label = '<link rel=canonical>'
  if (canonical?.kind === 'malformed') faults.push(malformed(page.canonical ?? '', label))
  if (canonicalUrl && !isLeftOut(site, canonicalUrl))
    links.push({ address: canonicalUrl, isPage: isOfSite(canonicalUrl, site.url), label })
  return { links, faults, limits: [...limits] }
}

function isRead(use: LinkUse, address: URL, site: URL): boolean {
  return (PAGES.has(use) && isOfSite(address, site)) || (PARTS.has(use) && isOfHost(address, site))
}

/** Whether a crawl has nothing to do with an address, by the settings of its site. */
export function isLeftOut(site: CrawledSite, address: URL): boolean {
  if (!site.checksForeignLinks && !isOfHost(address, site.url)) return true
  return isIgnored(site, address.href)
}

/** Patterns may be meant for an address as it is written, and as people know it. */
function isIgnored({ ignoredPatterns }: CrawledSite, address: string): boolean {
  const key = addressKey(address)
  return ignoredPatterns.some((pattern) => matchesPattern(address, pattern) || matchesPattern(key, pattern))
}

/**
 * Whether a link of a page that names another one as the canonical leads to yet another variant of the same page: sorted
 * otherwise, of another visit. There may be endless ones.
 */
function isVariant(address: URL, pageAddress: string, canonical: URL | null): boolean {
  if (!canonical) return false
  const key = addressKey(canonical.href)
  if (key === addressKey(pageAddress) || key === addressKey(address.href)) return false
  return address.origin === canonical.origin && address.pathname === canonical.pathname
}

/** No browser follows it, and nobody can be asked about it. */
function malformed(href: string, label: string): FoundFault {
  const address = href.trim().slice(0, MAX_MALFORMED_LENGTH).toWellFormed().replaceAll('\0', '')
  return { kind: 'broken_link', address, detail: 'is no address: its host or its port is malformed', label }
}

const INSECURELY = 'is used insecurely by a secure page'
const DETAILS: Record<MixedContent['treatment'], string> = {
  blocked: `${INSECURELY}: browsers block it`,
  upgraded: `${INSECURELY}: browsers ask for it over https instead`,
  warned: `${INSECURELY}: browsers warn before they send a form there`,
  asked: `${INSECURELY}, out of the reader’s own network: browsers ask for leave first`,
}

function mixedFaults(site: CrawledSite, pageAddress: string, page: ReadPage, policy: string): FoundFault[] {
  const mixed = mixedContent(pageAddress, page, policy)
  return mixed
    .filter(({ address }) => !isIgnored(site, address))
    .map(({ address, label, treatment }) => ({
      kind: treatment === 'blocked' ? 'mixed_active' : 'mixed_passive',
      address,
      detail: DETAILS[treatment],
      label: label.slice(0, MAX_LABEL_LENGTH),
    }))
}
