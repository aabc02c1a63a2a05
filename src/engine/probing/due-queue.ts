import { DueHeap } from './due-heap.ts'

const MAX_SLEEP_MS = 1_000

export type DueQueue = {
  push(dueMs: number, id: number): void
  /** Starts what is due and waits again, after room was made. */
  wake(): void
  close(): void
}

/** Calls `start` when an entry is due, while there is room. One timer serves all entries. */
export function createDueQueue(deps: {
  nowMs: () => number
  hasRoom: () => boolean
  start: (due: { id: number; dueMs: number; nowMs: number }) => void
}): DueQueue {
  const heap = new DueHeap()
  let timer: NodeJS.Timeout | undefined
  let armedForMs = Number.POSITIVE_INFINITY
  let closed = false

  /** Never sleeps for long, so that a clock that is set does not matter. */
  function arm() {
    clearTimeout(timer)
    armedForMs = Number.POSITIVE_INFINITY
    if (closed || !deps.hasRoom()) return
    const now = deps.nowMs()
    armedForMs = Math.min(Math.max(heap.earliest, now), now + MAX_SLEEP_MS)
    timer = setTimeout(startDue, armedForMs - now)
  }

  function startDue() {
    const nowMs = deps.nowMs()
    while (heap.earliest <= nowMs && deps.hasRoom()) {
      const dueMs = heap.earliest
      deps.start({ id: heap.pop() as number, dueMs, nowMs })
    }
    arm()
  }

  return {
    push(dueMs, id) {
      heap.push(dueMs, id)
      if (dueMs < armedForMs) arm()
    },
    wake: arm,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
