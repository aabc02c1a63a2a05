import { putLast } from '../../core/bounded-map.ts'
import { NAME_SERVERS_SEEM_DOWN, NETWORK_SEEMED_DOWN, NETWORK_SEEMS_DOWN } from '../../core/monitors/cause.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { chooseWitnesses, domainOf, WAYS, type Way, type Witness } from '../../core/probing/evidence.ts'
import type { AwaitedAnswer, Lulls } from './lulls.ts'
import type { NetworkNotice } from './network-notices.ts'
import { createUndecided } from './undecided.ts'
import { createWay, type KnownWay, type Landmark } from './way.ts'

const TARGETS_KEPT = 50_000

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

type Target = {
  key: string
  landmark: Landmark
  /** Its domain and network as of its last check, kept because the same names and addresses come again and again. */
  named: { name: string; domain: string; landmark: Landmark } | null
  addressed: { address: string; network: string | null } | null
  /** It failed on the way and was believed; further failures are no news. */
  knownDown: boolean
  /** The network where it was last reached, and how quickly; null when it never was. */
  usual: { network: string; tookMs: number } | null
  /** Its last check fell silent together with others, and was not believed. */
  isExcused: boolean
}

/** The witnesses of each way that one of several guards knows, for the others. */
export type PeerEvidence = Record<Way, Witness<Landmark>[]>

export type EvidenceGuard = {
  probe: Probe
  shareEvidence(): PeerEvidence
  /** Another guard has found one of our ways working again. */
  noteWayWorks(way: Way): void
  /** The number of targets that have been undecided for longer than they may be. */
  overdue(): number
}

/**
 * Wraps a probe so that a failure of the way (a look-up, a route, a connection, silence) is believed only with evidence
 * that our own way works: another check, begun after the failure, reaches its target over it. Regular checks give such
 * evidence; besides, targets that were well lately are tried at once. Without other known targets, or outside public
 * networks, a failure is believed as it is. When none of the targets that were well can be reached, the check is
 * `pending` and the operator gets one notice. A silence that others shared for a moment is not believed at once either.
 * Several guards of one process, each with a share of the targets, share their witnesses. docs/failures.md describes
 * this for users.
 */
export function createEvidenceGuard(deps: {
  probe: Probe
  /** The public network of an address; null when it does not lead through the internet. */
  networkOf: (address: string) => string | null
  /** Whether a target can be reached at all; resolves soon after the signal aborts. */
  reach: (landmark: Landmark, signal: AbortSignal) => Promise<boolean>
  /** Whether the name servers find a name; resolves soon after the signal aborts. */
  findsName: (name: string, signal: AbortSignal) => Promise<boolean>
  /** A monotonic clock that all guards of the process share. */
  monotonicMs: () => number
  /** Called once when one of our ways seems down and once when it works again. */
  notify: (notice: NetworkNotice) => void
  /** Witnesses of the other guards; asked for only when a target newly fails on the way. */
  others: () => Promise<PeerEvidence[]>
}): EvidenceGuard {
  const { monotonicMs } = deps
  const targets = new Map<string, Target>()
  const undecided = createUndecided(deps)
  const { reach, findsName, notify } = deps
  const wayOf = (way: Way, reached: typeof reach) =>
    createWay(way, {
      reach: reached,
      others: async () => (await deps.others()).flatMap((evidence) => evidence[way]),
      monotonicMs,
      notify,
    })
  const ways: Record<Way, KnownWay> = {
    IPv4: wayOf('IPv4', reach),
    IPv6: wayOf('IPv6', reach),
    names: wayOf('names', async ({ name }, signal) => name !== undefined && findsName(name, signal)),
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
      return undecided.settle(target.key, settings, result, beginning)
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

  /** Takes evidence about our ways from a check; returns the public network of its target. Runs for every check. */
  function noteFound(target: Target, startedMs: number, found: CheckResult): string | null {
    const { name, address } = found
    const isAnswered = found.status !== 'pending' && found.responseTimeMs !== null
    if (isAnswered) {
      target.knownDown = false
      target.isExcused = false
    }
    if (address === undefined) return null
    const nowMs = monotonicMs()
    if (name !== undefined) {
      const { domain, landmark } = namedOf(target, name)
      ways.names.noteReached(domain, landmark, startedMs, nowMs)
    }
    const network = networkOf(target, address)
    if (!isAnswered) return network
    target.usual = network === null ? null : { network, tookMs: nowMs - startedMs }
    if (network === null) return null
    const way = ways[wayTo(network)]
    way.lulls.noteAnswer(nowMs)
    way.noteReached(network, target.landmark, startedMs, nowMs)
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

  /** Judges a check that failed on the way. */
  async function judge(
    target: Target,
    startedMs: number,
    result: CheckResult,
    network: string | null,
    signal: AbortSignal,
  ): Promise<CheckResult> {
    const failure = placeOf(result.name, network)
    if (failure === null || target.knownDown) return result
    const { place } = failure
    const way = ways[failure.way]
    if (await way.isBelieved(place, startedMs, signal)) {
      // Other targets were silent, too, for a moment: this one is checked again at once, and judged then.
      if (!target.isExcused && way.lulls.silencedOthers(place, startedMs)) {
        target.isExcused = true
        return resultWithout('pending', NETWORK_SEEMED_DOWN)
      }
      target.knownDown = true
      way.forget(place, target.landmark.url)
      return result
    }
    return resultWithout('pending', failure.way === 'names' ? NAME_SERVERS_SEEM_DOWN : NETWORK_SEEMS_DOWN)
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

  return {
    probe,
    shareEvidence: () => {
      const known = WAYS.map((way) => [way, chooseWitnesses(ways[way].witnesses(), [])] as const)
      return Object.fromEntries(known) as PeerEvidence
    },
    noteWayWorks: (way) => ways[way].endTrouble(),
    overdue: undecided.overdue,
  }
}

/** The way and place where a check failed; null for a failure that is believed as it is. */
function placeOf(name: string | undefined, network: string | null): { way: Way; place: string } | null {
  if (network !== null) return { way: wayTo(network), place: network }
  return name === undefined ? null : { way: 'names', place: domainOf(name) }
}

function wayTo(network: string): Way {
  return network.includes(':') ? 'IPv6' : 'IPv4'
}
