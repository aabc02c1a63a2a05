/** One may hold at most so many times the free places. */
const PER_FREE_PLACE = 3

/**
 * Whether one that holds `held` places of a capacity gets another one. The last free place goes to one that has none; others
 * hold fewer than three times as many as are free. So one alone gets three quarters, two get three sevenths each, and what
 * is left is for the next.
 */
export function getsPlace(held: number, free: number): boolean {
  if (free <= 0) return false
  return held === 0 || (free > 1 && held < PER_FREE_PLACE * free)
}

/** The same as a condition in SQL on two integers. */
export function getsPlaceSql(held: string, free: string): string {
  return `(${free} > 0 AND (${held} = 0 OR (${free} > 1 AND ${held} < ${PER_FREE_PLACE} * ${free})))`
}

/** The most that one gets while nobody else holds a place. */
export function mostOfOne(size: number): number {
  let held = 0
  while (getsPlace(held, size - held)) held++
  return held
}
