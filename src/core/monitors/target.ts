import { type Said, said } from '../language/said.ts'
import { unreadableFault } from '../text.ts'
import { describe } from '../validation.ts'
import type { Check } from './check.ts'
import {
  MONITOR_TYPES,
  type MonitorType,
  namedBy,
  portOfScheme,
  SCHEMES_OF_SEVERAL,
  schemesOf,
  serviceOfScheme,
  usesHostOnly,
  usesSetting,
  usualSchemeOf,
} from './monitor-types.ts'

/** A check tries one after the other. */
const MAX_HOSTS = 10
const SLASHES = '://'.length
const HAS_SCHEME_AND_HOST = /^([a-z][a-z0-9+.-]*):\/\/[^/?#]/i

/** The error of a monitor's URL, as the end of a sentence that starts with the field's name; null if it is valid. */
export function urlFault(type: MonitorType, url: string): Said | null {
  const schemes = schemesOf(type)
  const example = `${usualSchemeOf(type)}://example.com`
  const scheme = schemeOf(url)
  const unreadable = unreadableFault(url)
  if (unreadable !== null) return unreadable
  if (!scheme) return said('must be a full URL such as {example}, got {got}', { example, got: describe(url) })
  if (schemes && !schemes.includes(scheme)) {
    return said('must start with {schemes} for a monitor of type {type}', {
      schemes: schemes.map((name) => `${name}://`).join(' or '),
      type,
    })
  }
  const named = namedBy(type)
  if (named !== null && !named.test(url.slice(scheme.length + SLASHES)))
    return said('must be {scheme}:// and a name with nothing behind it, such as {example}, got {got}', {
      scheme,
      example: MONITOR_TYPES[type].url?.example ?? '',
      got: describe(url),
    })
  const parsed = parseTarget(url)
  const each = urlsOfHosts(url)
  if (!parsed || !each.slice(1).every(parseTarget))
    return said('must be a full URL such as {example}, got {got}', { example, got: describe(url) })
  if (parsed.username || parsed.password) {
    return said('must not contain credentials: send them as username and password')
  }
  if (each.length > MAX_HOSTS)
    return said('must name at most {max} hosts, got {got}', { max: MAX_HOSTS, got: each.length })
  if (serviceOfScheme(type, scheme) !== null && WRITTEN_PORT.test(url))
    return said('must name no port: SRV records say it for {scheme}', { scheme: `${scheme}://` })
  return null
}

/** Scheme, credentials, hosts with their ports, and the rest of a URL that may name several hosts. */
const OF_SEVERAL = /^([a-z][a-z0-9+.-]*:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/is

/** The URL of each host of a URL that names several, with commas between; the URL itself of another one. */
export function urlsOfHosts(url: string): string[] {
  const [, scheme = '', credentials = '', hosts = '', rest = ''] = SCHEMES_OF_SEVERAL.has(schemeOf(url))
    ? (OF_SEVERAL.exec(url) ?? [])
    : []
  if (!hosts.includes(',')) return [url]
  return hosts.split(',').map((host) => `${scheme}${credentials}${host}${rest}`)
}

/** Most URLs name one host. */
function firstOf(url: string): string {
  return url.includes(',') ? (urlsOfHosts(url)[0] ?? url) : url
}

/** The target to show: the URL, or its host and port if the type uses no more. Null for a heartbeat. */
export function targetOf({
  type,
  url,
  port,
}: {
  type: MonitorType
  url: string | null
  port: number | null
}) {
  if (url === null || !usesHostOnly(type)) return url
  const host = url.replace(/^[^/]*\/\//, '').replace(/(:\d*)?([/?#].*)?$/, '')
  return showsPort(type) ? `${host}:${port}` : host
}

/** Whether targets of a type are shown as host and port. */
export function showsPort(type: MonitorType): boolean {
  return usesHostOnly(type) && usesSetting(type, 'port')
}

/**
 * Parses a target of any scheme by the rules of http URLs, so that every host has one canonical form (the host of
 * `tcp://127.1` is 127.0.0.1); of several hosts the first. Null if it is not a URL with a host.
 */
export function parseTarget(target: string): URL | null {
  const url = firstOf(target)
  const asHttp = /^https?:/i.test(url) ? url : url.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:')
  const parsed = URL.parse(asHttp)
  return parsed?.hostname ? parsed : null
}

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

/** A path without parts that lead elsewhere: an operator lists it as it is written. */
const SOCKET = /^unix:\/\/(\/(?!\/)[^\0?#]*[^\0?#/])$/
const ODD_PART = /(?:^|\/)\.{0,2}\//

/** The path of a URL of a socket of this machine; null for any other URL. */
export function socketPathOf(url: string): string | null {
  const path = SOCKET.exec(url)?.[1] ?? null
  return path === null || ODD_PART.test(path.slice(1)) || /\/\.{1,2}$/.test(path) ? null : path
}

const WRITTEN_PORT = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*:(\d+)(?=[/?#\\]|$)/i

/** The port that checks connect to: of its own setting, of the URL, or the usual one of its scheme. Null where nothing says it. */
export function portOf({
  type,
  url,
  port = null,
}: {
  type: MonitorType
  url: string
  port?: number | null | undefined
}): number | null {
  if (usesSetting(type, 'port') && port !== null) return port
  // A parser leaves out a port that is the usual one of another scheme.
  const written = WRITTEN_PORT.exec(firstOf(url))?.[1]
  return written === undefined ? portOfScheme(type, schemeOf(url)) : Number(written)
}

/** In lower case, without its colon. */
export function schemeOf(url: string): string {
  return HAS_SCHEME_AND_HOST.exec(url)?.[1]?.toLowerCase() ?? ''
}

/** A host, with or without port and path, but without a scheme. `localhost:80` matches, `mailto:a@b` does not. */
const BARE = /^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_.-]+)(:\d{1,5})?([/?#]\S*)?$/iu

/** Completes a bare host to the full URL that the API expects. Other text stays as typed. */
export function completeUrl(type: MonitorType, typed: string): string {
  const text = typed.trim()
  return MONITOR_TYPES[type].url && BARE.test(text) ? `${usualSchemeOf(type)}://${text}` : text
}

/** A name for a monitor of this URL; empty while the URL is incomplete. */
export function nameOf(url: string): string {
  return parseTarget(url)?.host ?? ''
}

/** The part of a check that says how far it came. */
type Reached = Pick<Check, 'status' | 'http_status_code'> & {
  phases: { dns_ms: number | null; tls_ms: number | null } | null
}

/**
 * The URL with http in place of https, where a check found the host and no TLS there: http may be meant. A certificate that is
 * wrong is TLS, and stays to be mended. Null where nothing speaks for it.
 */
export function plainUrlAfter(url: string, { status, http_status_code, phases }: Reached): string | null {
  const isUnanswered = status === 'down' && http_status_code === null
  const isWithoutTls = phases !== null && phases.dns_ms !== null && phases.tls_ms === null
  return /^https:/i.test(url) && isUnanswered && isWithoutTls ? url.replace(/^https/i, 'http') : null
}
