/** An answer is late when it takes this much more than twice the time of its target's last one. */
export const LATE_MS = 500
/** More than a process sees in the longest time-out. */
const LULLS_KEPT = 64
const STUMBLES_KEPT = 64
/** Among many targets some are late at any time: others must be a part of all that answered meanwhile. */
const SHARED_BY_ONE_IN = 50
const COUNTED_SECONDS = 256

/** A check that is under way, of a target that was reached before at `place`, in `usualMs`. */
export type AwaitedAnswer = { place: string; askedMs: number; usualMs: number }

/** A target at `place`, which was well until then, was silent or late. */
export type Stumble = { place: string; atMs: number }

/** A time without any answer in which targets at these places should have answered. */
type Lull = { toMs: number; places: ReadonlySet<string> }

/** How far others shared a silence: several were silent or late, too; or there was no answer at all for a while. */
export type Sharing = 'none' | 'some' | 'all'

/**
 * Remembers when one of our ways brought no answers, or lost some. An outage of ours that is over before the silenced
 * checks time out leaves no other trace, and neither does a way that loses packets: by the time they are judged, others
 * answer.
 */
export function createLulls(monotonicMs: () => number) {
  const awaited = new Set<AwaitedAnswer>()
  const counts = createCounts()
  let answeredMs = monotonicMs()
  let kept: Lull[] = []
  let stumbles: Stumble[] = []

  /** The time since the last answer, if it is a lull: an answer is late. */
  function lullUntil(nowMs: number): Lull | null {
    if (nowMs - answeredMs < LATE_MS) return null
    const late = [...awaited].filter((one) => one.askedMs >= answeredMs && isLate(one, nowMs))
    return late.length === 0 ? null : { toMs: nowMs, places: new Set(late.map(({ place }) => place)) }
  }

  function noteStumble(place: string, atMs: number) {
    stumbles.push({ place, atMs })
    if (stumbles.length >= 2 * STUMBLES_KEPT) stumbles = stumbles.slice(-STUMBLES_KEPT)
  }

  /** Those of late, with the checks that are late now. */
  function newestStumbles(): Stumble[] {
    const nowMs = monotonicMs()
    const late = [...awaited].filter((one) => isLate(one, nowMs))
    return [...stumbles, ...late.map(({ place }) => ({ place, atMs: nowMs }))].slice(-STUMBLES_KEPT)
  }

  return {
    begin: (one: AwaitedAnswer) => void awaited.add(one),
    end: (one: AwaitedAnswer) => void awaited.delete(one),
    /** Called for every answer, while the check that got it is still under way. */
    noteAnswer(nowMs: number, one: AwaitedAnswer | null) {
      if (nowMs - answeredMs >= LATE_MS) {
        const lull = lullUntil(nowMs)
        if (lull) kept = [...kept, lull].slice(-LULLS_KEPT)
      }
      answeredMs = nowMs
      counts.add(nowMs)
      if (one && isLate(one, nowMs)) noteStumble(one.place, nowMs)
    },
    noteStumble,
    newestStumbles,
    /** Whether others were silent, too, while a check that began then was silent; `own` are the places of its target. */
    sharing(own: readonly string[], askedMs: number, ofPeers: readonly Stumble[] = []): Sharing {
      const nowMs = monotonicMs()
      if (nowMs - askedMs < LATE_MS) return 'none'
      const newest = lullUntil(nowMs)
      const silenced = [...kept, ...(newest ? [newest] : [])]
        .filter(({ toMs }) => toMs > askedMs)
        .map(({ places }) => [...places].filter((other) => !own.includes(other)).length)
      const most = Math.max(0, ...silenced)
      if (most > 1) return 'all'
      const stumbled = [...newestStumbles(), ...ofPeers].filter(
        (other) => !own.includes(other.place) && other.atMs > askedMs,
      )
      const others = new Set(stumbled.map((other) => other.place)).size
      const isShared = others > 0 && others * SHARED_BY_ONE_IN >= counts.since(askedMs)
      return most > 0 || isShared ? 'some' : 'none'
    },
  }
}

export type Lulls = ReturnType<typeof createLulls>

function isLate({ askedMs, usualMs }: AwaitedAnswer, nowMs: number): boolean {
  return nowMs - askedMs >= LATE_MS + 2 * usualMs
}

/** Counts answers by the second, for as long back as a check may take. */
function createCounts() {
  const counts = new Uint32Array(COUNTED_SECONDS)
  let newest = 0

  function advance(second: number) {
    const from = Math.max(newest + 1, second - COUNTED_SECONDS + 1)
    for (let passed = from; passed <= second; passed++) counts[passed % COUNTED_SECONDS] = 0
    newest = Math.max(newest, second)
  }

  return {
    add(nowMs: number) {
      const second = Math.floor(nowMs / 1_000)
      if (second !== newest) advance(second)
      const index = second % COUNTED_SECONDS
      counts[index] = (counts[index] ?? 0) + 1
    },
    since(fromMs: number): number {
      let sum = 0
      const first = Math.max(Math.floor(fromMs / 1_000), newest - COUNTED_SECONDS + 1)
      for (let second = first; second <= newest; second++) sum += counts[second % COUNTED_SECONDS] ?? 0
      return sum
    },
  }
}
