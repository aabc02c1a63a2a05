/** Two clocks are never compared better than this. */
const NOISE_MS = 20

/** When a query was sent and its answer came, by a process's own clock, and the database's time in between. */
export type ClockSample = { sentMs: number; receivedMs: number; databaseMs: number }

/**
 * How far the database's clock is ahead of a process's own, given the known offset and one more sample. The known
 * offset stands while the sample allows it: a slow answer says little.
 */
export function offsetAfter(knownMs: number, { sentMs, receivedMs, databaseMs }: ClockSample): number {
  const measuredMs = databaseMs - (sentMs + receivedMs) / 2
  const doubtMs = (receivedMs - sentMs) / 2 + NOISE_MS
  return Math.abs(measuredMs - knownMs) <= doubtMs ? knownMs : measuredMs
}
