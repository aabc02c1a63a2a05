import { type Said, said } from '../../core/language/said.ts'
import type { MonitorAuth } from '../../core/monitors/options/auth.ts'
import type { SentOptions } from '../../core/monitors/options/monitor-options.ts'
import { DEFAULT_REDIRECTS, MAX_REDIRECTS } from '../../core/monitors/options/request.ts'

/** The request of a check of the other service, and its way. */
export type OldRequest = {
  body?: string
  /** Those that are asked for once a WebSocket opens. */
  subprotocol?: string
  /** Undefined for the default there. */
  maxRedirects?: number | undefined
  passesCaches?: boolean
  ipVersion?: 4 | 6 | null
  trustsAnyCertificate?: boolean
  /** In PEM; an empty text is none. */
  certificates?: { ca: string; client: string; key: string }
  auth?: MonitorAuth | null
  proxy?: string
  resolver?: string
}

/** The options of a monitor that come nearest. A value beyond a bound is said. */
export function fittedRequest(old: OldRequest, notes: Said[]): SentOptions {
  const { body = '', maxRedirects, passesCaches = false, ipVersion = null } = old
  if (maxRedirects !== undefined && maxRedirects > MAX_REDIRECTS)
    notes.push(
      said('follows {now} redirects, not {before}: the maximum', {
        now: MAX_REDIRECTS,
        before: maxRedirects,
      }),
    )
  const redirects = maxRedirects === undefined ? null : Math.min(Math.max(maxRedirects, 0), MAX_REDIRECTS)
  return {
    request_body: body === '' ? null : body,
    subprotocol: old.subprotocol || null,
    follow_redirects: redirects === DEFAULT_REDIRECTS ? null : redirects,
    cache_buster: passesCaches || null,
    ip_version: ipVersion,
    tls: fittedTls(old),
    auth: old.auth ?? null,
    resolver: old.resolver || null,
    proxy: old.proxy || null,
  }
}

function fittedTls({ trustsAnyCertificate = false, certificates }: OldRequest): SentOptions['tls'] {
  const { ca = '', client = '', key = '' } = certificates ?? {}
  const tls = {
    ...(trustsAnyCertificate && { verify: false }),
    ...(ca !== '' && { ca }),
    ...(client !== '' && { client_certificate: client, client_key: key }),
  }
  return Object.keys(tls).length > 0 ? tls : null
}

/** The headers with a type for the body, unless they have one. */
export function withTypeOfBody(
  headers: Record<string, string>,
  body: string,
  type: string | null,
): Record<string, string> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return body === '' || type === null || hasType ? headers : { ...headers, 'Content-Type': type }
}
