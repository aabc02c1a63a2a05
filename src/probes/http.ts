import { warnOfExpiry } from '../core/monitors/certificate.ts'
import type { Network } from '../net/network.ts'
import { answered, attempt } from './attempt.ts'
import { followRedirects } from './follow-redirects.ts'
import type { Probe } from './probe.ts'

/** Up when the URL, or its redirect target, answers with an expected status. The body is read only of an answer that fails. */
export function createHttpProbe(network: Network, now: () => Date): Probe<'http'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, (current) =>
      followRedirects(current, async () => answered(current, null)),
    )
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}
