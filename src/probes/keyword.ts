import { keywordMissing, undecodable, unknownEncoding } from '../core/monitors/cause.ts'
import { warnOfExpiry } from '../core/monitors/certificate.ts'
import { type CheckResult, resultWithout } from '../core/monitors/check.ts'
import type { ProbeSettings } from '../core/monitors/probe-settings.ts'
import type { Network } from '../net/network.ts'
import { codeOf, ownTrouble } from '../net/own-trouble.ts'
import { answered, attempt, type ProbeAttempt, unanswered } from './attempt.ts'
import { searchBody } from './body.ts'
import { unknownEncodings } from './content-encoding.ts'
import { answerFailure, type HttpAnswer } from './exchange.ts'
import { keepAnswerOf } from './failing-answer.ts'
import { followRedirects } from './follow-redirects.ts'
import type { Probe } from './probe.ts'

const MAX_ENCODINGS_NAMED = 3

/** Like http, but the body must also contain the keyword. */
export function createKeywordProbe(network: Network, now: () => Date): Probe<'keyword'> {
  return async (settings, signal) => {
    const result = await attempt(network, settings, signal, (current) =>
      followRedirects(current, (answer) => judgeBody(current, answer)),
    )
    return warnOfExpiry(result, settings.ssl_expiry_warning_days, now())
  }
}

async function judgeBody(
  current: ProbeAttempt<ProbeSettings<'keyword'>>,
  answer: HttpAnswer,
): Promise<CheckResult> {
  const keyword = current.settings.expected_keyword ?? ''
  const headersAt = performance.now()
  const keeping = keepAnswerOf(current, answer)
  const search = await searchBody(answer.response, keyword, keeping.bytes, () => current.progress())
  current.bodyRead(Math.round(performance.now() - headersAt))
  const unknown = unknownEncodings(answer.response.headers['content-encoding'] ?? '')
  current.foundOdd(unknown.slice(0, MAX_ENCODINGS_NAMED).map(unknownEncoding))
  switch (search.kind) {
    case 'found':
      return answered(current, null)
    case 'absent':
      return keeping.with(answered(current, keywordMissing(keyword, search.bytes)), search.head)
    case 'undecodable':
      return keeping.with(answered(current, undecodable(search.encoding, search.why)), null)
    case 'broken': {
      const error = answer.brokenBy() ?? search.error
      const own = ownTrouble(codeOf(error))
      if (own !== null) return resultWithout('pending', own)
      const cause = answerFailure(error, answer.endpoint)
      return keeping.with(unanswered(current, cause), search.head)
    }
  }
}
