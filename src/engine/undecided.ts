import { CHECK_CANCELLED, NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../core/cause.ts'
import type { CheckResult } from '../core/check.ts'
import { longestUndecidedMs } from '../core/evidence.ts'
import type { ProbeSettings } from '../core/probe-settings.ts'
import type { NetworkNotice } from './network-notices.ts'

/** A target that nobody has looked at for so long is not looked at any more. */
const FORGET_AFTER_MS = 120_000

/** The operator has a notice of its own of these. */
const TOLD_ALREADY = new Set<string | null>([NETWORK_SEEMS_DOWN, NAME_SERVERS_SEEM_DOWN])

type Undecided = { sinceMs: number; lookedMs: number; limitMs: number }

/**
 * Sees to it that nothing stays undecided for ever. A failure of the way that is thought ours is the target's after
 * two intervals and two time-outs in which anything else answered; what stays undecided for longer, for want of
 * descriptors say, is told to the operator.
 */
export function createUndecided(deps: {
  monotonicMs: () => number
  notify: (notice: NetworkNotice) => void
}) {
  const targets = new Map<string, Undecided>()
  /** The two that answered last, each with the time: one of them is another than whoever asks. */
  let answered: { key: string; atMs: number }[] = []
  let isTold = false

  function bound(settings: ProbeSettings, result: CheckResult): CheckResult {
    const key = keyOf(settings)
    if (result.status !== 'pending') {
      if (result.responseTimeMs !== null) noteAnswer(key)
      if (targets.delete(key)) tell(null)
      return result
    }
    if (result.errorMessage === CHECK_CANCELLED) return result
    const nowMs = deps.monotonicMs()
    const limitMs = longestUndecidedMs(settings.intervalSeconds, settings.requestTimeoutSeconds)
    const { sinceMs } = targets.get(key) ?? { sinceMs: nowMs }
    targets.set(key, { sinceMs, lookedMs: nowMs, limitMs })
    if (nowMs - sinceMs <= limitMs) return result
    if (!TOLD_ALREADY.has(result.errorMessage)) tell(result.errorMessage)
    return result.isOfTheWay && somethingElseAnswers(key, nowMs - limitMs)
      ? { ...result, status: 'down' }
      : result
  }

  function noteAnswer(key: string) {
    const others = answered.filter((answer) => answer.key !== key)
    answered = [...others.slice(-1), { key, atMs: deps.monotonicMs() }]
  }

  function somethingElseAnswers(key: string, sinceMs: number): boolean {
    return answered.some((answer) => answer.key !== key && answer.atMs > sinceMs)
  }

  function overdue(): number {
    const nowMs = deps.monotonicMs()
    let count = 0
    for (const [key, { sinceMs, lookedMs, limitMs }] of targets) {
      if (nowMs - lookedMs > limitMs + FORGET_AFTER_MS) targets.delete(key)
      else if (nowMs - sinceMs > limitMs) count++
    }
    return count
  }

  /** Once when the first is overdue, and once when none is any more. */
  function tell(reason: string | null) {
    if (reason !== null && !isTold) {
      isTold = true
      deps.notify({ kind: 'undecided', reason })
    } else if (isTold && overdue() === 0) {
      isTold = false
      deps.notify({ kind: 'decided' })
    }
  }

  return { bound, overdue }
}

function keyOf({ type, url, port }: ProbeSettings): string {
  return `${type} ${port} ${url}`
}
