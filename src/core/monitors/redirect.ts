import type { HttpMethod } from './options/request.ts'

/** Status codes of redirects; a check follows them unless the monitor expects them. */
export const REDIRECTS = [301, 302, 303, 307, 308]

/** Ask for something and change nothing (RFC 9110, section 9.2.1), so that another origin may be sent them. */
const READING: readonly HttpMethod[] = ['GET', 'HEAD']

/** Headers that speak of a body, and go with it (Fetch standard, "request-body-header name"). */
const OF_BODY = ['content-encoding', 'content-language', 'content-location', 'content-type']

/**
 * Where a Location leads; null for anything but an http(s) URL. Credentials in it are those of a stranger, who chooses
 * nothing of what we send: no request uses them.
 */
export function redirectTarget(location: string, from: URL): URL | null {
  // Node reads header bytes as Latin-1; servers mean UTF-8.
  const bytes = Uint8Array.from(location, (one) => one.charCodeAt(0))
  const url = URL.parse(new TextDecoder().decode(bytes), from.href)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  url.username = ''
  url.password = ''
  return url
}

/** The method of the request that follows a redirect (Fetch standard, "HTTP-redirect fetch", step 12). */
export function methodAfter(method: HttpMethod, status: number): HttpMethod {
  if (status === 303 && method !== 'HEAD') return 'GET'
  return method === 'POST' && (status === 301 || status === 302) ? 'GET' : method
}

/**
 * Whether a request with this method goes where a redirect leads. A member chose the server that is asked to change
 * something: no answer of that server may pass the wish on to another.
 */
export function mayFollow(method: HttpMethod, isSameOrigin: boolean): boolean {
  return isSameOrigin || READING.includes(method)
}

/** The headers of a request whose method a redirect has changed, which leaves it without a body. */
export function withoutBody(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_BODY.includes(name.toLowerCase())))
}
