const PORTS = { http: 80, https: 443, socks5: 1_080 } as const
/**
 * All of what a proxy is written as. URL parsers take much besides, such as slashes that are missing, and find a password
 * in it: what this does not match is refused, so that no password escapes the mask.
 */
const PROXY =
  /^(?<scheme>https?|socks5):\/\/(?:(?<name>[^:@/?#\\\s]*)(?::(?<password>[^@/?#\\\s]*))?@)?(?<host>\[[\da-f:.]+\]|[^:@/?#\\\s[\]]+)(?::(?<port>\d{1,5}))?\/?$/i
/** Up to the password, and the password. */
const PASSWORD = /^([a-z\d]+:\/\/[^:@/?#\\\s]*:)([^@/?#\\\s]*)(?=@)/i
const MAX_PORT = 65_535
/** In bytes: SOCKS has one byte for the length. */
const MAX_CREDENTIAL_BYTES = 255

export type ProxyAddress = {
  protocol: 'http' | 'socks5'
  /** TLS with the proxy itself. */
  isSecure: boolean
  /** Canonical, an address of IPv6 without brackets. */
  host: string
  port: number
  user: { name: string; password: string } | null
}

/** Reads `http://`, `https://` or `socks5://` with an optional user name and password, percent-encoded; null for anything else. */
export function readProxy(text: string): ProxyAddress | null {
  const parts = PROXY.exec(text)?.groups
  if (!parts) return null
  const scheme = parts.scheme?.toLowerCase() as keyof typeof PORTS
  // The rules of http URLs make the host canonical, whatever the scheme.
  const host = URL.parse(`http://${parts.host}/`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  const port = Number(parts.port ?? PORTS[scheme])
  const [name, password] = [decoded(parts.name ?? ''), decoded(parts.password ?? '')]
  if (!host || name === null || password === null || port < 1 || port > MAX_PORT) return null
  return {
    protocol: scheme === 'socks5' ? 'socks5' : 'http',
    isSecure: scheme === 'https',
    host,
    port,
    user: name === '' && password === '' ? null : { name, password },
  }
}

function decoded(text: string): string | null {
  try {
    const value = decodeURIComponent(text)
    return new TextEncoder().encode(value).length > MAX_CREDENTIAL_BYTES || /[\r\n\0]/.test(value)
      ? null
      : value
  } catch {
    return null
  }
}

/** The password of a proxy as it is written in its URL: a secret that is a part of a text. */
export const PROXY_PASSWORD = {
  read: (text: string): string | null => PASSWORD.exec(text)?.[2] ?? null,
  write: (text: string, password: string): string =>
    text.replace(PASSWORD, (_, before: string) => before + password),
  owner: (text: string): string => {
    const proxy = readProxy(PROXY_PASSWORD.write(text, ''))
    return JSON.stringify([proxy?.protocol, proxy?.isSecure, proxy?.host, proxy?.port])
  },
}
