import { warnOfExpiry } from '../core/monitors/certificate.ts'
import type { Network } from '../net/network.ts'
import { attempt } from './attempt.ts'
import { followRedirects } from './follow-redirects.ts'
import { firstRequest } from './hop.ts'
import { judgeAnswer } from './judge-answer.ts'
import type { Probe } from './probe.ts'

/** Like http, but the body must also contain the keyword. */
export function createKeywordProbe(network: Network, now: () => Date): Probe<'keyword'> {
  return async (settings, signal) => {
    const keyword = settings.expected_keyword ?? ''
    const result = await attempt(network, settings, signal, (current) =>
      followRedirects(current, firstRequest(settings), (answer) =>
        judgeAnswer(current, answer, { keyword, now }),
      ),
    )
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}
