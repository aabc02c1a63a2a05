import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMS_DOWN } from '../../core/monitors/cause.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { Realm } from '../../core/probing/blame.ts'
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

/** An answer at a place to an attempt that began at `startedMs`. */
export type SeenAnswer = { place: string; startedMs: number; atMs: number }
/** The two newest answers of each realm, at different places: at least one is unrelated to the asking target. */
type SeenAnswers = Readonly<Record<Realm, readonly SeenAnswer[]>>

/** Where an attempt failed: the realm of its address or name, and the place there. */
export type Failing = { realm: Realm; place: string }

/** The answers known when an attempt began: later ones say nothing about its time. */
export type CheckStart = { startedMs: number; answers: SeenAnswers }

/** An attempt that failed, with answers that other guards got in the realms where it did. */
type Attempt = CheckStart & { failing: readonly Failing[]; ofPeers: readonly SeenAnswer[] }

/**
 * Keeps every target from staying undecided forever. A failure of the way that is thought ours becomes the target's
 * after two intervals and two timeouts in which others of its realm answered. The operator hears of targets that stay
 * undecided for longer, for example for lack of file descriptors.
 */
export function createUndecided(deps: {
  monotonicMs: () => number
  notify: (notice: NetworkNotice) => void
}) {
  const targets = new Map<string, Undecided>()
  let answers: SeenAnswers = { 'own network': [], IPv4: [], IPv6: [], inside: [], names: [] }
  let isTold = false

  function begin(): CheckStart {
    return { startedMs: deps.monotonicMs(), answers }
  }

  /** Runs for every check that is answered. */
  function noteAnswer(realm: Realm, place: string, startedMs: number, atMs: number) {
    const seen = answers[realm]
    if (seen.length === 2 && seen.every((answer) => answer.startedMs > startedMs - FRESH_MS)) return
    const [first, second] = seen
    const other = second && second.place !== place ? second : first
    const answer = { place, startedMs, atMs }
    answers = { ...answers, [realm]: other && other.place !== place ? [other, answer] : [answer] }
  }

  function noteJudged(key: string) {
    if (targets.delete(key)) tell(null)
  }

  /**
   * Notes that a check was not judged. True once its target, which `key` names, has been undecided for too long, although
   * others answered all the time in a realm where it fails.
   */
  function noteUndecided(
    key: string,
    settings: ProbeSettings,
    result: CheckResult,
    { startedMs, answers, failing, ofPeers }: Attempt,
  ): boolean {
    const nowMs = deps.monotonicMs()
    const limitMs = longestUndecidedMs(settings.interval_seconds, settings.request_timeout_seconds)
    const isOfTheWay = result.causeIfTheirs !== undefined
    const before = targets.get(key)
    const earlier = ofPeers.filter((answer) => answer.atMs <= startedMs)
    const others = failing.flatMap(({ realm, place }) =>
      [...answers[realm], ...earlier].filter((answer) => answer.place !== place),
    )
    const isContradicted =
      before !== undefined && others.some((answer) => answer.startedMs > before.startedMs)
    const contradicted = (before?.contradicted ?? 0) + Number(isContradicted)
    const sinceMs = before?.sinceMs ?? nowMs
    const ofTheWaySinceMs = isOfTheWay ? (before?.ofTheWaySinceMs ?? nowMs) : null
    targets.set(key, { sinceMs, ofTheWaySinceMs, checkedMs: nowMs, limitMs, startedMs, contradicted })
    if (nowMs - sinceMs <= limitMs) return false
    if (!TOLD_ALREADY.has(result.errorMessage)) tell({ result, startedMs })
    if (ofTheWaySinceMs === null || nowMs - ofTheWaySinceMs <= limitMs) return false
    if (contradicted < CONTRADICTIONS) return false
    return others.some((answer) => answer.startedMs > ofTheWaySinceMs && answer.atMs > nowMs - limitMs)
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
  function tell(late: { result: CheckResult; startedMs: number } | null) {
    if (late !== null && !isTold) {
      isTold = true
      const { errorMessage, causeIfTheirs } = late.result
      const isOfTheWay = causeIfTheirs !== undefined
      deps.notify({ kind: 'undecided', reason: errorMessage ?? '', isOfTheWay, startedMs: late.startedMs })
    } else if (isTold && overdue() === 0) {
      isTold = false
      deps.notify({ kind: 'decided' })
    }
  }

  return { begin, noteAnswer, noteJudged, noteUndecided, overdue }
}
