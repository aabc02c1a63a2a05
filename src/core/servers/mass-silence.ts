/** Fewer servers may well fail together: they share a rack, or a line. */
export const MIN_MASS = 5
/** Some server reports more often than this, wherever there are so many. */
const QUIET_MS = 90_000
/** Then they are told all the same: rather late and too many than never. */
const MAX_HELD_MS = 300_000

/**
 * Whether the silence of so many servers may be our own trouble: nothing is heard of any server of the installation, and
 * most of those that were heard lately are due at once. `newestAt`: the newest report of any server.
 */
export function isMassSilence(
  { due, heardLately, newestAt }: { due: readonly Date[]; heardLately: number; newestAt: Date | null },
  now: Date,
): boolean {
  if (due.length < MIN_MASS || due.length * 2 <= heardLately || !newestAt) return false
  const firstMs = Math.min(...due.map((at) => at.getTime()))
  return now.getTime() - newestAt.getTime() >= QUIET_MS && now.getTime() - firstMs < MAX_HELD_MS
}
