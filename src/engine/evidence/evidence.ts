import {
  CHECK_CANCELLED,
  NAME_SERVERS_SEEM_DOWN,
  NETWORK_SEEMED_DOWN,
  NETWORK_SEEMS_DOWN,
} from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { judgeBlame, type Way } from '../../core/probing/blame.ts'
import { createFactGatherer, type FactsDeps, overdue, type Weighed } from './gather-facts.ts'
import { addressedOf, createKnownTargets, namedOf, type Target } from './known-targets.ts'
import type { AwaitedAnswer, Lulls } from './lulls.ts'
import { createRealms, type PlacedFailure, tellsOfOthers } from './realms.ts'
import { type CheckStart, createUndecided, type Failing, type SeenAnswer } from './undecided.ts'
import { createWays, evidenceOf, isWay, type PeerEvidence, type WaysDeps, wayTo } from './ways.ts'

/** Answers that other guards got are asked for this often at most, for targets that this machine knows no way to. */
const PEERS_PERIOD_MS = 1_000

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

export type { PeerEvidence } from './ways.ts'

export type EvidenceGuard = {
  probe: Probe
  shareEvidence(): PeerEvidence
  /** Another guard has found one of our ways working again. */
  noteWayWorks(way: Way): void
  /** The number of targets that have been undecided for longer than they may be. */
  overdue(): number
}

/**
 * Wraps a probe so that a failure without an answer of the application is believed only with evidence that it is not
 * our own: `core/probing/blame.ts` is the table of that, and this gathers its facts. Regular checks give evidence;
 * besides, targets that were well lately are tried at once. When none of those can be reached, the check is `pending`
 * and the operator gets one notice. A silence that others shared for a moment is not believed at once either. Several
 * guards of one process, each with a share of the targets, share what they know. docs/failures.md describes this for
 * users.
 */
export function createEvidenceGuard(
  deps: WaysDeps &
    Pick<FactsDeps, 'isRootDenied'> & {
      probe: Probe
      /** The public network of an address; null for this machine, its own networks and private ones. */
      networkOf: (address: string) => string | null
    },
): EvidenceGuard {
  const { monotonicMs } = deps
  const targetOf = createKnownTargets()
  const undecided = createUndecided(deps)
  const realms = createRealms(deps)
  const ways = createWays(deps, realms)
  const gatherFacts = createFactGatherer({ ...deps, ways })
  let peers = { askedMs: Number.NEGATIVE_INFINITY, evidence: Promise.resolve<PeerEvidence[]>([]) }

  async function probe(settings: ProbeSettings, signal: AbortSignal) {
    const target = targetOf(settings)
    const beginning = undecided.begin()
    const { startedMs } = beginning
    const asked = noteAsked(target, startedMs)
    try {
      const found = await deps.probe(settings, signal)
      noteFound(target, asked?.one ?? null, startedMs, found)
      // A check that was cancelled says nothing.
      if (found.status === 'pending' && signal.aborted) return found
      const failed = isAnswered(found) ? null : realms.ofFailure(found, monotonicMs() - startedMs)
      const isNews = failed !== null && (found.status === 'pending' || !target.knownDown)
      if (isNews) return await judge(target, settings, beginning, found, failed, signal)
      undecided.noteJudged(target.key)
      return found
    } finally {
      if (asked) asked.lulls.end(asked.one)
    }
  }

  function noteAsked({ usual }: Target, askedMs: number): { lulls: Lulls; one: AwaitedAnswer } | null {
    if (usual === null) return null
    const { lulls } = ways[wayTo(usual.network)]
    const one = { place: usual.network, askedMs, usualMs: usual.tookMs }
    lulls.begin(one)
    return { lulls, one }
  }

  /** Takes evidence about our ways from a check. Runs for every check. */
  function noteFound(target: Target, asked: AwaitedAnswer | null, startedMs: number, found: CheckResult) {
    const { name, address } = found
    const isReached = isAnswered(found)
    if (isReached) {
      target.knownDown = false
      target.excused = 0
    }
    if (address === undefined) return
    const nowMs = monotonicMs()
    const addressed = addressedOf(realms, target, address, nowMs)
    if (name !== undefined) {
      const { at, landmark } = namedOf(realms, target, name, addressed.at)
      undecided.noteAnswer(at.realm, at.place, startedMs, nowMs)
      if (at.realm === 'names') ways.names.noteReached(at.place, landmark, startedMs, nowMs)
    }
    if (!isReached) return
    const { at, landmark } = addressed
    if (tellsOfOthers(at)) undecided.noteAnswer(at.realm, at.place, startedMs, nowMs)
    if (!isWay(at.realm)) {
      target.usual = null
      return
    }
    target.usual = { network: at.place, tookMs: nowMs - startedMs }
    const way = ways[at.realm]
    way.lulls.noteAnswer(nowMs, asked)
    way.noteReached(at.place, landmark, startedMs, nowMs)
  }

  /** Judges a check that failed without an answer. */
  async function judge(
    target: Target,
    settings: ProbeSettings,
    beginning: CheckStart,
    found: CheckResult,
    failed: PlacedFailure,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const { failing } = failed
    const judged = await gatherFacts(target, failed, found.name ?? '', beginning.startedMs, signal)
    if (signal.aborted) return resultWithout('pending', CHECK_CANCELLED)
    if (judged.verdict === 'believed') {
      undecided.noteJudged(target.key)
      target.knownDown = true
      for (const { realm, place } of failing) if (isWay(realm)) ways[realm].forget(place, target.landmark.url)
      return found
    }
    if (judged.sharing !== 'none') target.excused++
    const result = found.status === 'pending' ? found : notJudged(judged)
    const ofPeers = result.causeIfTheirs === undefined ? [] : await answersOfPeers(failing)
    // It stays undecided, and is decided so at each further attempt.
    if (!undecided.noteUndecided(target.key, settings, result, { ...beginning, failing, ofPeers }))
      return result
    return judgeBlame(overdue(judged.facts, failing)) === 'believed' ? asTheirs(result) : result
  }

  function notJudged({ facts, sharing }: Weighed): CheckResult {
    if (sharing !== 'none') return resultWithout('pending', NETWORK_SEEMED_DOWN)
    const { lately, root } = facts
    const lost = facts.realms.filter(isWay)
    for (const way of lost) if (lately[way] === 'not reached' || root === 'denied') ways[way].noteUnjudged()
    return resultWithout('pending', lost.includes('names') ? NAME_SERVERS_SEEM_DOWN : NETWORK_SEEMS_DOWN)
  }

  /** The answers that other guards got at such places, so that a target is not undecided here for want of company. */
  async function answersOfPeers(failing: readonly Failing[]): Promise<SeenAnswer[]> {
    const lost = failing.map(({ realm }) => realm).filter(isWay)
    if (lost.length === 0) return []
    const nowMs = monotonicMs()
    if (nowMs - peers.askedMs >= PEERS_PERIOD_MS) peers = { askedMs: nowMs, evidence: deps.others() }
    const witnesses = (await peers.evidence).flatMap((peer) => lost.flatMap((way) => peer[way].witnesses))
    return witnesses.map(({ place, startedMs, reachedMs }) => ({ place, startedMs, atMs: reachedMs }))
  }

  return {
    probe,
    shareEvidence: () => evidenceOf(ways),
    noteWayWorks: (way) => ways[way].endTrouble(),
    overdue: undecided.overdue,
  }
}

function isAnswered({ status, responseTimeMs }: CheckResult): boolean {
  return status !== 'pending' && responseTimeMs !== null
}

/** A failure that turned out to be the target's is told in words about the target. Without such words it stays as it is. */
function asTheirs({ causeIfTheirs, ...found }: CheckResult): CheckResult {
  if (causeIfTheirs === undefined) return found
  return { ...found, status: 'down', errorMessage: causeIfTheirs }
}
