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
  const watchers = new Set<OnStall>()
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
      if (watchers.size === 0) {
        lastTick = monotonicMs()
        timer = setInterval(tick, TICK_MS).unref()
      }
      watchers.add(onStall)
      const before = total()
      return () => total() - before
    },
    stop(onStall) {
      watchers.delete(onStall)
      if (watchers.size === 0) clearInterval(timer)
    },
  }
}
