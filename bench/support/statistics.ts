/** The value below which the share `p` (0 to 1) of the values lies, by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  if (values.length === 0) throw new Error('there is nothing to take a percentile of')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] as number
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The largest number of times within any span of this length. */
export function mostWithin(times: readonly number[], spanMs: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  let most = 0
  let first = 0
  for (const [last, atMs] of sorted.entries()) {
    while (atMs - (sorted[first] as number) >= spanMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}
