import { GRID_MS } from '../../../src/core/probing/schedule.ts'
import { endsOf, maintenanceOf } from '../judge-windows.ts'
import { byMonitor, type Evidence, type RecordedCheck } from '../logs.ts'
import type { Span } from '../spans.ts'

/** A region leaves its tick out where less than this of it is left. */
const LEFT_MS = 50

/**
 * Checks of targets that nothing asked for: each tick asks for one, until the next tick begins, and so do the end of a
 * window and a check that could not be judged. A late check that begins right before one in time is none.
 */
export function surplusChecks(evidence: Evidence): RecordedCheck[] {
  const of = maintenanceOf(evidence)
  const checksOf = byMonitor(evidence.recorded)
  return evidence.phases.flatMap(({ monitor, phaseMs }) => {
    const checks = checksOf.get(monitor) ?? []
    const once = [...endsOf(of(monitor)), ...undecided(checks)].map(({ toMs }) => ({
      fromMs: toMs - GRID_MS,
      toMs: toMs + evidence.intervalMs + evidence.slackMs,
    }))
    return withoutReason(checks, [...ticksOf(checks, phaseMs, evidence.intervalMs), ...once])
  })
}

/** A check that could not be judged is made again at once, or after a while, once it is on record. */
function undecided(checks: RecordedCheck[]): Span[] {
  return checks
    .filter(({ status }) => status === 'pending')
    .map(({ committedMs }) => ({ fromMs: committedMs, toMs: committedMs }))
}

/** From when to when the check for each tick may begin. */
function ticksOf(checks: RecordedCheck[], phaseMs: number, intervalMs: number): Span[] {
  const [first, last] = [checks[0], checks.at(-1)]
  if (!first || !last) return []
  const number = (ms: number) => Math.floor((ms - phaseMs) / intervalMs)
  const from = number(first.atMs) - 1
  return Array.from({ length: number(last.atMs) - from + 2 }, (_, i) => {
    const tickMs = (from + i) * intervalMs + phaseMs
    return { fromMs: tickMs - GRID_MS, toMs: tickMs + intervalMs - LEFT_MS }
  })
}

/** Each reason is good for one check; the one that ends first is taken first, so that as few as possible have none. */
function withoutReason(checks: RecordedCheck[], reasons: Span[]): RecordedCheck[] {
  const coming = reasons.toSorted((a, b) => a.fromMs - b.fromMs)
  let open: Span[] = []
  return checks.filter(({ atMs }) => {
    while (coming[0] && coming[0].fromMs <= atMs) open.push(coming.shift() as Span)
    open = open.filter(({ toMs }) => toMs >= atMs).toSorted((a, b) => a.toMs - b.toMs)
    return open.shift() === undefined
  })
}
