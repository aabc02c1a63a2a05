import { putLast } from '../../core/bounded-map.ts'
import { servesAsLandmark } from '../../core/monitors/monitor-types.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { chooseWitnesses, type Evidence, type Way, type Witness, weigh } from '../../core/probing/evidence.ts'
import { gather } from '../../postgres/gather.ts'
import { createLulls, type Lulls } from './lulls.ts'
import type { NetworkNotice } from './network-notices.ts'

/** Trying the witnesses ends with the first that is reached, or after this time. */
const TRY_TIMEOUT_MS = 1_500
/** While a way is thought down, witnesses are tried this often. */
const TRY_PERIOD_MS = 1_000
/** More than enough to find the newest. */
const WITNESSES_KEPT = 64

/**
 * The part of a monitor's settings that leads to its target, without secrets. `name` is the name that was looked up.
 */
export type Landmark = Pick<ProbeSettings, 'type' | 'url' | 'port'> & { name?: string }

/** One of our ways out, as one guard knows it. */
export type KnownWay = {
  lulls: Lulls
  witnesses(): Witness<Landmark>[]
  /** A check that began at `startedMs` reached a place. */
  noteReached(place: string, landmark: Landmark, startedMs: number, nowMs: number): void
  /** A target fails by itself: it is no witness any more. */
  forget(place: string, url: string | null): void
  /** Whether a failure at a place, of a check that began at `startedMs`, is not ours. */
  isBelieved(place: string, startedMs: number, signal: AbortSignal): Promise<boolean>
  /** The way works again. */
  endTrouble(): void
}

/** Remembers which targets were reached over one of our ways lately, and since when it has been in trouble. */
export function createWay(
  way: Way,
  deps: {
    /** Whether a witness is reached over the way; resolves soon after the signal aborts. */
    reach: (landmark: Landmark, signal: AbortSignal) => Promise<boolean>
    /** The witnesses of other guards. */
    others: () => Promise<Witness<Landmark>[]>
    monotonicMs: () => number
    notify: (notice: NetworkNotice) => void
  },
): KnownWay {
  const { monotonicMs } = deps
  /** The newest witness of each place, oldest first. */
  const witnesses = new Map<string, Witness<Landmark>>()
  /** Failures that wait for evidence. */
  const waiting = new Set<{ place: string; failedMs: number; believe: () => void }>()
  /** While the way is thought down: since when, how many checks were not judged, and when witnesses were last tried. */
  let trouble: { sinceMs: number; unjudged: number; triedMs: number } | null = null
  /** A check that began before this may have failed for our trouble. */
  let troubleEndedMs = Number.NEGATIVE_INFINITY
  /** Failures that come while witnesses are tried share the next try. */
  const askWitnesses = gather(tryWitnesses)

  /** A failure is excused when the way has worked again only since the check began. */
  async function isBelieved(place: string, startedMs: number, signal: AbortSignal) {
    if (signal.aborted || startedMs <= troubleEndedMs) return false
    const evidence = await evidenceFor(place, signal)
    if (signal.aborted) return false
    if (evidence === 'fails') noteTrouble()
    return evidence !== 'fails' && startedMs > troubleEndedMs
  }

  /** Evidence from checks that begin after this and are answered elsewhere, or from witnesses: the first counts. */
  function evidenceFor(place: string, signal: AbortSignal): Promise<Evidence> {
    return new Promise((resolve) => {
      const end = (evidence: Evidence) => {
        waiting.delete(failure)
        signal.removeEventListener('abort', giveUp)
        resolve(evidence)
      }
      const giveUp = () => end('unknown')
      const failure = { place, failedMs: monotonicMs(), believe: () => end('works') }
      waiting.add(failure)
      signal.addEventListener('abort', giveUp, { once: true })
      askWitnesses(place).then(end, giveUp)
    })
  }

  async function tryWitnesses(failing: string[]): Promise<Evidence[]> {
    const now = monotonicMs()
    if (trouble && now - trouble.triedMs < TRY_PERIOD_MS) return failing.map(() => 'fails')
    if (trouble) trouble.triedMs = now
    // Our own come last, so that they win: they are the newest.
    const chosen = chooseWitnesses([...(await deps.others()), ...witnesses.values()], failing)
    const useful = chosen.filter((witness) => failing.some((place) => place !== witness.place))
    const reached = await reachAny(useful, failing)
    if (reached.length > 0 && trouble) endTrouble()
    const places = chosen.map(({ place }) => place)
    return failing.map((place) => weigh(place, places, reached))
  }

  /** The places that were reached, once they are enough for every failure or no other place can follow. */
  async function reachAny(chosen: Witness<Landmark>[], failing: string[]): Promise<string[]> {
    const enough = new AbortController()
    const timer = setTimeout(() => enough.abort(), TRY_TIMEOUT_MS)
    const reached: string[] = []
    const tries = chosen.map(async ({ place, landmark }) => {
      if (!(await deps.reach(landmark, enough.signal))) return
      reached.push(place)
      if (failing.every((failed) => reached.some((other) => other !== failed))) enough.abort()
    })
    await Promise.all(tries)
    clearTimeout(timer)
    return reached
  }

  function noteTrouble() {
    if (!trouble) {
      const now = monotonicMs()
      trouble = { sinceMs: now, unjudged: 0, triedMs: now }
      deps.notify({ kind: 'down', way })
    }
    trouble.unjudged++
  }

  function endTrouble() {
    const ended = trouble
    trouble = null
    troubleEndedMs = monotonicMs()
    if (ended) deps.notify({ kind: 'works', way, unjudged: ended.unjudged })
  }

  return {
    lulls: createLulls(monotonicMs),
    witnesses: () => [...witnesses.values()],
    noteReached(place, landmark, startedMs, nowMs) {
      // A witness must be reachable without a check, or it would seem down each time it is asked.
      const canBeAsked = way === 'names' || servesAsLandmark(landmark.type)
      if (canBeAsked) putLast(witnesses, place, { place, landmark, reachedMs: nowMs }, WITNESSES_KEPT)
      // An answer to a check that began before the trouble says nothing about its end.
      if (trouble && startedMs > trouble.sinceMs) endTrouble()
      for (const failure of waiting)
        if (failure.place !== place && startedMs >= failure.failedMs) failure.believe()
    },
    forget(place, url) {
      if (witnesses.get(place)?.landmark.url === url) witnesses.delete(place)
    },
    isBelieved,
    endTrouble,
  }
}
