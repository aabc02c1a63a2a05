/** Longer addresses are counted and not looked at. */
export const MAX_ADDRESS_LENGTH = 2_000

/** Parameters that tell visits apart, whatever their value. */
const TRACKING =
  /^(?:(?:utm|pk|mtm|matomo|piwik)_.*|[gd]clid|[gw]braid|gclsrc|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id|mkt_tok|_ga|_gl|_hsenc|_hsmi)$/i
/** Names that servers give to visits alone. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid.*|cfid|cftoken)$/i
/** Names that may be of a visit, or of anything else: `/show?sid=12`. */
const MAYBE_SESSION = /^(?:sid|s_id|sess_?id|session_?id|session)$/i
/** Values that nothing but a visit has: long numbers to the base 16, UUIDs, and long mixtures of letters and digits. */
const VISIT =
  /^(?:[0-9a-f]{16,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[^\d]*\d)(?=[^a-z]*[a-z])[a-z0-9]{20,})$/i
const PATH_PARAMETER = /;([^=/;]+)=([^/;]*)/g

/** A link as it is read: nothing that is asked for over HTTP, no address though it seems to be one, or an address. */
export type ReadAddress = { kind: 'other' } | { kind: 'malformed' | 'long' } | { kind: 'address'; url: URL }

/**
 * The address that a link leads to, as a browser asks for it: nothing of its text is changed but what every browser changes
 * (the URL standard), its fragment, which is not sent, and credentials, which a crawl has none of.
 */
export function readAddress(link: string, base: string): ReadAddress {
  const url = URL.parse(link.trim(), base)
  if (!url) return { kind: /^(?:https?:|[/\\]{2})/i.test(link.trim()) ? 'malformed' : 'other' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'other' }
  url.hash = ''
  url.username = ''
  url.password = ''
  return url.href.length <= MAX_ADDRESS_LENGTH ? { kind: 'address', url } : { kind: 'long' }
}

export function crawlAddress(link: string, base: string): URL | null {
  const read = readAddress(link, base)
  return read.kind === 'address' ? read.url : null
}

/**
 * Tells addresses apart, and is never asked for: what tells visits of one page apart is cut out of the text, and everything
 * else stays as it is. `address`: as URLs write themselves; other text is its own key.
 */
export function addressKey(address: string): string {
  const [, start, host = '', path = '', query] =
    /^(https?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(address) ?? []
  if (start === undefined) return address
  const bareHost = host.replace(/\.(?=:\d+$|$)/, '')
  const barePath = path.replace(PATH_PARAMETER, (whole, name, value) => (isOfVisit(name, value) ? '' : whole))
  if (query === undefined) return start + bareHost + barePath
  const kept = query.split('&').filter((part) => !isOfVisit(...nameAndValue(part)))
  const isCut = kept.join('&') !== query
  return `${start}${bareHost}${barePath}${isCut && kept.length === 0 ? '' : `?${kept.join('&')}`}`
}

function nameAndValue(part: string): [string, string] {
  const [name = '', ...value] = part.split('=')
  return [decoded(name), decoded(value.join('='))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isOfVisit(name: string, value: string): boolean {
  return TRACKING.test(name) || SESSION.test(name) || (MAYBE_SESSION.test(name) && VISIT.test(value))
}

/**
 * Whether an address is part of a site: its host, with or without `www.`, its port, and at or below the folder of its home
 * page. A site may be reached over both protocols, at their default ports.
 */
export function isOfSite(address: URL, site: URL): boolean {
  return isOfHost(address, site) && `${address.pathname}/`.startsWith(folderOf(site))
}

/** As isOfSite, wherever on the host. */
export function isOfHost(address: URL, site: URL): boolean {
  return bareHost(address) === bareHost(site) && address.port === site.port
}

/** The folder of `/~ada/` and of `/~ada/index.html` is `/~ada/`. */
function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^www\./, '').replace(/\.$/, '')
}

/**
 * The site as a crawl takes it: that of a home page that leads to elsewhere on its host, such as to the page of a language,
 * is all of the host.
 */
export function siteScope(site: URL, leadsTo: string | null): URL {
  const end = leadsTo === null ? null : URL.parse(leadsTo)
  return end && isOfHost(end, site) && !isOfSite(end, site) ? new URL('/', site) : site
}

/** Whether an address is left out of a crawl; `*` stands for any characters. */
export function matchesPattern(address: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const [first = '', ...rest] = parts
  if (rest.length === 0) return address === pattern
  if (!address.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let from = first.length
  for (const part of rest) {
    const at = address.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return address.length - last.length >= from && address.endsWith(last)
}

/**
 * The common part of the addresses of an endless space: numbers, and values of parameters, are left out. A calendar has one
 * shape, and so has a list with pages.
 */
export function shapeOf(address: URL): string {
  const { host, pathname, searchParams } = new URL(addressKey(address.href))
  const names = [...new Set(searchParams.keys())].sort()
  const path = pathname.replace(/\d+/g, '0')
  return `${host}${path}${names.length > 0 ? `?${names.join('&')}` : ''}`
}
