import * as z from 'zod'

/** Record types that are watched. `spf` and `dmarc` are the TXT records of that meaning. */
export const DnsType = z.enum(['ns', 'mx', 'caa', 'spf', 'dmarc', 'a', 'aaaa'])
export type DnsType = z.infer<typeof DnsType>

/** Sets of these change by hand alone, so each change is told. Addresses rotate by themselves. */
const ADDRESS_TYPES: readonly DnsType[] = ['a', 'aaaa']

export function isAddressType(type: DnsType): boolean {
  return ADDRESS_TYPES.includes(type)
}

export const MAX_RECORDS = 100

/** One look at the DNS of a site, at its authoritative servers. */
export type DnsLook =
  | {
      kind: 'answered'
      /** Sorted sets, without doubles; a type that could not be asked for is absent. */
      sets: Partial<Record<DnsType, string[]>>
      /** Name servers that answer otherwise than the others, and those that do not answer. */
      disagreeing: string[]
      silent: string[]
      /** The name that the site's name is an alias of; null for none. */
      alias: string | null
    }
  | { kind: 'no_such_name' }
  /** There is nothing to look at: the address has no name that is public. */
  | { kind: 'none'; reason: string }
  /** Trouble of ours, or none of the servers answered. */
  | { kind: 'unknown'; reason: string }

/** Records as they are compared: in lower case where case has no meaning, without order, doubles and final dots. */
export function comparableSet(type: DnsType, records: readonly string[]): string[] {
  const comparable = records.slice(0, MAX_RECORDS).map((record) => {
    const bare = record.trim()
    return type === 'spf' || type === 'dmarc'
      ? bare.replace(/\s+/g, ' ')
      : bare.toLowerCase().replace(/\.$/, '')
  })
  return [...new Set(comparable)].sort()
}

/** The TXT records that are a policy of this kind (RFC 7208, section 4.5; RFC 7489, section 6.6.3). */
export function policiesOf(type: 'spf' | 'dmarc', texts: readonly string[]): string[] {
  const start = type === 'spf' ? /^v=spf1(?: |$)/i : /^v=DMARC1(?:\s*;|$)/i
  return texts.filter((text) => start.test(text.trim()))
}

/** Networks that answer with another address whenever they like. */
const CDN_NAMES =
  /(?:^|\.)(?:cloudflare\.(?:com|net)|cloudfront\.net|fastly\.net|fastlylb\.net|akamai(?:edge|zed|hd)?\.net|akam\.net|edgekey\.net|edgesuite\.net|azureedge\.net|azurefd\.net|trafficmanager\.net|b-cdn\.net|cdn77\.org|incapdns\.net|sucuri\.net|googleusercontent\.com|vercel-dns(?:-\d+)?\.com|netlify\.(?:app|com)|elb\.amazonaws\.com)$/i

/** Whether addresses of a site are those of a known network that spreads visitors over many. */
export function isBehindCdn(alias: string | null, nameServers: readonly string[]): boolean {
  if (alias !== null && CDN_NAMES.test(alias)) return true
  return nameServers.some((name) => /(?:^|\.)ns\.cloudflare\.com$/i.test(name))
}
