type KeyOf<Row> = (row: Row) => string

/**
 * The rows on show, in their places, with what the newest answer says of them; those that it no longer has stay as they
 * were known last. Where nothing is shown there is nothing to keep.
 */
export function keepRows<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: KeyOf<Row>,
): readonly Row[] {
  if (shown.length === 0) return latest
  return withNewer(shown, latest, keyOf)
}

/** The same rows in the same order, those that `newer` has as it has them. */
export function withNewer<Row>(
  rows: readonly Row[],
  newer: readonly Row[],
  keyOf: KeyOf<Row>,
): readonly Row[] {
  const byKey = new Map(newer.map((row) => [keyOf(row), row]))
  return rows.map((row) => byKey.get(keyOf(row)) ?? row)
}

/**
 * How many rows another order would change: those that come, or leave if these are more, and those that move. `left` names
 * the rows on show that the newest answer no longer has.
 */
export function changesOf<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: KeyOf<Row>,
): { changed: number; left: string[] } {
  const places = new Map(latest.map((row, place) => [keyOf(row), place]))
  const keys = shown.map(keyOf)
  const left = keys.filter((key) => !places.has(key))
  const stay = keys.flatMap((key) => places.get(key) ?? [])
  const came = latest.length - stay.length
  return { changed: Math.max(came, left.length) + stay.length - longestRise(stay), left }
}

/** Whether both have the same rows, in whatever order. */
export function hasSame<Row>(shown: readonly Row[], latest: readonly Row[], keyOf: KeyOf<Row>): boolean {
  return shown.length === latest.length && changesOf(shown, latest, keyOf).left.length === 0
}

/** The length of the longest part, in order but not in one piece, whose numbers only rise: the rows that need not move. */
function longestRise(numbers: readonly number[]): number {
  /** The lowest number with which a rise of each length ends. */
  const ends: number[] = []
  for (const number of numbers) {
    const place = ends.findIndex((end) => end >= number)
    ends[place === -1 ? ends.length : place] = number
  }
  return ends.length
}
