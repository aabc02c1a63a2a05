/** An answer is late when it takes this much more than twice the time of its target's last one. */
const LATE_MS = 500
/** More than a process sees in the longest time-out. */
const LULLS_KEPT = 64

/** A check that is under way, of a target that was reached before at `place`, in `usualMs`. */
export type AwaitedAnswer = { place: string; askedMs: number; usualMs: number }

/** A time without any answer in which targets at these places should have answered. */
type Lull = { toMs: number; places: ReadonlySet<string> }

/**
 * Remembers when one of our ways brought no answers. An outage of ours that is over before the silenced checks time out
 * leaves no other trace: by the time they are judged, everything answers.
 */
export function createLulls(monotonicMs: () => number) {
  const awaited = new Set<AwaitedAnswer>()
  let answeredMs = monotonicMs()
  let kept: Lull[] = []

  /** The time since the last answer, if it is a lull: an answer is late. */
  function lullUntil(nowMs: number): Lull | null {
    if (nowMs - answeredMs < LATE_MS) return null
    const late = [...awaited].filter(
      ({ askedMs, usualMs }) => askedMs >= answeredMs && nowMs - askedMs >= LATE_MS + 2 * usualMs,
    )
    return late.length === 0 ? null : { toMs: nowMs, places: new Set(late.map(({ place }) => place)) }
  }

  return {
    begin: (one: AwaitedAnswer) => void awaited.add(one),
    end: (one: AwaitedAnswer) => void awaited.delete(one),
    /** Called for every answer, while the check that got it is still under way. */
    noteAnswer(nowMs: number) {
      const lull = lullUntil(nowMs)
      if (lull) kept = [...kept, lull].slice(-LULLS_KEPT)
      answeredMs = nowMs
    },
    /** Whether a target at another place should have answered, too, while a check that began then was silent. */
    silencedOthers(place: string, askedMs: number): boolean {
      const nowMs = monotonicMs()
      if (nowMs - askedMs < LATE_MS) return false
      const newest = lullUntil(nowMs)
      return [...kept, ...(newest ? [newest] : [])].some(
        ({ toMs, places }) => toMs > askedMs && [...places].some((other) => other !== place),
      )
    },
  }
}

export type Lulls = ReturnType<typeof createLulls>
