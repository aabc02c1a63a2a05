const PORTS = { 'http:': 80, 'https:': 443, 'socks5:': 1_080 } as const
/** Up to the password, the password, and what follows it. */
const PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:)([^/?#]*)(@[^@/?#]*\/?)$/is
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

/** Reads `http://`, `https://` or `socks5://` with an optional user name and password; null for anything else. */
export function readProxy(text: string): ProxyAddress | null {
  const written = URL.parse(text)
  const port = PORTS[written?.protocol as keyof typeof PORTS]
  // The rules of http URLs make the host canonical, whatever the scheme.
  const url = written && URL.parse(text.replace(/^[a-z0-9]+:/i, 'http:'))
  if (!url?.hostname || port === undefined || !/^\/?$/.test(url.pathname) || url.search || url.hash)
    return null
  const [name, password] = [decoded(url.username), decoded(url.password)]
  if (name === null || password === null) return null
  return {
    protocol: written?.protocol === 'socks5:' ? 'socks5' : 'http',
    isSecure: written?.protocol === 'https:',
    host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
    port: Number(/:(\d+)\/?$/.exec(text.replace(/^[^/]*\/\/(.*@)?/, ''))?.[1] ?? port),
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
    text.replace(PASSWORD, (_, before: string, __, after: string) => before + password + after),
  owner: (text: string): string => {
    const proxy = readProxy(PROXY_PASSWORD.write(text, ''))
    return JSON.stringify([proxy?.protocol, proxy?.isSecure, proxy?.host, proxy?.port])
  },
}
