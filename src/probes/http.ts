import { warnOfExpiry } from '../core/monitors/certificate.ts'
import type { Network } from '../net/network.ts'
import { attempt } from './attempt.ts'
import { followRedirects } from './follow-redirects.ts'
import { firstRequest } from './hop.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { Probe } from './probe.ts'

/**
 * Up when the URL, or its redirect target, answers with an expected status. The body is read only of an answer that fails, and for
 * assertions about it.
 */
export function createHttpProbe(network: Network, now: () => Date): Probe<'http'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, (current) =>
      followRedirects(current, firstRequest(settings), (answer) =>
        judgeAnswer(current, answer, { keyword: null, now }),
      ),
    )
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}
