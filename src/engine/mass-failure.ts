import { NETWORK_SEEMS_DOWN } from '../core/cause.ts'
import { type CheckResult, resultWithout } from '../core/check.ts'
import { failTogether, type Sighting } from '../core/mass-failure.ts'
import type { ProbeSettings } from '../core/probe-settings.ts'
import type { NetworkNotice } from './network-notices.ts'

/** A check under way for so long counts as failing: an outage is known before its first check times out. */
const PATIENCE_MS = 3_000
/** One look at our way out serves every failure within this time. */
const WAY_OUT_HOLDS_MS = 1_000
const WAY_OUT_TIMEOUT_MS = 3_000
const LANDMARKS_TRIED = 5
/** More than enough to find the networks seen last, and landmarks to try. */
const NETWORKS_KEPT = 64
const TARGETS_KEPT = 50_000

/** What of a monitor's settings leads to its target; no secrets. */
export type Landmark = Pick<ProbeSettings, 'type' | 'url' | 'port'>

type Probe = (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>

type Target = {
  landmark: Landmark
  /** The public network it was last found on; null until then. */
  network: string | null
  /** It failed without an answer and was believed; that it goes on failing is no news. */
  knownDown: boolean
}

type Family = 4 | 6

/** A target to try the way out with, and when it was seen. */
type Seen = { landmark: Landmark; atMs: number }

/** What one of several guards tells the others of an address family. */
type Account = {
  inTrouble: boolean
  sightings: Sighting[]
  answered: Seen[]
  failing: Seen[]
}

export type Testimony = Record<Family, Account>

export type MassFailureGuard = {
  probe: Probe
  testify(): Testimony
  /** Another guard has found our network working again. */
  hearItWorks(family: Family): void
}

/** What is known of one address family: a machine can lose its way out for one of them. */
type Side = {
  family: Family
  /** The newest of each network, oldest first. */
  sightings: Map<string, Sighting>
  /** What to try the way out with: the target that answered last on each network, oldest first. */
  answered: Map<string, Seen>
  failing: Map<string, Seen>
  wayOut: { askedAtMs: number; works: Promise<boolean> } | null
  /** Since when our network has been thought down, and how many checks were not believed. */
  trouble: { sinceMs: number; unjudged: number } | null
  /** What began before this may have failed for our trouble. */
  troubleEndedMs: number
}

/**
 * Wraps a probe so that targets on public networks which fail together are believed only while our own way out
 * works; otherwise their checks are `pending`, and one notice goes to the operator. A target that answers,
 * however badly, and one that is not on a public network are believed as they are, at once. Several guards of one
 * process, each before a share of the targets, judge by what all of them have seen.
 */
export function createMassFailureGuard(deps: {
  probe: Probe
  /** The public network of an address; null when it does not lead through the internet. */
  networkOf: (address: string) => string | null
  /** Whether a target can be reached at all; resolves soon after the signal aborts. */
  reach: (landmark: Landmark, signal: AbortSignal) => Promise<boolean>
  /** A clock that nobody sets, and that all guards of the process share. */
  monotonicMs: () => number
  /** Told once when our network seems down and once when it works again, for each address family. */
  notify: (notice: NetworkNotice) => void
  /** What the other guards have seen; asked only when a target newly fails without an answer. */
  others: () => Promise<Testimony[]>
}): MassFailureGuard {
  const { monotonicMs } = deps
  const targets = new Map<string, Target>()
  const underWay = new Map<symbol, { target: Target; startedMs: number }>()
  const sides = { 4: newSide(4), 6: newSide(6) }

  async function probe(settings: ProbeSettings, signal: AbortSignal) {
    const target = targetOf(settings)
    const startedMs = monotonicMs()
    const turn = Symbol()
    underWay.set(turn, { target, startedMs })
    try {
      return await judge(target, startedMs, await deps.probe(settings, signal), signal)
    } finally {
      underWay.delete(turn)
    }
  }

  async function judge(target: Target, startedMs: number, result: CheckResult, signal: AbortSignal) {
    if (result.status === 'pending') return result
    // A name that is not found any more leaves the target where it was.
    if (result.address !== undefined) target.network = deps.networkOf(result.address)
    if (target.network === null) return result
    const side = sideOf(target.network)
    if (result.responseTimeMs !== null) {
      noteAnswer(side, target, target.network, startedMs)
      return result
    }
    if (target.knownDown) return result
    noteFailure(side, target, target.network)
    if (await believes(side, startedMs, signal)) {
      target.knownDown = true
      return result
    }
    return resultWithout('pending', NETWORK_SEEMS_DOWN)
  }

  /** Asks for our own way out first. What it worked for only after the check had begun, it did not work for. */
  async function believes(side: Side, startedMs: number, signal: AbortSignal): Promise<boolean> {
    const doubtful = side.trouble !== null || (await isDoubtful(side))
    if (signal.aborted || startedMs <= side.troubleEndedMs) return false
    if (!doubtful) return true
    const works = await unlessAborted(wayOutWorks(side), signal)
    if (!works && !signal.aborted) noteTrouble(side)
    return works && startedMs > side.troubleEndedMs
  }

  function targetOf({ type, url, port }: ProbeSettings): Target {
    const key = `${type} ${port} ${url}`
    const target = targets.get(key) ?? { landmark: { type, url, port }, network: null, knownDown: false }
    putLast(targets, key, target, TARGETS_KEPT)
    return target
  }

  function sideOf(network: string): Side {
    return sides[network.includes(':') ? 6 : 4]
  }

  function noteAnswer(side: Side, target: Target, network: string, startedMs: number) {
    target.knownDown = false
    sight(side, network, 'answered')
    side.failing.delete(network)
    putLast(side.answered, network, seen(target), NETWORKS_KEPT)
    // An answer to what was asked before the trouble began says nothing of its end.
    if (side.trouble && startedMs > side.trouble.sinceMs) endTrouble(side)
  }

  function noteFailure(side: Side, target: Target, network: string) {
    sight(side, network, 'failing')
    putLast(side.failing, network, seen(target), NETWORKS_KEPT)
  }

  function seen({ landmark }: Target): Seen {
    return { landmark, atMs: monotonicMs() }
  }

  function sight(side: Side, network: string, outcome: Sighting['outcome']) {
    putLast(side.sightings, network, { network, atMs: monotonicMs(), outcome }, NETWORKS_KEPT)
  }

  async function isDoubtful(side: Side): Promise<boolean> {
    const accounts = await allAccounts(side)
    if (accounts.some(({ inTrouble }) => inTrouble)) return true
    const sightings = accounts.flatMap(({ sightings }) => sightings)
    const sinceTrouble = sightings.filter(({ atMs }) => atMs > side.troubleEndedMs)
    return failTogether(sinceTrouble, monotonicMs())
  }

  /** Our own last: it is as new as can be. */
  async function allAccounts(side: Side): Promise<Account[]> {
    const testimonies = await deps.others()
    return [...testimonies.map((testimony) => testimony[side.family]), accountOf(side)]
  }

  function accountOf(side: Side): Account {
    return {
      inTrouble: side.trouble !== null,
      sightings: [...side.sightings.values(), ...silences(side)],
      answered: [...side.answered.values()].slice(-LANDMARKS_TRIED),
      failing: [...side.failing.values()].slice(-LANDMARKS_TRIED),
    }
  }

  /** Checks that should have been answered by now; those started first come first. */
  function silences(side: Side): Sighting[] {
    const silent: Sighting[] = []
    for (const { target, startedMs } of underWay.values()) {
      const atMs = startedMs + PATIENCE_MS
      if (atMs > monotonicMs()) break
      const { network, knownDown } = target
      if (network === null || knownDown || sideOf(network) !== side) continue
      silent.push({ network, atMs, outcome: 'failing' })
    }
    return silent
  }

  /** Tries targets that answered lately, those that fail for want of others: one that is reached is enough. */
  function wayOutWorks(side: Side): Promise<boolean> {
    if (!side.wayOut || monotonicMs() - side.wayOut.askedAtMs >= WAY_OUT_HOLDS_MS) {
      const works = allAccounts(side).then((accounts) => anyReached(landmarksOf(accounts)))
      side.wayOut = { askedAtMs: monotonicMs(), works }
      side.wayOut.works.then((works) => {
        if (works && side.trouble) endTrouble(side)
      })
    }
    return side.wayOut.works
  }

  async function anyReached(landmarks: Landmark[]): Promise<boolean> {
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), WAY_OUT_TIMEOUT_MS)
    const attempts = landmarks.map(async (landmark) => {
      if (!(await deps.reach(landmark, enough.signal))) throw new Error('not reached')
    })
    return Promise.any(attempts)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        clearTimeout(timer)
        enough.abort()
      })
  }

  function noteTrouble(side: Side) {
    if (!side.trouble) {
      side.trouble = { sinceMs: monotonicMs(), unjudged: 0 }
      deps.notify({ kind: 'down' })
    }
    side.trouble.unjudged++
  }

  function endTrouble(side: Side) {
    const { trouble, family } = side
    side.trouble = null
    side.troubleEndedMs = monotonicMs()
    side.sightings.clear()
    if (trouble) deps.notify({ kind: 'works', family, unjudged: trouble.unjudged })
  }

  return {
    probe,
    testify: () => ({ 4: accountOf(sides[4]), 6: accountOf(sides[6]) }),
    hearItWorks: (family) => endTrouble(sides[family]),
  }
}

function newSide(family: Family): Side {
  return {
    family,
    sightings: new Map(),
    answered: new Map(),
    failing: new Map(),
    wayOut: null,
    trouble: null,
    troubleEndedMs: Number.NEGATIVE_INFINITY,
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

/** Targets that answered lately, then those that fail; each the newest first. */
function landmarksOf(accounts: Account[]): Landmark[] {
  const answered = accounts.flatMap(({ answered }) => answered).sort(newestFirst)
  const failing = accounts.flatMap(({ failing }) => failing).sort(newestFirst)
  return [...answered, ...failing].slice(0, LANDMARKS_TRIED).map(({ landmark }) => landmark)
}

const newestFirst = (a: Seen, b: Seen) => b.atMs - a.atMs

/** False as soon as nobody waits for the check any more. */
function unlessAborted(works: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const giveUp = () => resolve(false)
    signal.addEventListener('abort', giveUp, { once: true })
    works.then((value) => {
      signal.removeEventListener('abort', giveUp)
      resolve(value)
    })
  })
}
