import { putLast } from '../../core/bounded-map.ts'
import { type ProbedType, servesAsLandmark } from '../../core/monitors/monitor-types.ts'
import type { KnownOfOthers, Way } from '../../core/probing/blame.ts'
import { chooseWitnesses, type Witness, weigh } from '../../core/probing/evidence.ts'
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
 * The part of a monitor's settings that leads to its target, without secrets. `name` is the name that was looked up,
 * `address` where it was reached.
 */
export type Landmark = {
  type: ProbedType
  url: string
  port: number | null
  name?: string
  address?: string
}

/** One of our ways out, as one guard knows it. */
export type KnownWay = {
  lulls: Lulls
  witnesses(): Witness<Landmark>[]
  /** A check that began at `startedMs` reached a place. */
  noteReached(place: string, landmark: Landmark, startedMs: number, nowMs: number): void
  /** A target fails by itself: it is no witness any more. */
  forget(place: string, url: string | null): void
  /**
   * Tells what is reached elsewhere after a failure at a place: by a check that begins from now on, or by asking witnesses. It
   * is `not reached` when the signal aborts.
   */
  look(place: string, signal: AbortSignal): Promise<KnownOfOthers>
  /** Whether a check that began then may have failed for a trouble of ours that has ended. */
  wasInTrouble(startedMs: number): boolean
  /** A check was not judged, because the way seems down. */
  noteUnjudged(): void
  /** If the way was thought down, it is no more. */
  noteWell(): void
  /** The way works again, as this guard or another one has found. */
  endTrouble(): void
}

/** Remembers which targets were reached over one of our ways lately, and since when it has been in trouble. */
export function createWay(
  way: Way,
  deps: {
    /** The place where a witness is reached over the way, null if it is not; resolves soon after the signal aborts. */
    reach: (landmark: Landmark, signal: AbortSignal) => Promise<string | null>
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

  /** Checks that begin after this and are answered elsewhere, or witnesses: the first counts. */
  function look(place: string, signal: AbortSignal): Promise<KnownOfOthers> {
    if (signal.aborted) return Promise.resolve('not reached')
    return new Promise((resolve) => {
      const end = (reached: KnownOfOthers) => {
        waiting.delete(failure)
        signal.removeEventListener('abort', giveUp)
        resolve(signal.aborted ? 'not reached' : reached)
      }
      const giveUp = () => end('not reached')
      const failure = { place, failedMs: monotonicMs(), believe: () => end('reached') }
      waiting.add(failure)
      signal.addEventListener('abort', giveUp, { once: true })
      askWitnesses(place).then(end, () => end('nothing known'))
    })
  }

  async function tryWitnesses(failing: string[]): Promise<KnownOfOthers[]> {
    const now = monotonicMs()
    if (trouble && now - trouble.triedMs < TRY_PERIOD_MS) return failing.map(() => 'not reached')
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
    const tries = chosen.map(async ({ landmark }) => {
      const place = await deps.reach(landmark, enough.signal)
      if (place === null) return
      reached.push(place)
      if (failing.every((failed) => reached.some((other) => other !== failed))) enough.abort()
    })
    await Promise.all(tries)
    clearTimeout(timer)
    return reached
  }

  function noteUnjudged() {
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
      if (canBeAsked)
        putLast(witnesses, place, { place, landmark, startedMs, reachedMs: nowMs }, WITNESSES_KEPT)
      // An answer to a check that began before the trouble says nothing about its end.
      if (trouble && startedMs > trouble.sinceMs) endTrouble()
      for (const failure of waiting)
        if (failure.place !== place && startedMs >= failure.failedMs) failure.believe()
    },
    forget(place, url) {
      if (witnesses.get(place)?.landmark.url === url) witnesses.delete(place)
    },
    look,
    wasInTrouble: (startedMs) => startedMs <= troubleEndedMs,
    noteUnjudged,
    noteWell() {
      if (trouble) endTrouble()
    },
    endTrouble,
  }
}
