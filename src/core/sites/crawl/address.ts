/** Longer addresses are counted and not looked at. */
export const MAX_ADDRESS_LENGTH = 2_000

/** Parameters that tell visits apart, not pages. */
const TRACKING = /^(?:utm_.*|gclid|fbclid|msclkid|mc_[ce]id|_ga|_gl)$/i
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid.*|sid|sessid|session_?id|cfid|cftoken)$/i
const SESSION_IN_PATH = /;(?:jsessionid|sid|phpsessid)=[^/?#;]*/gi

/**
 * The address that a link leads to, as a crawl knows it: without fragment, default port, trailing dot of the host, and what
 * tells visits apart. Null for what is not fetched over HTTP, and for what is no address.
 */
export function crawlAddress(link: string, base: string): URL | null {
  const url = URL.parse(link.trim(), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') return null
  url.hash = ''
  url.username = ''
  url.password = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  url.pathname = url.pathname.replace(SESSION_IN_PATH, '')
  for (const name of [...url.searchParams.keys()]) {
    if (TRACKING.test(name) || SESSION.test(name)) url.searchParams.delete(name)
  }
  return url.href.length <= MAX_ADDRESS_LENGTH ? url : null
}

/** Whether an address is part of a site: its host, with or without `www.`, and its port. */
export function isOfSite(address: URL, site: URL): boolean {
  return bareHost(address) === bareHost(site) && portOf(address) === portOf(site)
}

function bareHost({ hostname }: URL): string {
  return hostname.startsWith('www.') ? hostname.slice(4) : hostname
}

/** A site may be reached over both protocols, at their default ports. */
function portOf({ port }: URL): string {
  return port
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
export function shapeOf({ host, pathname, searchParams }: URL): string {
  const names = [...new Set(searchParams.keys())].sort()
  const path = pathname.replace(/\d+/g, '0')
  return `${host}${path}${names.length > 0 ? `?${names.join('&')}` : ''}`
}
