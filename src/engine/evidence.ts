import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMED_DOWN, NETWORK_SEEMS_DOWN } from '../core/cause.ts'
import { type CheckResult, resultWithout } from '../core/check.ts'
import {
  chooseWitnesses,
  domainOf,
  type Evidence,
  WAYS,
  type Way,
  type Witness,
  weigh,
} from '../core/evidence.ts'
import type { ProbeSettings } from '../core/probe-settings.ts'
import { gather } from '../store/gather.ts'
import { type Asked, createLulls, type Lulls } from './lulls.ts'
import type { NetworkNotice } from './network-notices.ts'
import { createUndecided } from './undecided.ts'

/** A look at the witnesses ends with the first that is reached, or after this time. */
const LOOK_TIMEOUT_MS = 1_500
/** While our way is thought down, witnesses are looked at this often. */
const LOOK_PERIOD_MS = 1_000
/** More than enough to find those that were well last. */
const WITNESSES_KEPT = 64
const TARGETS_KEPT = 50_000

/** The part of a monitor's settings that leads to its target; no secrets. `name` is the one that was looked up. */
export type Landmark = Pick<ProbeSettings, 'type' | 'url' | 'port'> & { name?: string }

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

type Target = {
  key: string
  landmark: Landmark
  /** What it is on the ways, as of its last check: the same names and addresses come again and again. */
  named: { name: string; domain: string; landmark: Landmark } | null
  addressed: { address: string; network: string | null } | null
  /** It failed on the way and was believed; that it goes on failing is no news. */
  knownDown: boolean
  /** Where it was reached last, and how soon; null when never. */
  usual: { network: string; tookMs: number } | null
  /** Its last check fell silent together with others, and was not believed. */
  isExcused: boolean
}

/** The witnesses of each way that one of several guards knows. */
export type Testimony = Record<Way, Witness<Landmark>[]>

export type EvidenceGuard = {
  probe: Probe
  testify(): Testimony
  /** Another guard has found one of our ways working again. */
  hearItWorks(way: Way): void
  /** How many targets have been undecided for longer than they may be. */
  overdue(): number
}

/** One of our ways, as far as it is known. */
type Side = {
  way: Way
  /** The newest of each place, oldest first. */
  witnesses: Map<string, Witness<Landmark>>
  /** Failures that wait for evidence. */
  waiting: Set<{ place: string; failedMs: number; believe: () => void }>
  /** Looks at witnesses for a failure at a place; failures during a look share the next one. */
  look: (failing: string) => Promise<Evidence>
  /** Since when it has been thought down, how many checks were not believed, and when it was looked at last. */
  trouble: { sinceMs: number; unjudged: number; lookedMs: number } | null
  /** A check that began before this may have failed for our trouble. */
  troubleEndedMs: number
  lulls: Lulls
}

/**
 * Wraps a probe so that a failure of the way (a look-up, a route, a connection, silence) is believed only with evidence
 * that our own way works: something else, begun after the failure, is reached over it. Other checks give it by the way;
 * besides, what was well lately is looked at at once. Where nothing else is known, or the target is not on a public
 * network, it is believed as it is; where nothing that was well is reached any more, the check is `pending`, and one
 * notice goes to the operator. A silence that others shared for a moment is not believed at once either. Several guards of one process, each before a share of the targets, know of each other's
 * witnesses. docs/failures.md tells people the same.
 */
export function createEvidenceGuard(deps: {
  probe: Probe
  /** The public network of an address; null when it does not lead through the internet. */
  networkOf: (address: string) => string | null
  /** Whether a target can be reached at all; resolves soon after the signal aborts. */
  reach: (landmark: Landmark, signal: AbortSignal) => Promise<boolean>
  /** Whether the name servers find a name; resolves soon after the signal aborts. */
  findsName: (name: string, signal: AbortSignal) => Promise<boolean>
  /** A clock that nobody sets, and that all guards of the process share. */
  monotonicMs: () => number
  /** Told once when one of our ways seems down and once when it works again. */
  notify: (notice: NetworkNotice) => void
  /** Witnesses of the other guards; asked for only when a target newly fails on the way. */
  others: () => Promise<Testimony[]>
}): EvidenceGuard {
  const { monotonicMs } = deps
  const targets = new Map<string, Target>()
  const undecided = createUndecided(deps)
  const sides = { IPv4: newSide('IPv4'), IPv6: newSide('IPv6'), names: newSide('names') }

  function newSide(way: Way): Side {
    const side: Side = {
      way,
      witnesses: new Map(),
      waiting: new Set(),
      look: gather((failing) => lookAtWitnesses(side, failing)),
      trouble: null,
      troubleEndedMs: Number.NEGATIVE_INFINITY,
      lulls: createLulls(monotonicMs),
    }
    return side
  }

  async function probe(settings: ProbeSettings, signal: AbortSignal) {
    const target = targetOf(settings)
    const beginning = undecided.begin()
    const asked = noteAsked(target, beginning.startedMs)
    try {
      const found = await deps.probe(settings, signal)
      const network = noteFound(target, beginning.startedMs, found)
      const isAnswered = found.status === 'pending' || found.responseTimeMs !== null
      const result = isAnswered ? found : await judge(target, beginning.startedMs, found, network, signal)
      return undecided.bound(target.key, settings, result, beginning)
    } finally {
      if (asked) asked.lulls.end(asked.one)
    }
  }

  function noteAsked({ usual }: Target, askedMs: number): { lulls: Lulls; one: Asked } | null {
    if (usual === null) return null
    const { lulls } = sideOf(usual.network)
    const one = { place: usual.network, askedMs, usualMs: usual.tookMs }
    lulls.begin(one)
    return { lulls, one }
  }

  /** What a check says of our ways; returns the public network that it led to. Every check comes here. */
  function noteFound(target: Target, startedMs: number, found: CheckResult): string | null {
    const { name, address } = found
    if (address === undefined) return null
    const nowMs = monotonicMs()
    if (name !== undefined) {
      const { domain, landmark } = namedOf(target, name)
      noteReached(sides.names, domain, landmark, startedMs, nowMs)
    }
    const network = networkOf(target, address)
    if (found.status === 'pending' || found.responseTimeMs === null) return network
    target.knownDown = false
    target.isExcused = false
    if (network === null) {
      target.usual = null
      return null
    }
    const side = sideOf(network)
    side.lulls.noteAnswer(nowMs)
    noteReached(side, network, target.landmark, startedMs, nowMs)
    target.usual = { network, tookMs: nowMs - startedMs }
    return network
  }

  function namedOf(target: Target, name: string) {
    if (target.named?.name !== name)
      target.named = { name, domain: domainOf(name), landmark: { ...target.landmark, name } }
    return target.named
  }

  function networkOf(target: Target, address: string): string | null {
    if (target.addressed?.address !== address)
      target.addressed = { address, network: deps.networkOf(address) }
    return target.addressed.network
  }

  /** Of a check that failed on the way. */
  async function judge(
    target: Target,
    startedMs: number,
    result: CheckResult,
    network: string | null,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const failure = placeOf(result.name, network)
    if (failure === null || target.knownDown) return result
    const { side, place } = failure
    if (await isBelieved(side, place, startedMs, signal)) {
      // Others were silent, too, for a moment: it is looked at again at once, and judged then.
      if (!target.isExcused && side.lulls.silencedOthers(place, startedMs)) {
        target.isExcused = true
        return resultWithout('pending', NETWORK_SEEMED_DOWN)
      }
      target.knownDown = true
      if (side.witnesses.get(place)?.landmark.url === target.landmark.url) side.witnesses.delete(place)
      return result
    }
    const reason = side.way === 'names' ? NAME_SERVERS_SEEM_DOWN : NETWORK_SEEMS_DOWN
    return resultWithout('pending', reason)
  }

  /** Where it failed on the way; null for what is believed as it is. */
  function placeOf(name: string | undefined, network: string | null) {
    if (network !== null) return { side: sideOf(network), place: network }
    return name === undefined ? null : { side: sides.names, place: domainOf(name) }
  }

  /** `startedMs`: when the check that failed began. A way that has worked again only since then excuses it. */
  async function isBelieved(side: Side, place: string, startedMs: number, signal: AbortSignal) {
    if (signal.aborted || startedMs <= side.troubleEndedMs) return false
    const evidence = await evidenceFor(side, place, signal)
    if (signal.aborted) return false
    if (evidence === 'fails') noteTrouble(side)
    return evidence !== 'fails' && startedMs > side.troubleEndedMs
  }

  /** From checks that begin after this and are answered from elsewhere, and from a look at witnesses: the first counts. */
  function evidenceFor(side: Side, place: string, signal: AbortSignal): Promise<Evidence> {
    return new Promise((resolve) => {
      const end = (evidence: Evidence) => {
        side.waiting.delete(failure)
        signal.removeEventListener('abort', giveUp)
        resolve(evidence)
      }
      const giveUp = () => end('unknown')
      const failure = { place, failedMs: monotonicMs(), believe: () => end('works') }
      side.waiting.add(failure)
      signal.addEventListener('abort', giveUp, { once: true })
      side.look(place).then(end, giveUp)
    })
  }

  async function lookAtWitnesses(side: Side, failing: string[]): Promise<Evidence[]> {
    const now = monotonicMs()
    if (side.trouble && now - side.trouble.lookedMs < LOOK_PERIOD_MS) return failing.map(() => 'fails')
    if (side.trouble) side.trouble.lookedMs = now
    const witnesses = chooseWitnesses(await allWitnesses(side), failing)
    const useful = witnesses.filter((witness) => failing.some((place) => place !== witness.place))
    const reached = await reachFor(side, useful, failing)
    if (reached.length > 0 && side.trouble) endTrouble(side)
    const places = witnesses.map(({ place }) => place)
    return failing.map((place) => weigh(place, places, reached))
  }

  /** The places that were reached, as soon as they are enough for every failure, or none is left to wait for. */
  async function reachFor(side: Side, witnesses: Witness<Landmark>[], failing: string[]): Promise<string[]> {
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), LOOK_TIMEOUT_MS)
    const reached: string[] = []
    const looks = witnesses.map(async ({ place, landmark }) => {
      if (!(await isReached(side.way, landmark, enough.signal))) return
      reached.push(place)
      if (failing.every((failed) => reached.some((other) => other !== failed))) enough.abort()
    })
    await Promise.all(looks)
    clearTimeout(timer)
    return reached
  }

  function isReached(way: Way, landmark: Landmark, signal: AbortSignal): Promise<boolean> {
    const { name } = landmark
    return way === 'names' && name !== undefined ? deps.findsName(name, signal) : deps.reach(landmark, signal)
  }

  /** Our own last: they are as new as can be. */
  async function allWitnesses({ way, witnesses }: Side): Promise<Witness<Landmark>[]> {
    const testimonies = await deps.others()
    return [...testimonies.flatMap((testimony) => testimony[way]), ...witnesses.values()]
  }

  function targetOf({ type, url, port }: ProbeSettings): Target {
    const key = `${type} ${port} ${url}`
    const known = targets.get(key)
    if (known) return known
    const state = { named: null, addressed: null, usual: null, knownDown: false, isExcused: false }
    const target = { key, landmark: { type, url, port }, ...state }
    putLast(targets, key, target, TARGETS_KEPT)
    return target
  }

  function sideOf(network: string): Side {
    return network.includes(':') ? sides.IPv6 : sides.IPv4
  }

  function noteReached(side: Side, place: string, landmark: Landmark, startedMs: number, nowMs: number) {
    putLast(side.witnesses, place, { place, landmark, reachedMs: nowMs }, WITNESSES_KEPT)
    // An answer to what was asked before the trouble began says nothing of its end.
    if (side.trouble && startedMs > side.trouble.sinceMs) endTrouble(side)
    for (const failure of side.waiting)
      if (failure.place !== place && startedMs >= failure.failedMs) failure.believe()
  }

  function noteTrouble(side: Side) {
    if (!side.trouble) {
      const now = monotonicMs()
      side.trouble = { sinceMs: now, unjudged: 0, lookedMs: now }
      deps.notify({ kind: 'down', way: side.way })
    }
    side.trouble.unjudged++
  }

  function endTrouble(side: Side) {
    const { trouble, way } = side
    side.trouble = null
    side.troubleEndedMs = monotonicMs()
    if (trouble) deps.notify({ kind: 'works', way, unjudged: trouble.unjudged })
  }

  return {
    probe,
    testify: () => {
      const known = WAYS.map((way) => [way, chooseWitnesses([...sides[way].witnesses.values()], [])] as const)
      return Object.fromEntries(known) as Testimony
    },
    hearItWorks: (way) => endTrouble(sides[way]),
    overdue: undecided.overdue,
  }
}

/** Puts an entry at the end of a map that is kept in the order of its news, and bounded. */
function putLast<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  map.delete(oldest as K)
}
