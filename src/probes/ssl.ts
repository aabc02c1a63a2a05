import { warnOfExpiry } from '../core/monitors/certificate.ts'
import { parseTarget } from '../core/monitors/target.ts'
import type { Network } from '../net/network.ts'
import { answered, attempt } from './attempt.ts'
import { connectSecurely } from './connect.ts'
import type { Probe } from './probe.ts'
import { tlsTermsOf } from './way.ts'

const HTTPS_PORT = 443

/** Up when the certificate is valid for the URL's host, degraded when it expires soon. */
export function createSslProbe(network: Network, now: () => Date): Probe<'ssl'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, async (current) => {
      const url = parseTarget(settings.url)
      const connected = await connectSecurely(
        current,
        { kind: 'check', url, port: Number(url?.port || HTTPS_PORT), terms: tlsTermsOf(settings) },
        null,
      )
      if (connected.kind === 'ended') return connected.result
      connected.socket.destroy()
      return answered(current, null)
    })
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}
