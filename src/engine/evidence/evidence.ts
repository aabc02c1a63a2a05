import { putLast } from '../../core/bounded-map.ts'
import {
  CHECK_CANCELLED,
  NAME_SERVERS_SEEM_DOWN,
  NETWORK_SEEMED_DOWN,
  NETWORK_SEEMS_DOWN,
} from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import {
  type Facts,
  judgeBlame,
  type Reached,
  type Realm,
  type Verdict,
  WAYS,
  type Way,
} from '../../core/probing/blame.ts'
import { chooseWitnesses, type Witness } from '../../core/probing/evidence.ts'
import type { AwaitedAnswer, Lulls, Sharing, Stumble } from './lulls.ts'
import type { NetworkNotice } from './network-notices.ts'
import { createRealms, type FailedCheck, tellsOfOthers } from './realms.ts'
import { type CheckStart, createUndecided, type Failing } from './undecided.ts'
import { createWay, type KnownWay, type Landmark } from './way.ts'

const TARGETS_KEPT = 50_000
/** A silence that several others shared is believed at the next attempt. */
const SHARED_SILENCES = 1
/** While nothing at all answers for a while, again and again, a few attempts more are needed to meet a better time. */
const LULLS_IN_A_ROW = 3
/** Answers that others got are asked for this often at most, for targets that this machine knows no way to. */
const PEERS_PERIOD_MS = 1_000
/** An address may become one of this machine's own networks, or be one no more. */
const ADDRESS_HOLDS_MS = 60_000

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

type Target = {
  key: string
  landmark: Landmark
  /** Where its address and name belong, kept because the same ones come again and again. */
  addressed: { address: string; atMs: number; at: Failing; landmark: Landmark } | null
  named: { name: string; addressed: Failing; at: Failing; landmark: Landmark } | null
  /** It failed on the way and was believed; further failures are no news. */
  knownDown: boolean
  /** The public network where it was last reached, and how quickly; null when it was not, or was silent since. */
  usual: { network: string; tookMs: number } | null
  /** The number of its last checks that fell silent together with others, and were not believed. */
  excused: number
}

/** What one of several guards knows of each way, for the others. */
export type PeerEvidence = Record<Way, { witnesses: Witness<Landmark>[]; stumbles: Stumble[] }>

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
export function createEvidenceGuard(deps: {
  probe: Probe
  /** The public network of an address; null for this machine, its own networks and private ones. */
  networkOf: (address: string) => string | null
  /**
   * The address where a target can be reached: the given one, or one where its own host leads; null when it cannot.
   * Resolves soon after the signal aborts.
   */
  reach: (landmark: Landmark, address: string | null, signal: AbortSignal) => Promise<string | null>
  /** The addresses that the name servers find for a name; resolves soon after the signal aborts. */
  find: (name: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Whether the name server that knew no such name denies the root as well; resolves soon after the signal aborts. */
  isRootDenied: (name: string, signal: AbortSignal) => Promise<boolean>
  /** A monotonic clock that all guards of the process share. */
  monotonicMs: () => number
  /** Called once when one of our ways seems down and once when it works again. */
  notify: (notice: NetworkNotice) => void
  /** What the other guards know; asked for only when a target newly fails on the way. */
  others: () => Promise<PeerEvidence[]>
}): EvidenceGuard {
  const { monotonicMs, notify } = deps
  const targets = new Map<string, Target>()
  const undecided = createUndecided(deps)
  const realms = createRealms(deps)
  let askedPeersMs = Number.NEGATIVE_INFINITY
  const wayOf = (way: Way, reach: Parameters<typeof createWay>[1]['reach']) =>
    createWay(way, {
      reach,
      others: async () => (await deps.others()).flatMap((evidence) => evidence[way].witnesses),
      monotonicMs,
      notify,
    })
  const ways: Record<Way, KnownWay> = {
    IPv4: wayOf('IPv4', reachOver('IPv4')),
    IPv6: wayOf('IPv6', reachOver('IPv6')),
    names: wayOf('names', findOutside),
  }

  async function probe(settings: ProbeSettings, signal: AbortSignal) {
    const target = targetOf(settings)
    const beginning = undecided.begin()
    const { startedMs } = beginning
    const asked = noteAsked(target, startedMs)
    try {
      const found = await deps.probe(settings, signal)
      noteFound(target, asked?.one ?? null, startedMs, found)
      if (found.errorMessage === CHECK_CANCELLED) return found
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
    const addressed = addressedOf(target, address, nowMs)
    if (name !== undefined) {
      const { at, landmark } = namedOf(target, name, addressed.at)
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

  function addressedOf(target: Target, address: string, nowMs: number) {
    const known = target.addressed
    if (known?.address === address && nowMs - known.atMs < ADDRESS_HOLDS_MS) return known
    const landmark = { ...target.landmark, address }
    target.addressed = { address, atMs: nowMs, at: realms.ofAddress(address), landmark }
    return target.addressed
  }

  function namedOf(target: Target, name: string, addressed: Failing) {
    const known = target.named
    if (known?.name === name && known.addressed === addressed) return known
    const landmark = { ...target.landmark, name }
    target.named = { name, addressed, at: realms.ofFoundName(name, addressed), landmark }
    return target.named
  }

  /** Judges a check that failed without an answer. */
  async function judge(
    target: Target,
    settings: ProbeSettings,
    beginning: CheckStart,
    found: CheckResult,
    { failure, failing }: FailedCheck,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const { startedMs } = beginning
    const silenced = failure === 'silent' ? failing.filter(({ realm }) => isWay(realm)) : []
    if (silenced.length > 0) noteSilence(target)
    let sharing: Sharing = 'none'
    let facts: Facts = {
      ...{ failure, realms: failing.map(({ realm }) => realm), root: 'not asked', isOverdue: false },
      lately: latelyOf(failing, () => 'not asked'),
      mayBeOurs: mayBeOurs(failing, startedMs),
    }
    let verdict: Verdict
    for (verdict = judgeBlame(facts); verdict.startsWith('ask'); verdict = judgeBlame(facts)) {
      if (verdict === 'ask witnesses') {
        const known = await Promise.all(failing.map(({ realm, place }) => lookIn(realm, place, signal)))
        const lately = latelyOf(failing, (index) => known[index] ?? 'nothing known')
        const telling = failing.filter(({ realm }) => lately[realm] === 'reached')
        facts = { ...facts, lately, mayBeOurs: mayBeOurs(telling.length > 0 ? telling : failing, startedMs) }
      } else {
        const isDenied = await deps.isRootDenied(found.name ?? '', signal)
        if (!isDenied) ways.names.noteWell()
        facts = {
          ...facts,
          root: isDenied ? 'denied' : 'not denied',
          mayBeOurs: mayBeOurs(failing, startedMs),
        }
      }
    }
    if (signal.aborted) return resultWithout('pending', CHECK_CANCELLED)
    if (verdict === 'believed' && silenced.length > 0) {
      sharing = await sharingOf(target, silenced, startedMs)
      if (sharing !== 'none') facts = { ...facts, mayBeOurs: true }
      verdict = judgeBlame(facts)
    }
    if (verdict === 'believed') {
      undecided.noteJudged(target.key)
      target.knownDown = true
      for (const { realm, place } of failing) if (isWay(realm)) ways[realm].forget(place, target.landmark.url)
      return found
    }
    if (sharing !== 'none') target.excused++
    const result = found.status === 'pending' ? found : notJudged(facts, sharing)
    if (result.causeIfTheirs !== undefined) askPeers(failing)
    // It stays undecided, and is decided so at each further attempt.
    const isOverdue = undecided.noteUndecided(target.key, settings, result, failing, beginning)
    if (!isOverdue) return result
    const lately = latelyOf(failing, () => 'reached')
    return judgeBlame({ ...facts, lately, isOverdue }) === 'believed' ? asTheirs(result) : result
  }

  /** A target that was well fell silent: until it answers again, it is no measure for the silence of others. */
  function noteSilence(target: Target) {
    if (target.usual === null) return
    const { network } = target.usual
    ways[wayTo(network)].lulls.noteStumble(network, monotonicMs())
    target.usual = null
  }

  /** How far others shared a silence, as far as that still excuses it. */
  async function sharingOf(target: Target, failing: readonly Failing[], startedMs: number): Promise<Sharing> {
    if (target.excused >= LULLS_IN_A_ROW) return 'none'
    const peers = target.excused < SHARED_SILENCES ? await deps.others() : []
    const shared = failing.flatMap(({ realm, place }) =>
      isWay(realm)
        ? ways[realm].lulls.sharing(
            place,
            startedMs,
            peers.flatMap((peer) => peer[realm].stumbles),
          )
        : [],
    )
    if (shared.includes('all')) return 'all'
    return shared.includes('some') && target.excused < SHARED_SILENCES ? 'some' : 'none'
  }

  async function lookIn(realm: Realm, place: string, signal: AbortSignal): Promise<Reached> {
    return isWay(realm) ? ways[realm].look(place, signal) : 'nothing known'
  }

  function mayBeOurs(failing: readonly Failing[], startedMs: number): boolean {
    const troubled = failing.flatMap(({ realm }) => (isWay(realm) ? ways[realm].wasInTrouble(startedMs) : []))
    return troubled.length > 0 && troubled.every(Boolean)
  }

  function notJudged({ realms, lately, root }: Facts, sharing: Sharing): CheckResult {
    if (sharing !== 'none') return resultWithout('pending', NETWORK_SEEMED_DOWN)
    for (const realm of realms.filter(isWay))
      if (lately[realm] === 'not reached' || root === 'denied') ways[realm].noteUnjudged()
    return resultWithout('pending', realms.includes('names') ? NAME_SERVERS_SEEM_DOWN : NETWORK_SEEMS_DOWN)
  }

  /** Takes the answers that other guards got, so that a target is not undecided here for want of company. */
  function askPeers(failing: readonly Failing[]) {
    const lost = failing.map(({ realm }) => realm).filter(isWay)
    const nowMs = monotonicMs()
    if (lost.length === 0 || nowMs - askedPeersMs < PEERS_PERIOD_MS) return
    askedPeersMs = nowMs
    const take = (peers: PeerEvidence[]) => {
      for (const way of WAYS)
        for (const { place, startedMs, reachedMs } of peers.flatMap((peer) => peer[way].witnesses))
          undecided.noteAnswer(way, place, startedMs, reachedMs)
    }
    deps.others().then(take, () => {})
  }

  /** Tries a witness where it was reached, and where its own host leads: at an address of the same way. */
  function reachOver(way: Way) {
    return async (landmark: Landmark, signal: AbortSignal): Promise<string | null> => {
      const { address = null } = landmark
      const isLiteral = address !== null && landmark.url?.includes(address)
      const tries = [...new Set(isLiteral ? [address] : [address, null])]
      const found = tries.map(async (one) => {
        const reached = await deps.reach(landmark, one, signal)
        const at = reached === null ? null : realms.ofAddress(reached)
        if (at?.realm !== way) throw new Error('not reached')
        return at.place
      })
      return Promise.any(found).catch(() => null)
    }
  }

  /** A public name that leads inside is not found: something between us and the name servers answers in their place. */
  async function findOutside({ name }: Landmark, signal: AbortSignal): Promise<string | null> {
    if (name === undefined) return null
    const addresses = await deps.find(name, signal)
    const isOutside = addresses.some((address) => realms.ofAddress(address).realm !== 'own network')
    const { realm, place } = realms.ofName(name)
    return isOutside && realm === 'names' ? place : null
  }

  function targetOf({ type, url, port }: ProbeSettings): Target {
    const key = `${type} ${port} ${url}`
    const known = targets.get(key)
    if (known) return known
    const state = { named: null, addressed: null, usual: null, knownDown: false, excused: 0 }
    const target = { key, landmark: { type, url, port }, ...state }
    putLast(targets, key, target, TARGETS_KEPT)
    return target
  }

  return {
    probe,
    shareEvidence() {
      const known = WAYS.map((way) => {
        const { witnesses, lulls } = ways[way]
        return [
          way,
          { witnesses: chooseWitnesses(witnesses(), []), stumbles: lulls.newestStumbles() },
        ] as const
      })
      return Object.fromEntries(known) as PeerEvidence
    },
    noteWayWorks: (way) => ways[way].endTrouble(),
    overdue: undecided.overdue,
  }
}

function isAnswered({ status, responseTimeMs }: CheckResult): boolean {
  return status !== 'pending' && responseTimeMs !== null
}

function isWay(realm: Realm): realm is Way {
  return (WAYS as readonly Realm[]).includes(realm)
}

function wayTo(network: string): 'IPv4' | 'IPv6' {
  return network.includes(':') ? 'IPv6' : 'IPv4'
}

/** The facts about realms where nothing failed are not asked for: they count for nothing. */
function latelyOf(failing: readonly Failing[], reached: (index: number) => Reached): Facts['lately'] {
  const lately: Record<Realm, Reached> = {
    ...{ 'own network': 'nothing known', IPv4: 'nothing known', IPv6: 'nothing known' },
    ...{ inside: 'nothing known', names: 'nothing known' },
  }
  for (const [index, { realm }] of failing.entries()) lately[realm] = reached(index)
  return lately
}

/** What turned out to be the target's is told in words about the target. Without such words it stays as it is. */
function asTheirs({ causeIfTheirs, ...found }: CheckResult): CheckResult {
  if (causeIfTheirs === undefined) return found
  return { ...found, status: 'down', errorMessage: causeIfTheirs }
}
