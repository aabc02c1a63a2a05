import { noAnswer, TOO_BUSY } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { memberAnswered, noMemberAnswers } from '../../core/monitors/types/causes.ts'
import { startDeadline } from '../../net/deadline.ts'
import type { ProbeAttempt } from '../attempt.ts'
import type { DatabaseMember } from './engine.ts'

type Current = ProbeAttempt<ProbeSettings>

/**
 * Asks one member after the other until one answers, rightly or wrongly. One that says nothing at all has its share of the time; one that
 * has begun to answer, all that is left.
 */
export async function askInTurn(
  current: Current,
  name: string,
  members: readonly DatabaseMember[],
  ask: (turn: Current, member: DatabaseMember) => Promise<CheckResult>,
): Promise<CheckResult> {
  const shareSeconds = current.settings.request_timeout_seconds / members.length
  const silent: string[] = []
  let undecided: CheckResult | null = null
  let last: CheckResult | null = null
  for (const [index, member] of members.entries()) {
    const isLast = index === members.length - 1
    const beganAt = performance.now()
    const result: CheckResult = isLast
      ? await ask(current, member)
      : await askForSoLong(current, shareSeconds, (turn) => ask(turn, member))
    if (result.responseTimeMs !== null) return withWordOf(result, name, member, silent)
    last = result
    if (result.status === 'pending') undecided = result
    if (current.signal.aborted) break
    silent.push(`${placeOf(member)} (${result.errorMessage})`)
    if (!isLast) current.setAside(performance.now() - beganAt)
  }
  if (last === null || members.length === 1 || current.signal.aborted) return last as CheckResult
  return undecided ?? { ...last, errorMessage: noMemberAnswers(name, silent) }
}

/** The result of a member, or that it was silent until its share of the time was over. */
async function askForSoLong(
  current: Current,
  seconds: number,
  ask: (turn: Current) => Promise<CheckResult>,
): Promise<CheckResult> {
  const share = startDeadline(seconds * 1_000, current.signal, current.network.loop)
  try {
    const signal = AbortSignal.any([current.signal, share.signal])
    const result = await ask({
      ...current,
      signal,
      connected: (connectMs) => {
        share.progress()
        current.connected(connectMs)
      },
      secured: (secured) => {
        share.progress()
        current.secured(secured)
      },
      forgive: (ms) => {
        share.forgive(ms)
        current.forgive(ms)
      },
      greeted: (firstByteMs) => {
        share.stop()
        current.greeted(firstByteMs)
      },
    })
    const isOver = share.end() !== null && !current.signal.aborted && result.responseTimeMs === null
    if (!isOver) return result
    if (share.end() === 'stalled') return resultWithout('pending', TOO_BUSY)
    const shown = Math.round(seconds * 10) / 10
    return { ...result, status: 'down', errorMessage: noAnswer(shown, current.observed.waitingFor) }
  } finally {
    share.stop()
  }
}

/** Which one answered, where those before it did not. */
function withWordOf(
  result: CheckResult,
  name: string,
  member: DatabaseMember,
  silent: readonly string[],
): CheckResult {
  if (silent.length === 0) return result
  const word = memberAnswered(name, placeOf(member), silent)
  return { ...result, note: result.note ? `${word}; ${result.note}` : word }
}

function placeOf({ url, port }: DatabaseMember): string {
  return `${url.hostname}:${port}`
}
