import { putLast } from '../../core/bounded-map.ts'
import type { NotedRequest } from '../../core/servers/not-understood.ts'

/** A note about one server is written this often at most. */
const WRITE_EVERY_MS = 60_000
const MAX_SERVERS = 10_000

export type NotUnderstoodNotes = {
  /** Notes a request of which nothing could be kept. */
  note(tokenHash: Buffer, request: NotedRequest): void
}

/** Counts such requests by server, so that somebody who waits for a first report sees what came instead. */
export function createNotUnderstoodNotes(deps: {
  write: (tokenHash: Buffer, noted: { requests: number; last: NotedRequest }) => Promise<void>
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}): NotUnderstoodNotes {
  const known = new Map<string, { requests: number; writtenMs: number }>()
  return {
    note(tokenHash, last) {
      const key = tokenHash.toString('latin1')
      const nowMs = deps.monotonicMs()
      const before = known.get(key) ?? { requests: 0, writtenMs: Number.NEGATIVE_INFINITY }
      const requests = before.requests + 1
      const isDue = nowMs - before.writtenMs >= WRITE_EVERY_MS
      putLast(known, key, isDue ? { requests: 0, writtenMs: nowMs } : { ...before, requests }, MAX_SERVERS)
      if (isDue) deps.write(tokenHash, { requests, last }).catch(deps.onTrouble)
    },
  }
}
