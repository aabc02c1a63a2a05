import ipaddr from 'ipaddr.js'

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

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

const MAPPED_BITS = 96
const MAX_BYTE = 255
/** Four decimal numbers without leading zeros. */
const FOUR_PARTS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
const MAPPED = /^::ffff:([\d.]+)$/i
/** Six groups and an IPv4 address; longer texts are not looked at. */
const MAX_LENGTH = 45

/**
 * Reads an address as people and programs write it; null for anything else, such as numbers with leading zeros, which
 * some programs read as octal. An IPv4 address in IPv6 (`::ffff:192.0.2.1`) is the IPv4 address; a zone (`%eth0`) is not of
 * the address.
 */
export function readIpAddress(text: string): IpAddress | null {
  const plain = text.includes('%') ? text.replace(/%.*$/s, '') : text
  if (plain.length > MAX_LENGTH) return null
  // Every request has such addresses: the library asks itself by exceptions, each of which takes longer than the request.
  if (!plain.includes(':')) return readFourParts(plain)
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return readFourParts(mapped)
  return ipaddr.IPv6.isValid(plain) && endsWell(plain) ? ipaddr.process(plain) : null
}

function readFourParts(text: string): IpAddress | null {
  const bytes = FOUR_PARTS.exec(text)?.slice(1).map(Number)
  return bytes?.every((byte) => byte <= MAX_BYTE) ? new ipaddr.IPv4(bytes) : null
}

/** The library takes octal and hexadecimal numbers with dots behind the groups, and `::192.0.2.1` for a mapped address. */
function endsWell(address: string): boolean {
  const last = address.slice(address.lastIndexOf(':') + 1)
  return !last.includes('.') || (readFourParts(last) !== null && !/^::\d+\./.test(address))
}

/** Whether an address is of a network (`192.0.2.0/24`); without `/bits` that is one address. */
export function isOfNetwork(address: IpAddress, network: string): boolean {
  const [text = '', bits] = network.split('/')
  if (!ipaddr.isValid(text)) return false
  const first = ipaddr.parse(text)
  const width = bits === undefined ? (first.kind() === 'ipv6' ? 128 : 32) : Number(bits)
  const isMapped = first instanceof ipaddr.IPv6 && first.isIPv4MappedAddress() && width >= MAPPED_BITS
  const [start, length] = isMapped ? [first.toIPv4Address(), width - MAPPED_BITS] : [first, width]
  return (
    start.kind() === address.kind() &&
    (address.match as (net: IpAddress, bits: number) => boolean)(start, length)
  )
}
