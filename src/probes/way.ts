import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import type { TlsTerms } from '../net/tls/tls.ts'
import type { DialWay } from '../net/way.ts'

type Settings = Pick<ProbeSettings, 'options'>

/** The way to the target that the options of a monitor say. */
export function wayOf({ options }: Settings): DialWay {
  return options?.ip_version ? { version: options.ip_version } : {}
}

/**
 * The terms of TLS that the options of a monitor name; undefined for none. Another origin than the monitor's is shown neither its
 * certificate nor its name.
 */
export function tlsTermsOf({ options }: Settings, isOwn = true): TlsTerms | undefined {
  const tls = options?.tls
  if (!tls) return undefined
  const { verify: verifies = true, ca, client_certificate: certificate, client_key: key, server_name } = tls
  if (!isOwn) return { verifies, credentials: { ca } }
  return { verifies, serverName: server_name, credentials: { ca, certificate, key } }
}
