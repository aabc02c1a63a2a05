import { at, type Check, describe, type Evidence, type Incident } from './logs.ts'
import { freeParts, isCovered, isIn, lengthMs, type Span, widen } from './spans.ts'
import { coverOf, isAbout } from './windows/truth.ts'

/** Starts and ends of windows take effect to that. */
export const EFFECT_MS = 1_000

/** The maintenance of one monitor. */
export type Maintenance = {
  cover: Span[]
  /** While somebody was changing it: whoever judges then may have known of the change, or not. */
  unsettled: Span[]
}

/** The maintenance of each monitor, by its number. */
export function maintenanceOf({ applied, changes }: Evidence): (monitor: number) => Maintenance {
  const known = new Map<number, Maintenance>()
  return (monitor) => {
    const maintenance = known.get(monitor) ?? {
      cover: coverOf(applied, monitor),
      unsettled: changes
        .filter(({ whom }) => isAbout(whom, monitor))
        .map((change) => widen(change, EFFECT_MS, EFFECT_MS)),
    }
    known.set(monitor, maintenance)
    return maintenance
  }
}

/** A failed check is `maintenance` if a window applied at its time, and `down` if none did. */
export function wronglyCovered(evidence: Evidence): string[] {
  const of = maintenanceOf(evidence)
  return evidence.checks
    .filter(({ monitor, atMs, status }) => {
      const { cover, unsettled } = of(monitor)
      if (status !== 'down' && status !== 'maintenance') return false
      if (unsettled.some((span) => isIn(atMs, span))) return false
      return (status === 'maintenance') !== isCovered(cover, atMs)
    })
    .map(({ monitor, atMs, status }) => `monitor ${monitor} was ${status} at ${at(evidence, atMs)}`)
}

/** A run of failures that was to be told, with every moment at which its incident may begin. */
export type Failing = { monitor: number; beginnings: number[]; resolvedMs: number | null }

/**
 * Each run of failures outside windows, up to the first success after it, within windows or not: what was told down is
 * told recovered when it happens. One that had begun in a window begins when that ends.
 */
export function failuresOf(evidence: Evidence): Failing[] {
  const of = maintenanceOf(evidence)
  const checksOf = Map.groupBy(
    evidence.checks.toSorted((a, b) => a.turn - b.turn || a.atMs - b.atMs),
    ({ monitor }) => monitor,
  )
  return [...checksOf].flatMap(([monitor, checks]) => failuresAmong(monitor, checks, of(monitor)))
}

function failuresAmong(monitor: number, checks: Check[], { cover, unsettled }: Maintenance): Failing[] {
  const runs: Failing[] = []
  let open: Failing | null = null
  /** The first failure of those in a window that nobody was told of. */
  let untold: Check | null = null
  for (const check of checks) {
    const { atMs, status } = check
    if (status === 'up') {
      // A ping that had to wait for the database may be older than the silence that was found meanwhile.
      if (open) open.resolvedMs = Math.max(atMs, ...open.beginnings)
      open = null
      untold = null
    } else if (status === 'maintenance') {
      untold ??= check
    } else if (status === 'down' && !open) {
      open = { monitor, beginnings: beginningsOf(untold, atMs), resolvedMs: null }
      runs.push(open)
    }
  }
  return runs

  function beginningsOf(untold: Check | null, atMs: number): number[] {
    if (!untold) return [atMs]
    const since = untold.atMs
    const ends = cover.map(({ toMs }) => toMs).filter((toMs) => toMs > since && toMs <= atMs)
    // A window that was being ended when it failed leaves open whether it failed within.
    const wasUnsettled = unsettled.some((span) => isIn(since, span))
    const before = cover.findLast(({ toMs }) => toMs <= since)
    return wasUnsettled ? [...ends, ...(before ? [before.toMs] : []), since, atMs] : ends
  }
}

/** An answer's promise holds, to a second, until the next change of that window. */
export function brokenPromises(evidence: Evidence): string[] {
  const { promised, applied, toMs } = evidence
  return promised
    .map((one) => ({ ...one, fromMs: one.fromMs + EFFECT_MS, toMs: Math.min(one.toMs, toMs) - EFFECT_MS }))
    .filter((one) => one.fromMs < one.toMs)
    .filter((one) => {
      const free = freeParts<Span>(
        one,
        applied.filter(({ window }) => window === one.window),
      )
      const freeMs = lengthMs(free)
      return one.isApplying ? freeMs > 0 : freeMs < one.toMs - one.fromMs
    })
    .map((one) => {
      const should = one.isApplying ? 'should apply' : 'should not apply'
      return `window ${one.window} ${should} after "${one.what}" ${describe(evidence, one)}`
    })
}

/** The moments at which windows over a monitor ended: whatever fails is checked then. */
export function endsOf({ cover }: Maintenance): Span[] {
  return cover.map(({ toMs }) => ({ fromMs: toMs, toMs }))
}

/** Failures and incidents by the same name, where they are the same. */
export function matchIncidents(failures: Failing[], incidents: Incident[]) {
  const found = incidents.map(({ monitor, startedMs, resolvedMs }) => name(monitor, startedMs, resolvedMs))
  const known = new Set(found)
  const expected = failures.map(({ monitor, beginnings, resolvedMs }) => {
    const names = beginnings.map((startedMs) => name(monitor, startedMs, resolvedMs))
    return names.find((one) => known.has(one)) ?? names[0] ?? `monitor ${monitor} within a window`
  })
  return { expected, found }
}

function name(monitor: number, startedMs: number, resolvedMs: number | null): string {
  return `monitor ${monitor} from ${startedMs} to ${resolvedMs ?? 'now'}`
}
