import { randomUUID } from 'node:crypto'
import { DEFAULT_METHOD, DEFAULT_STATUS_CODES } from '../core/monitors/monitor.ts'
import type { HttpMethod } from '../core/monitors/options/request.ts'
import { CACHE_BUSTER, DEFAULT_REDIRECTS } from '../core/monitors/options/request.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import { mayFollow, methodAfter, REDIRECTS, redirectTarget, withoutBody } from '../core/monitors/redirect.ts'
import type { AddressKind } from '../net/address-policy.ts'
import type { CookieJar } from './cookie-jar.ts'

const USER_AGENT = 'Upbeat/0.1 (uptime monitoring)'

/** One request of a check: the first, or one that follows a redirect. */
export type Hop = {
  url: URL
  method: HttpMethod
  /** Headers besides Host and Connection. */
  headers: Readonly<Record<string, string>>
  /** The connection is to speak another protocol from the answer on, which a header `Upgrade` names. */
  upgrades?: true
  /** In UTF-8. */
  body?: Buffer
}

type HttpSettings = ProbeSettings<'http' | 'keyword'>
/** The settings of a check that sends a request. */
export type WebSettings = HttpSettings | ProbeSettings<'websocket'>

/** The first request of a check, the codes that are expected of an answer, and how many redirects are followed until then. */
export type FirstRequest = {
  hop: Hop
  expected: readonly number[]
  redirects: number
  /** Cookies of earlier requests, which those of this one are added to; else they last until its answer. */
  cookies?: CookieJar
  /** The kind of the address of its host, where that is not the monitor's. */
  kind?: AddressKind
  /** False for an origin other than the monitor's, which is not shown what is for that alone. */
  isOwn?: boolean
}

export function firstRequest(settings: HttpSettings): FirstRequest {
  return {
    hop: firstHop(settings),
    expected: settings.expected_status_codes ?? DEFAULT_STATUS_CODES,
    redirects: settings.options?.follow_redirects ?? DEFAULT_REDIRECTS,
  }
}

/** The headers of the monitor, with those that every request has. */
export function headersOf(settings: WebSettings): Hop['headers'] {
  return withDefaults({ ...basicAuth(settings), ...settings.request_headers })
}

function firstHop(settings: HttpSettings): Hop {
  const { url, http_method, options } = settings
  const body = options?.request_body ?? null
  const headers = headersOf(settings)
  return {
    url: options?.cache_buster ? pastCaches(new URL(url)) : new URL(url),
    method: http_method ?? DEFAULT_METHOD,
    headers: body === null ? headers : withContentType(headers, body),
    ...(body !== null && { body: Buffer.from(body) }),
  }
}

function pastCaches(url: URL): URL {
  url.search += `${url.search === '' ? '' : '&'}${CACHE_BUSTER}=${randomUUID()}`
  return url
}

function withContentType(headers: Hop['headers'], body: string): Hop['headers'] {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')) return headers
  return { ...headers, 'Content-Type': isJson(body) ? 'application/json' : 'text/plain; charset=utf-8' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The step after an answer. */
export type Next =
  | { kind: 'next'; hop: Hop }
  /** The answer is no redirect. */
  | { kind: 'none' }
  /** It does not lead to an http(s) URL. */
  | { kind: 'unusable' }
  /** It leads to another origin, which is asked for nothing with this method. */
  | { kind: 'other origin'; method: HttpMethod; origin: string }

/**
 * The request that follows a redirect, as browsers do it (Fetch standard, "HTTP-redirect fetch"), and stricter: another
 * origin gets neither credentials nor the monitor's own headers and body, dropped headers stay dropped, and only GET and HEAD
 * leave the origin.
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Next {
  if (!REDIRECTS.includes(status) || location === undefined) return { kind: 'none' }
  const url = redirectTarget(location, hop.url)
  if (!url) return { kind: 'unusable' }
  const isSameOrigin = url.origin === hop.url.origin
  const method = methodAfter(hop.method, status)
  if (!mayFollow(method, isSameOrigin)) return { kind: 'other origin', method, origin: url.origin }
  if (!isSameOrigin) return { kind: 'next', hop: { url, method, headers: withDefaults({}) } }
  if (method === hop.method) return { kind: 'next', hop: { ...hop, url } }
  return { kind: 'next', hop: { url, method, headers: withoutBody(hop.headers) } }
}

/** Adds the cookies that were set on the way to those of the monitor's own header. */
export function withCookies(hop: Hop, cookies: CookieJar): Hop {
  const own = Object.entries(hop.headers).filter(([name]) => name.toLowerCase() === 'cookie')
  const header = cookies.headerFor(hop.url, own.map(([, value]) => value).join('; '))
  const others = Object.entries(hop.headers).filter(([name]) => name.toLowerCase() !== 'cookie')
  return { ...hop, headers: { ...Object.fromEntries(others), ...(header !== null && { Cookie: header }) } }
}

export function withHeader(hop: Hop, name: string, value: string): Hop {
  return { ...hop, headers: lastOfEach({ ...hop.headers, [name]: value }) }
}

/** RFC 7617, with the UTF-8 recommended by its section 2.1. A header set on the monitor wins. */
function basicAuth({
  username,
  password,
  request_headers: headers,
  options,
}: WebSettings): Record<string, string> {
  const ownHeader = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
  if (!username || ownHeader || options?.auth) return {}
  return { Authorization: `Basic ${basicCredentials(username, password ?? '')}` }
}

export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

const DEFAULTS: Readonly<Record<string, string>> = { 'User-Agent': USER_AGENT, Accept: '*/*' }

/** Those of the monitor win, whatever the case of their names. */
function withDefaults(headers: Record<string, string>): Hop['headers'] {
  const names = Object.keys(headers)
  if (names.length === 0) return DEFAULTS
  const given = new Set(names.map((name) => name.toLowerCase()))
  const missing = Object.entries(DEFAULTS).filter(([name]) => !given.has(name.toLowerCase()))
  return lastOfEach({ ...Object.fromEntries(missing), ...headers })
}

/** The last one wins where names differ in case alone. */
function lastOfEach(headers: Record<string, string>): Hop['headers'] {
  const last = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]))
  return Object.fromEntries(last.values())
}
