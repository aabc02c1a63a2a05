import net from 'node:net'
import { putLast } from '../core/bounded-map.ts'
import { targetHost } from '../core/monitors/target.ts'
import { isGivenOut } from '../core/sites/domain/registered-domain.ts'

const MAX_COOKIES = 50
/** A name and its value together, as in browsers; in UTF-16. */
const MAX_COOKIE_LENGTH = 4_096
/** All that are sent at once: servers take no more headers than that. */
const MAX_SENT_LENGTH = 16_384

type Cookie = {
  name: string
  value: string
  domain: string
  isHostOnly: boolean
  path: string
  isSecure: boolean
  isExpired: boolean
}

/** The cookies of one attempt, from its first redirect to its end (RFC 6265, with what RFC 6265bis adds about security). */
export type CookieJar = {
  /** `lines` are the values of `Set-Cookie`, as Node gives them. */
  keep(url: URL, lines: readonly string[], now: Date): void
  /** `own` is the `Cookie` of the monitor, whose cookies stay unless the server sets them. Null if there is none. */
  headerFor(url: URL, own: string | null): string | null
}

export function createCookieJar(): CookieJar {
  const kept = new Map<string, Cookie>()
  return {
    keep(url, lines, now) {
      for (const line of lines.slice(0, MAX_COOKIES)) {
        const cookie = readCookie(url, line, now)
        if (!cookie || (url.protocol !== 'https:' && isOfSecure(cookie, kept.values()))) continue
        const key = [cookie.name, cookie.domain, cookie.path].join('\n')
        if (cookie.isExpired) kept.delete(key)
        else putLast(kept, key, cookie, MAX_COOKIES)
      }
    },
    headerFor(url, own) {
      const sent = [...kept.values()]
        .filter((cookie) => isSentTo(cookie, url))
        .sort((a, b) => b.path.length - a.path.length)
      const names = new Set(sent.map(({ name }) => name))
      const parts = (own ?? '')
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part !== '' && !names.has(nameIn(part)))
      let length = 0
      for (const { name, value } of sent) {
        const part = name === '' ? value : `${name}=${value}`
        length += part.length
        if (length <= MAX_SENT_LENGTH) parts.push(part)
      }
      return parts.length > 0 ? parts.join('; ') : null
    },
  }
}

/** A shorter value, such as a language or a theme, tells nothing and is part of many an answer. */
const MIN_SECRET_LENGTH = 8

/** The values of cookies that an answer sets: whoever knows one has the session, so that no cause may repeat it. */
export function secretsOfCookies(lines: readonly string[]): string[] {
  return lines
    .slice(0, MAX_COOKIES)
    .map((line) => pairOf(line)[0])
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    .filter((value) => value.length >= MIN_SECRET_LENGTH && value.length <= MAX_COOKIE_LENGTH)
}

/** Node reads header bytes as Latin-1; servers mean UTF-8. */
function pairOf(line: string): [pair: string, ...attributes: string[]] {
  const [pair = '', ...attributes] = Buffer.from(line, 'latin1').toString('utf8').split(';')
  return [pair, ...attributes]
}

/** Null for one that browsers ignore. */
function readCookie(url: URL, line: string, now: Date): Cookie | null {
  const [pair, ...rest] = pairOf(line)
  const name = nameIn(pair)
  const value = pair.slice(pair.indexOf('=') + 1).trim()
  if ((name === '' && value === '') || name.length + value.length > MAX_COOKIE_LENGTH) return null
  const attributes = new Map(
    rest.map((part) => [nameIn(part).toLowerCase() || part.trim().toLowerCase(), valueIn(part)]),
  )
  const isSecure = attributes.has('secure')
  if (isSecure && url.protocol !== 'https:') return null
  const host = hostOf(url)
  const domain = domainFor(host, attributes.get('domain') ?? '')
  if (domain === null) return null
  const path = attributes.get('path')
  const cookie = {
    name,
    value,
    domain,
    isHostOnly: domain === host && !attributes.get('domain'),
    path: path?.startsWith('/') ? path : defaultPath(url.pathname),
    isSecure,
    isExpired: isOver(attributes, now),
  }
  return keepsPromise(cookie, path === '/') ? cookie : null
}

const SECURE_NAME = /^__Secure-/i
const HOST_NAME = /^__Host-/i

/** Some names promise how a cookie came about (RFC 6265bis, sections 4.1.3 and 5.7). One without a name must not look like that. */
function keepsPromise({ name, value, isSecure, isHostOnly }: Cookie, isOfAll: boolean): boolean {
  if (name === '') return !SECURE_NAME.test(value) && !HOST_NAME.test(value)
  if (HOST_NAME.test(name)) return isSecure && isHostOnly && isOfAll
  return isSecure || !SECURE_NAME.test(name)
}

/** Whether one that came in the clear would stand in for a secure one (RFC 6265bis, section 5.7, step 15). */
function isOfSecure({ name, domain, path }: Cookie, kept: Iterable<Cookie>): boolean {
  return [...kept].some(
    (other) =>
      other.isSecure &&
      other.name === name &&
      (isWithin(domain, other.domain) || isWithin(other.domain, domain)) &&
      isBelow(path, other.path),
  )
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** RFC 6265, section 5.1.4. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function nameIn(pair: string): string {
  return pair.includes('=') ? pair.slice(0, pair.indexOf('=')).trim() : ''
}

function valueIn(pair: string): string {
  return pair.includes('=') ? pair.slice(pair.indexOf('=') + 1).trim() : ''
}

function hostOf(url: URL): string {
  return targetHost(url) ?? ''
}

/** The domain that a cookie is for; null when the host may not set it, as for a whole `co.uk`. */
function domainFor(host: string, said: string): string | null {
  const domain = said.replace(/^\./, '').toLowerCase()
  if (domain === '' || domain === host) return host
  if (net.isIP(host) || !host.endsWith(`.${domain}`)) return null
  return isGivenOut(domain) ? null : domain
}

/** RFC 6265, section 5.1.4: the folder of the page. */
function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/'
}

/** `Max-Age` wins over `Expires`; what cannot be read is ignored. */
function isOver(attributes: Map<string, string>, now: Date): boolean {
  const maxAge = attributes.get('max-age') ?? ''
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  return Date.parse(attributes.get('expires') ?? '') <= now.getTime()
}

function isSentTo({ domain, isHostOnly, path, isSecure }: Cookie, url: URL): boolean {
  if (isSecure && url.protocol !== 'https:') return false
  const host = hostOf(url)
  const isOfHost = isHostOnly ? host === domain : isWithin(host, domain)
  return isOfHost && isBelow(url.pathname, path)
}
