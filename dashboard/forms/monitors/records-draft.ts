type Members = Record<string, unknown>

/** A draft holds a list of objects as text, which is compared and merged like any other; each is a draft of its own. */
export function holdRecords(records: readonly Members[]): string {
  return records.length === 0 ? '' : JSON.stringify(records)
}

export function recordsIn<Record extends Members>(held: unknown): Record[] {
  return typeof held === 'string' && held !== '' ? JSON.parse(held) : []
}

/** The names of the objects: the rest of them may be long, or secrets. */
export function sayRecords(held: unknown): string {
  return (
    recordsIn(held)
      .map(({ name }) => String(name ?? ''))
      .filter(Boolean)
      .join(', ') || '–'
  )
}

/** The list with one object so many places further. */
export function moved<T>(records: readonly T[], place: number, by: -1 | 1): T[] {
  const next = [...records]
  const [one] = next.splice(place, 1)
  return one === undefined ? next : next.toSpliced(place + by, 0, one)
}
