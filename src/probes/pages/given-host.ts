import { isOfHost } from '../../core/sites/crawl/address.ts'
import type { AddressKind } from '../../net/address-policy.ts'
import { isPublicAddress } from '../../net/address-policy.ts'
import { type DialResult, dial } from '../../net/dial.ts'
import type { Network } from '../../net/network.ts'

type Place = { host: string; port: number }
type Dialed = { dialed: DialResult; kind: AddressKind }

/** Dials whatever a crawl asks for. */
export type CrawlDial = (url: URL, place: Place, signal: AbortSignal) => Promise<Dialed>

/**
 * A member names one host, with its port. Where that is in a private network, the setting says whether its pages may be
 * asked for; whatever else a crawl meets comes from strangers. A host that is public is a stranger's, too: its names may
 * lead elsewhere at the next question (DNS rebinding). Where it is found first is where it stays for the crawl.
 */
export function createCrawlDial(network: Network, home: URL): CrawlDial {
  let found: 'nowhere' | 'public' | 'private' = 'nowhere'
  return async (url, place, signal) => {
    const at = (kind: AddressKind) => dial(network, { kind, ...place }, signal)
    const isGiven = isOfHost(url, home)
    if (!isGiven || found !== 'private') {
      const kind = 'found by a crawl'
      const dialed = await at(kind)
      const isPrivate = dialed.kind === 'failed' && dialed.isRefused === true
      if (isGiven && dialed.kind === 'connected' && isPublicAddress(dialed.address)) found = 'public'
      if (!isGiven || !isPrivate || found === 'public') return { dialed, kind }
    }
    const kind = 'crawled site'
    const dialed = await at(kind)
    if (dialed.kind === 'connected') found = 'private'
    return { dialed, kind }
  }
}
