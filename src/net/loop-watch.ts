const TICK_MS = 20
/** Normal lateness on a busy machine. */
const TOLERANCE_MS = 20

/** Called with the length of each stall once it is over. */
type OnStall = (stallMs: number) => void

/** Measures how long this process's event loop stalled while at least one watcher was active. */
export type LoopWatch = {
  /** Starts watching. The returned function gives the milliseconds stalled since then. */
  start(onStall: OnStall): () => number
  /** Call once per start(), with the same function; the timer stops with the last watcher. */
  stop(onStall: OnStall): void
}

/** Ticks every 20 ms while an attempt is under way: 0.3 % of a core. */
export function createLoopWatch(monotonicMs: () => number): LoopWatch {
  /**
   * No Set: V8 links the table that a Set has outgrown to the next one, so that the attempts of then stay, with all that
   * they lead to, until the old part of the heap is collected.
   */
  const watchers: OnStall[] = []
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0
  let stalled = 0

  /** The length of the current stall: an overdue tick counts. */
  const standing = () => {
    const late = monotonicMs() - lastTick - TICK_MS
    return late > TOLERANCE_MS ? late : 0
  }
  const total = () => stalled + standing()
  const tick = () => {
    const stall = standing()
    stalled += stall
    lastTick = monotonicMs()
    if (stall > 0) for (const onStall of watchers) onStall(stall)
  }

  return {
    start(onStall) {
      if (watchers.length === 0) {
        lastTick = monotonicMs()
        timer = setInterval(tick, TICK_MS).unref()
      }
      watchers.push(onStall)
      const before = total()
      return () => total() - before
    },
    stop(onStall) {
      const index = watchers.indexOf(onStall)
      if (index < 0) return
      const last = watchers.pop()
      if (last !== undefined && last !== onStall) watchers[index] = last
      if (watchers.length === 0) clearInterval(timer)
    },
  }
}
