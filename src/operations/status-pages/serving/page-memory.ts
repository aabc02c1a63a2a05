type Entry<T> = { value: T; bytes: number; seenAtMs: number }

/**
 * Values by key, in a bounded number of bytes: of more, those go that were not asked for the longest. `bytesOf` may grow
 * while a value is kept; `measure` looks again.
 */
export function createPageMemory<T>(
  maxBytes: number,
  bytesOf: (value: T) => number,
  monotonicMs: () => number,
) {
  const entries = new Map<string, Entry<T>>()
  let total = 0

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function measure(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    total -= entry.bytes
    entry.bytes = bytesOf(entry.value)
    total += entry.bytes
    makeRoom(key)
  }

  /** Makes room by all but the one that is needed now. */
  function makeRoom(kept: string): void {
    if (total <= maxBytes) return
    const oldest = [...entries].sort(([, one], [, other]) => one.seenAtMs - other.seenAtMs)
    for (const [key] of oldest) {
      if (total <= maxBytes) return
      if (key !== kept) remove(key)
    }
  }

  return {
    get(key: string): T | undefined {
      const entry = entries.get(key)
      if (entry) entry.seenAtMs = monotonicMs()
      return entry?.value
    },
    /** Reads one, which does not count as asked for. */
    peek: (key: string): { value: T; seenAtMs: number } | undefined => entries.get(key),
    keys: () => entries.keys(),
    put(key: string, value: T, seenAtMs = monotonicMs()): void {
      remove(key)
      entries.set(key, { value, bytes: 0, seenAtMs })
      measure(key)
    },
    measure,
    remove,
    get bytes() {
      return total
    },
  }
}
