import ipaddr from 'ipaddr.js'
import { MAX_ADDRESS_LENGTH } from './address.ts'
import { TREATMENTS, type Treatment } from './elements.ts'
import { type ReadPage, upgradesInsecure } from './page.ts'

/** An address that a secure page uses insecurely, and what browsers do with it. */
export type MixedContent = { address: string; label: string; treatment: Treatment | 'asked' }

/**
 * Mixed content of a page (https://www.w3.org/TR/mixed-content/), as Chromium treats it: links that people follow are none. A
 * page that asks for upgrades (https://www.w3.org/TR/upgrade-insecure-requests/) has none that anybody notices.
 */
export function mixedContent(pageAddress: string, page: ReadPage, policy: string): MixedContent[] {
  if (!pageAddress.startsWith('https:') || upgradesInsecure(policy)) return []
  const base = URL.parse(page.base ?? '', pageAddress)?.href ?? pageAddress
  return page.links.flatMap(({ href, use, label, isUpgraded }): MixedContent[] => {
    const usual = isUpgraded ? null : TREATMENTS[use]
    const address = usual === null ? null : URL.parse(href, base)
    if (usual === null || address?.protocol !== 'http:' || address.href.length > MAX_ADDRESS_LENGTH) return []
    const place = placeOf(address)
    if (place === 'here') return []
    if (place === 'near' && usual !== 'warned') return [{ address: address.href, label, treatment: 'asked' }]
    // A certificate is of a name: there is no secure address to ask instead.
    const treatment = place === 'number' && usual === 'upgraded' ? 'blocked' : usual
    return [{ address: address.href, label, treatment }]
  })
}

/**
 * `here`: on the reader's own machine, which needs no protection (https://w3c.github.io/webappsec-secure-contexts/);
 * `near`: in the reader's own network, which browsers load from once people have agreed; `number`: of no name.
 */
function placeOf({ hostname }: URL): 'here' | 'near' | 'number' | 'far' {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return 'here'
  if (host.endsWith('.local')) return 'near'
  if (!ipaddr.isValid(host)) return 'far'
  const range = ipaddr.process(host).range()
  if (range === 'loopback') return 'here'
  return range === 'private' || range === 'linkLocal' || range === 'uniqueLocal' ? 'near' : 'number'
}
