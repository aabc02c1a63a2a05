import type { Services } from '../services.ts'

/** A `Set-Cookie` that scripts cannot read and other sites cannot send along; an empty value with age 0 deletes it. */
export function makeCookie(services: Services, name: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(services) ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${maxAgeSeconds}`
  return `${fullName(services, name)}=${value}; ${attributes}`
}

export function readCookie(
  services: Services,
  header: string | null | undefined,
  name: string,
): string | null {
  const start = `${fullName(services, name)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null
}

/** The prefix makes browsers require Secure and Path, so that no sibling domain can plant the cookie. */
function fullName(services: Services, name: string): string {
  return isSecure(services) ? `__Host-${name}` : name
}

function isSecure({ siteUrl }: Services): boolean {
  return siteUrl.startsWith('https:')
}
