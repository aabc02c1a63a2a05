import { parseTarget } from '../core/monitors/target.ts'

/**
 * The host of a URL as it is resolved or dialed: canonical for every scheme (`tcp://127.1` is 127.0.0.1), without
 * brackets or a final dot; null when the URL has no host.
 */
export function targetHost(url: URL): string | null {
  const isParsed = url.protocol === 'https:' || url.protocol === 'http:'
  const host = (isParsed ? url.hostname : parseTarget(url.href)?.hostname) ?? ''
  return (host.startsWith('[') ? host.slice(1, -1) : host.replace(/\.$/, '')) || null
}

/** localhost is always this machine, even if a name server says otherwise (RFC 6761, section 6.3). */
export function ownAddressesOf(name: string): string[] | null {
  return /(?:^|\.)localhost\.?$/i.test(name) ? ['::1', '127.0.0.1'] : null
}
