import { CHECK_CANCELLED, NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../../core/monitors/cause.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { longestUndecidedMs } from '../../core/probing/evidence.ts'
import type { NetworkNotice } from './network-notices.ts'

/** A target without a check for this long is not checked here any more. */
const FORGET_AFTER_MS = 120_000

/** The operator has a notice of its own of these. */
const TOLD_ALREADY = new Set<string | null>([NETWORK_SEEMS_DOWN, NAME_SERVERS_SEEM_DOWN])

/** Answers as new as this need not be replaced by newer ones. */
const FRESH_MS = 100

/** A way that works only for a moment proves nothing: other answers must come this often between two attempts. */
const CONTRADICTIONS = 2

type Undecided = {
  sinceMs: number
  /**
   * The start of the row of attempts that all failed on the way, none for lack of a local resource; null without one.
   */
  ofTheWaySinceMs: number | null
  checkedMs: number
  limitMs: number
  /** The start of the last attempt, and the number of failures although other answers had come since the one before. */
  startedMs: number
  contradicted: number
}

/** An answer of a target to an attempt that began at `startedMs`. */
type SeenAnswer = { key: string; startedMs: number; atMs: number }
/** The two newest answers, of different targets: at least one is not the asking target's own. */
type SeenAnswers = { ofAnything: readonly SeenAnswer[]; ofNames: readonly SeenAnswer[] }

/** The answers known when an attempt began: later ones say nothing about its time. */
export type CheckStart = { startedMs: number; answers: SeenAnswers }

/**
 * Keeps every target from staying undecided forever. A failure of the way that is thought ours becomes the target's
 * after two intervals and two timeouts in which another target answered (for a name that is not found, another name).
 * The operator hears of targets that stay undecided for longer, for example for lack of file descriptors.
 */
export function createUndecided(deps: {
  monotonicMs: () => number
  notify: (notice: NetworkNotice) => void
}) {
  const targets = new Map<string, Undecided>()
  let answers: SeenAnswers = { ofAnything: [], ofNames: [] }
  let isTold = false

  function begin(): CheckStart {
    return { startedMs: deps.monotonicMs(), answers }
  }

  /**
   * Returns the result as it is, or decides it once its target has been undecided for too long. `key` names the target.
   */
  function settle(
    key: string,
    settings: ProbeSettings,
    result: CheckResult,
    beginning: CheckStart,
  ): CheckResult {
    if (result.status !== 'pending') {
      noteAnswers(key, result, beginning.startedMs)
      if (targets.delete(key)) tell(null)
      return result
    }
    if (result.errorMessage === CHECK_CANCELLED) return result
    const nowMs = deps.monotonicMs()
    const limitMs = longestUndecidedMs(settings.interval_seconds, settings.request_timeout_seconds)
    const { startedMs, answers } = beginning
    const before = targets.get(key)
    const isOfNames = result.name !== undefined && result.address === undefined
    const others = (isOfNames ? answers.ofNames : answers.ofAnything).filter((answer) => answer.key !== key)
    const isContradicted =
      before !== undefined && others.some((answer) => answer.startedMs > before.startedMs)
    const contradicted = (before?.contradicted ?? 0) + Number(isContradicted)
    const sinceMs = before?.sinceMs ?? nowMs
    const ofTheWaySinceMs = result.isOfTheWay ? (before?.ofTheWaySinceMs ?? nowMs) : null
    targets.set(key, { sinceMs, ofTheWaySinceMs, checkedMs: nowMs, limitMs, startedMs, contradicted })
    if (nowMs - sinceMs <= limitMs) return result
    if (!TOLD_ALREADY.has(result.errorMessage)) tell(result)
    if (ofTheWaySinceMs === null || nowMs - ofTheWaySinceMs <= limitMs) return result
    if (contradicted < CONTRADICTIONS) return result
    const isAnswered = others.some(
      (answer) => answer.startedMs > ofTheWaySinceMs && answer.atMs > nowMs - limitMs,
    )
    return isAnswered ? { ...result, status: 'down' } : result
  }

  function noteAnswers(key: string, { name, address, responseTimeMs }: CheckResult, startedMs: number) {
    const isOfNames = name !== undefined && address !== undefined
    if (responseTimeMs === null && !isOfNames) return
    const { ofAnything, ofNames } = answers
    const isNewsOfAnything = responseTimeMs !== null && !areFresh(ofAnything, startedMs)
    const isNewsOfNames = isOfNames && !areFresh(ofNames, startedMs)
    if (!isNewsOfAnything && !isNewsOfNames) return
    const answer = { key, startedMs, atMs: deps.monotonicMs() }
    answers = {
      ofAnything: isNewsOfAnything ? newestTwo(ofAnything, answer) : ofAnything,
      ofNames: isNewsOfNames ? newestTwo(ofNames, answer) : ofNames,
    }
  }

  function overdue(): number {
    const nowMs = deps.monotonicMs()
    let count = 0
    for (const [key, { sinceMs, checkedMs, limitMs }] of targets) {
      if (nowMs - checkedMs > limitMs + FORGET_AFTER_MS) targets.delete(key)
      else if (nowMs - sinceMs > limitMs) count++
    }
    return count
  }

  /** Notifies once when the first target is overdue, and once when none is any more. */
  function tell(result: CheckResult | null) {
    if (result !== null && !isTold) {
      isTold = true
      const { errorMessage, isOfTheWay = false } = result
      deps.notify({ kind: 'undecided', reason: errorMessage ?? '', isOfTheWay })
    } else if (isTold && overdue() === 0) {
      isTold = false
      deps.notify({ kind: 'decided' })
    }
  }

  return { begin, settle, overdue }
}

/** Two answers of different targets are enough. Runs for every check that is answered. */
function areFresh(answers: readonly SeenAnswer[], startedMs: number): boolean {
  return answers.length === 2 && answers.every((answer) => answer.startedMs > startedMs - FRESH_MS)
}

function newestTwo([first, second]: readonly SeenAnswer[], answer: SeenAnswer): readonly SeenAnswer[] {
  const other = second && second.key !== answer.key ? second : first
  return other && other.key !== answer.key ? [other, answer] : [answer]
}
