import { getPublicSuffix, parse } from 'tldts-icann'

/** Names that no registry registers (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's `internal`). */
const SPECIAL = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'onion',
  'test',
])

export type RegisteredDomain =
  /** `domain` in ASCII, as registries are asked; `topLevel` is its last label. */
  { kind: 'registered'; domain: string; topLevel: string } | { kind: 'none'; reason: string }

/** The domain that somebody registered so that a host name exists: `example.co.uk` for `www.example.co.uk`. */
export function registeredDomain(host: string): RegisteredDomain {
  const ascii = asciiName(host)
  if (ascii === null) return { kind: 'none', reason: 'the address has no host name' }
  const { domain, isIp } = parse(ascii)
  if (isIp) return { kind: 'none', reason: 'the address is an IP address, which has no registration' }
  const topLevel = ascii.slice(ascii.lastIndexOf('.') + 1)
  if (SPECIAL.has(topLevel) || !ascii.includes('.'))
    return { kind: 'none', reason: `the name ${ascii} is private, so that it has no registration` }
  if (!domain) return { kind: 'none', reason: `${ascii} is itself a name that registries give out` }
  return { kind: 'registered', domain, topLevel }
}

/** Whether registries give out names below this one, as below `com` and `co.uk`: it is nobody's own. */
export function isGivenOut(name: string): boolean {
  return getPublicSuffix(name) === name
}

/** The name by the URL standard: lower case, IDNA, without the final dot; null for what is no host. */
function asciiName(host: string): string | null {
  const parsed = URL.parse(`https://${host}/`)
  return parsed ? parsed.hostname.replace(/\.$/, '') : null
}
