import { type PageLink, type ReadPage, upgradesInsecure } from './page.ts'

/** An address that a secure page uses insecurely. Browsers block it if `isBlocked`, and upgrade or show it otherwise. */
export type MixedContent = { address: string; label: string; isBlocked: boolean }

/**
 * Mixed content of a page (https://www.w3.org/TR/mixed-content/): links that people follow are none. A page that asks for
 * upgrades (https://www.w3.org/TR/upgrade-insecure-requests/) has none that anybody notices.
 */
export function mixedContent(pageAddress: string, page: ReadPage, policy: string): MixedContent[] {
  if (!pageAddress.startsWith('https:') || page.upgradesInsecure || upgradesInsecure(policy)) return []
  const base = URL.parse(page.base ?? '', pageAddress)?.href ?? pageAddress
  return page.links.flatMap(({ href, use, label }: PageLink) => {
    const address = use === 'link' ? null : URL.parse(href, base)
    if (address?.protocol !== 'http:') return []
    return [{ address: address.href, label, isBlocked: use !== 'passive' }]
  })
}
