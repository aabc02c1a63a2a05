/** Two clocks are never compared better than this. */
const NOISE_MS = 20

/** When a question was sent and its answer came by a process' own clock, and what the database's said meanwhile. */
export type ClockSample = { sentMs: number; receivedMs: number; databaseMs: number }

/**
 * How far the database's clock is ahead of a process' own, from what was known and one more sample. What is known
 * stands while the sample allows it: a slow answer says little.
 */
export function offsetAfter(knownMs: number, { sentMs, receivedMs, databaseMs }: ClockSample): number {
  const measuredMs = databaseMs - (sentMs + receivedMs) / 2
  const doubtMs = (receivedMs - sentMs) / 2 + NOISE_MS
  return Math.abs(measuredMs - knownMs) <= doubtMs ? knownMs : measuredMs
}
