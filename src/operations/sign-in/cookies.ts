import type { Services } from '../services.ts'

/**
 * A `Set-Cookie` that scripts cannot read and other sites cannot send along; an empty value with age 0 deletes it. One
 * with a path of its own has to be read with `isBelow`.
 */
export function makeCookie(
  services: Services,
  name: string,
  value: string,
  maxAgeSeconds: number,
  path?: string,
): string {
  const secure = isSecure(services) ? '; Secure' : ''
  const attributes = `Path=${path ?? '/'}; HttpOnly; SameSite=Lax${secure}; Max-Age=${maxAgeSeconds}`
  return `${fullName(services, name, path !== undefined)}=${value}; ${attributes}`
}

export function readCookie(
  services: Services,
  header: string | null | undefined,
  name: string,
  isBelow = false,
): string | null {
  const start = `${fullName(services, name, isBelow)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null
}

/** The prefix makes browsers require Secure and, at `/`, Path, so that no sibling domain can plant the cookie. */
function fullName(services: Services, name: string, isBelow: boolean): string {
  if (!isSecure(services)) return name
  return isBelow ? `__Secure-${name}` : `__Host-${name}`
}

function isSecure({ siteUrl }: Services): boolean {
  return siteUrl.startsWith('https:')
}
