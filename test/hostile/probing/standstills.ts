import type { Scope } from '../../support/scope.ts'
import type { Span } from '../spans.ts'

const BEAT_MS = 100
/** Anything shorter is within the slack that every wait has. */
const MIN_STANDSTILL_MS = 1_000

/**
 * The times in which this process itself did nothing, because the machine was busy or stood still: targets and receiver
 * were silent then, and so was every way that leads through here.
 */
export function watchStandstills(scope: Scope): Span[] {
  const standstills: Span[] = []
  let lastMs = performance.now()
  const beating = setInterval(() => {
    const sinceMs = performance.now() - lastMs
    lastMs += sinceMs
    const toMs = Date.now()
    if (sinceMs >= MIN_STANDSTILL_MS) standstills.push({ fromMs: toMs - sinceMs, toMs })
  }, BEAT_MS)
  scope.after(() => clearInterval(beating))
  return standstills
}
