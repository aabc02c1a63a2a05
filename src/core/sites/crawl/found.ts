import type { FindingKind } from '../site-finding.ts'
import { crawlAddress, isOfSite, matchesPattern } from './address.ts'
import { mixedContent } from './mixed-content.ts'
import type { ReadPage } from './page.ts'

/** A target of a link: a page of the site is read in its turn, others are only asked for. */
export type FoundLink = { address: URL; isPage: boolean; label: string }
export type FoundFault = { kind: FindingKind; address: string; detail: string; label: string }

/** Settings of a site by which a crawl chooses. */
export type CrawledSite = { url: URL; checksForeignLinks: boolean; ignoredPatterns: readonly string[] }

/** Everything of a page that a crawl goes on with. `pageAddress`: where redirects ended. */
export function foundOnPage(
  site: CrawledSite,
  pageAddress: string,
  page: ReadPage,
  policy: string,
): { links: FoundLink[]; faults: FoundFault[] } {
  const base = URL.parse(page.base ?? '', pageAddress)?.href ?? pageAddress
  const canonical = page.canonical === null ? null : crawlAddress(page.canonical, base)
  const followed = page.links.filter(({ use }) => use !== 'form')
  const links = followed.flatMap(({ href, use, label }) => {
    const address = crawlAddress(href, base)
    if (!address || isLeftOut(site, address) || isVariant(address, pageAddress, canonical)) return []
    return [{ address, isPage: use === 'link' && isOfSite(address, site.url), label }]
  })
  if (canonical && !isLeftOut(site, canonical))
    links.push({
      address: canonical,
      isPage: isOfSite(canonical, site.url),
      label: '<link rel=canonical>',
    })
  return { links, faults: mixedFaults(site, pageAddress, page, policy) }
}

/** Whether a crawl has nothing to do with an address, by the settings of its site. */
export function isLeftOut(site: CrawledSite, address: URL): boolean {
  if (!site.checksForeignLinks && !isOfSite(address, site.url)) return true
  return site.ignoredPatterns.some((pattern) => matchesPattern(address.href, pattern))
}

/**
 * Whether a link of a page that names another one as the canonical leads to yet another variant of the same page: sorted
 * otherwise, of another visit. There may be endless ones.
 */
function isVariant(address: URL, pageAddress: string, canonical: URL | null): boolean {
  if (!canonical || canonical.href === pageAddress || address.href === canonical.href) return false
  return address.origin === canonical.origin && address.pathname === canonical.pathname
}

function mixedFaults(site: CrawledSite, pageAddress: string, page: ReadPage, policy: string): FoundFault[] {
  const mixed = mixedContent(pageAddress, page, policy)
  const heeded = mixed.filter(({ address }) => !site.ignoredPatterns.some((p) => matchesPattern(address, p)))
  return heeded.map(({ address, label, isBlocked }) => ({
    kind: isBlocked ? 'mixed_active' : 'mixed_passive',
    address,
    detail: isBlocked
      ? 'is used insecurely by a secure page: browsers block it'
      : 'is used insecurely by a secure page: browsers upgrade it or warn',
    label,
  }))
}
