import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { hungUpBefore, saidTooMuch } from '../../core/monitors/types/protocol-causes.ts'
import { judgeFailures } from '../../net/dial-failure.ts'
import { codeOf } from '../../net/own-trouble.ts'
import { isOpenSsl, tlsFailure } from '../../net/tls/tls-failure.ts'
import { answered, type ProbeAttempt, unanswered } from '../attempt.ts'
import type { Connected } from '../connect.ts'
import type { TalkEnded } from './talk.ts'

/** A talk as it stood when it ended: the protocol, the port that was dialled, and the text that was waited for. */
type CutTalk = { name: string; port: number; connected: Connected; awaited: string }

/** The result where the server says no more, or far too much. */
export function cutOff(
  current: ProbeAttempt,
  { name, port, connected: { endpoint, isCertified = false }, awaited }: CutTalk,
  { how, error }: TalkEnded,
): CheckResult {
  if (how === 'too much') return answered(current, saidTooMuch(name))
  if (error && isOpenSsl(error))
    return unanswered(current, tlsFailure(error, endpoint, { isSent: isCertified }))
  if (error && 'syscall' in error) {
    const failure = { address: current.observed.address ?? '', code: codeOf(error) }
    const judged = judgeFailures([failure], port)
    return judged.kind === 'failed'
      ? unanswered(current, judged.reason)
      : resultWithout('pending', judged.reason)
  }
  return unanswered(current, hungUpBefore(name, endpoint, awaited))
}
