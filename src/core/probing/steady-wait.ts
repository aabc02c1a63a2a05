/** At a quiet pace a transaction for each finding would cost the most. */
const MAX_WAIT_MS = 500
/** A check lasts until its finding is durable, and must be over before its next tick even where the target is slow. */
const PART_OF_INTERVAL = 1 / 4

/** How long the finding that a target is up as before may wait for others, in milliseconds. */
export function steadyWaitMs(intervalSeconds: number): number {
  return Math.min(MAX_WAIT_MS, intervalSeconds * 1_000 * PART_OF_INTERVAL)
}
