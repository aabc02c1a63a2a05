import { phrase } from '../language/phrase.ts'
import { type CheckStatus, passes } from '../monitors/check.ts'

/** From an instant up to another, in milliseconds since 1970; the end is not part of it. */
export type TimeSpan = { fromMs: number; toMs: number }

/**
 * Checks with one status that followed each other without a gap or a pause, from the first to the last; a single
 * check is both.
 */
export type CheckRun = { status: CheckStatus; firstMs: number; lastMs: number }

/** The known history of a monitor, in any order; spans of one kind may overlap. */
export type WatchedTime = {
  runs: readonly CheckRun[]
  incidents: readonly TimeSpan[]
  maintenance: readonly TimeSpan[]
  /** When no checks were due: pauses, and the time after it was deleted. */
  rests: readonly TimeSpan[]
  /** A check is an answer for the interval, and the timeout of the check that follows. */
  validMs: number
  /** A heartbeat: while its job is silent nothing is recorded, and its incident says so. */
  isHeartbeat: boolean
  /** A group: while none of its members counts it is pending, which ends what was known. */
  isGroup?: boolean
}

/**
 * The time in each state, in whole milliseconds, as exact as checks and incidents are: every millisecond is in one
 * state, so that an hour adds up to an hour wherever it is split.
 */
export type StateTimes = KnownTimes & { unknownMs: number }

/** The times that roll-ups store; the rest of an hour or a day is unknown. */
export type KnownTimes = { upMs: number; degradedMs: number; downMs: number; maintenanceMs: number }

export function noTime(): KnownTimes {
  return { upMs: 0, degradedMs: 0, downMs: 0, maintenanceMs: 0 }
}

export function addTimes(sum: KnownTimes, other: KnownTimes): void {
  sum.upMs += other.upMs
  sum.degradedMs += other.degradedMs
  sum.downMs += other.downMs
  sum.maintenanceMs += other.maintenanceMs
}

/** All of it but the unknown. */
export function knownMs({ upMs, degradedMs, downMs, maintenanceMs }: KnownTimes): number {
  return upMs + degradedMs + downMs + maintenanceMs
}

/** Stands beside each figure. */
export const WHAT_UPTIME_COUNTS = phrase(
  'The share of judged time in which the monitor was up or degraded. Maintenance and unknown time do not count.',
)

/**
 * The share of judged time that passed, 0 to 1; null if none was judged. Planned and unknown time is not counted. Less
 * than 1 as soon as a millisecond was down: a double holds such shares of 90 days exactly enough.
 */
export function uptimeOf({ upMs, degradedMs, downMs }: Omit<KnownTimes, 'maintenanceMs'>): number | null {
  const judgedMs = upMs + degradedMs + downMs
  return judgedMs === 0 ? null : (upMs + degradedMs) / judgedMs
}

/**
 * The time of each state within `span`. Of what applies at once, the first of this list counts: a rest (unknown), a
 * window (maintenance), nobody checking (unknown), an open incident (down), the latest check. Our own trouble is never
 * the target's, so an incident that is open while nobody checks is not down all that time.
 */
export function stateTimes(watched: WatchedTime, span: TimeSpan): StateTimes {
  const rests = layer(disjoint(watched.rests))
  const windows = layer(disjoint(watched.maintenance))
  const incidents = layer(disjoint(watched.incidents.map(atLeastAMillisecond)))
  const known = layer(knownSpans(watched))
  const layers = [rests, windows, incidents, known]
  const times: StateTimes = { ...noTime(), unknownMs: 0 }
  for (let atMs = span.fromMs; atMs < span.toMs; ) {
    const nextMs = Math.min(span.toMs, ...layers.map((one) => one.moveTo(atMs)))
    times[stateAt()] += nextMs - atMs
    atMs = nextMs
  }
  return times

  function stateAt(): keyof StateTimes {
    if (rests.current) return 'unknownMs'
    if (windows.current) return 'maintenanceMs'
    if (known.current?.status === 'pending') return 'unknownMs'
    if (incidents.current && (known.current || watched.isHeartbeat)) return 'downMs'
    if (!known.current || !passes(known.current.status)) return 'unknownMs'
    return known.current.status === 'up' ? 'upMs' : 'degradedMs'
  }
}

/** An incident that opened and ended at once is a failure, too. */
function atLeastAMillisecond({ fromMs, toMs }: TimeSpan): TimeSpan {
  return { fromMs, toMs: Math.max(toMs, fromMs + 1) }
}

/** Worst first: of checks at the same instant, it counts. */
const SEVERITY: readonly CheckStatus[] = ['down', 'maintenance', 'degraded', 'up']

/**
 * Which checks were the latest answer, and when. It ends when the next begins, when it is too old, and when the monitor
 * rests: after a rest nothing is known until the next check. A check that was not judged is no answer. One that failed under
 * maintenance is: outside the window it says that the monitor was not up, and nothing more.
 */
function knownSpans({ runs, rests, validMs, isGroup }: WatchedTime): (TimeSpan & Pick<CheckRun, 'status'>)[] {
  const judged = runs
    .filter(({ status }) => isGroup || status !== 'pending')
    .sort((a, b) => a.firstMs - b.firstMs || SEVERITY.indexOf(b.status) - SEVERITY.indexOf(a.status))
  const pausedAtMs = rests.map(({ fromMs }) => fromMs).sort((a, b) => a - b)
  let nextPause = 0
  return judged.map(({ status, firstMs, lastMs }, index) => {
    while ((pausedAtMs[nextPause] ?? Number.POSITIVE_INFINITY) < lastMs) nextPause++
    const toMs = Math.min(
      lastMs + validMs,
      judged[index + 1]?.firstMs ?? Number.POSITIVE_INFINITY,
      pausedAtMs[nextPause] ?? Number.POSITIVE_INFINITY,
    )
    return { status, fromMs: firstMs, toMs }
  })
}

/** The same time, in order and without overlaps. */
export function disjoint(spans: readonly TimeSpan[]): TimeSpan[] {
  const merged: TimeSpan[] = []
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1)
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else merged.push({ fromMs, toMs })
  }
  return merged
}

/** Walks along spans in order: `current` is the one at the time it was moved to, if there is one. */
function layer<T extends TimeSpan>(spans: readonly T[]) {
  let index = 0
  return {
    current: null as T | null,
    /** When the next one begins or the current one ends. */
    moveTo(atMs: number): number {
      while (index < spans.length && (spans[index] as T).toMs <= atMs) index++
      const next = spans[index]
      this.current = next && next.fromMs <= atMs ? next : null
      if (!next) return Number.POSITIVE_INFINITY
      return this.current ? next.toMs : next.fromMs
    },
  }
}
