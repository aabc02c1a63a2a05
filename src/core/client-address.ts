import { type IpAddress, isOfNetwork, readIpAddress } from './ip-address.ts'

/** Trusted writers of X-Forwarded-For: a number of hops, or networks. */
export type TrustedProxies = { hops: number } | { networks: string[] } | null

/** The client of a request, as far as the trusted proxies name it. */
export type NamedClient = {
  /** The nearest known address: the client's own, or that of the last trusted proxy where that names nobody. */
  address: string
  /** False where a trusted proxy names the client by something that is no address. */
  isKnown: boolean
}

/** Chains of real proxies are much shorter; a longer one ends here. */
const MAX_ENTRIES = 100
const MAX_PORT = 65_535
const GROUPS_OF_NETWORK = 4

/** Forms of an entry: an address, one with a port, and one in brackets with or without a port. */
const ENTRY = /^(?:\[([^[\]]*)\](?::(\d{1,5}))?|([\d.]+):(\d{1,5})|([^[\]]+))$/

/**
 * Reads X-Forwarded-For from the right, an entry for each proxy that is trusted. Every entry counts, whatever it says:
 * one that is skipped would give its place to the next, which the client writes. An entry that is no address (`unix:`,
 * `unknown`, `_hidden`, nothing at all) ends the chain at the proxy that wrote it, or left the header out.
 */
export function clientBehind(
  trusted: TrustedProxies,
): (peer: string, forwarded: string | undefined) => NamedClient {
  const trusts = trustOf(trusted)
  return (peer, forwarded) => {
    const own = readIpAddress(peer)
    let client: NamedClient = { address: own?.toString() ?? peer, isKnown: true }
    let nearest = own
    // No header is like an empty one: its one entry names nobody.
    const said = forwarded ?? ''
    let end = said.length
    for (let hop = 0; end >= 0 && trusts(nearest, hop); hop++) {
      const comma = end === 0 ? -1 : said.lastIndexOf(',', end - 1)
      nearest = hop < MAX_ENTRIES ? readEntry(said.slice(comma + 1, end)) : null
      if (!nearest) return { ...client, isKnown: false }
      client = { address: nearest.toString(), isKnown: true }
      end = comma
    }
    return client
  }
}

/** Whether the word of a proxy counts; `hop` numbers it from our side. */
function trustOf(trusted: TrustedProxies): (proxy: IpAddress | null, hop: number) => boolean {
  if (trusted === null) return () => false
  if ('hops' in trusted) return (_proxy, hop) => hop < trusted.hops
  return (proxy) => proxy !== null && trusted.networks.some((network) => isOfNetwork(proxy, network))
}

function readEntry(entry: string): IpAddress | null {
  const text = entry.trim().replace(/^"([^"]*)"$/, '$1')
  const [, inBrackets, portBehind = '0', beforePort, port = '0', bare] = ENTRY.exec(text) ?? []
  if (Number(portBehind) > MAX_PORT || Number(port) > MAX_PORT) return null
  // Brackets are for addresses with colons.
  if (inBrackets !== undefined && !inBrackets.includes(':')) return null
  const address = readIpAddress(inBrackets ?? beforePort ?? bare ?? '')
  return address?.range() === 'unspecified' ? null : address
}

/**
 * The unit that rate limits count as one client: an IPv4 address as it is, and the /64 of an IPv6 address,
 * since a customer is usually given a whole /64. Anything else is returned unchanged.
 */
export function clientNetwork(address: string): string {
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(address)) return address
  const [head = '', tail] = address.split('::')
  const first = groupsOf(head)
  const last = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, GROUPS_OF_NETWORK)
  return `${groups.join(':')}::/64`
}

/** The groups of part of an IPv6 address, without leading zeros. A trailing IPv4 address counts as two groups. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return ['0', '0']
    return [Number.parseInt(group || '0', 16).toString(16)]
  })
}
