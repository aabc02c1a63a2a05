import { isOwnOrigin } from '../../sign-in/session.ts'

/** The host name of a `Host` header, in lower case, without port, dot at the end and brackets; null if it has none. */
export function hostName(header: string | undefined): string | null {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-f:.]+)\]|([^:/?#@\s[\]]+))(?::\d{1,5})?$/i.exec(header ?? '') ?? []
  return (bracketed ?? plain)?.toLowerCase().replace(/\.$/, '') || null
}

/** Whether the service answers for its own pages there: its public name, an address, or this machine. */
export function isServiceHost(name: string | null, siteName: string | null): boolean {
  return name !== null && (name === siteName || name === 'localhost' || isAddress(name))
}

/** The host name of SITE_URL. */
export function siteHost(siteUrl: string): string | null {
  return hostName(new URL(siteUrl).host)
}

/** A name of digits is no name that DNS gives: an address in some form. */
function isAddress(name: string): boolean {
  return name.includes(':') || /^[\d.]+$/.test(name)
}

/** Whether a form stands on a page of the host that it is sent to. Only browsers tell; nobody can make others do so. */
export function isOwnForm(
  headers: {
    origin?: string | undefined
    host?: string | undefined
    'sec-fetch-site'?: string | string[] | undefined
  },
  siteUrl: string,
): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  // An own domain may have TLS where SITE_URL has none.
  return isOwnOrigin(origin, host, siteUrl) || origin?.replace(/^https?:\/\//, '') === host?.toLowerCase()
}
