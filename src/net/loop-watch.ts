const TICK_MS = 20
/** Lateness that is ordinary on a busy machine. */
const TOLERANCE_MS = 20

/** Told how long each stall was, when it is over. */
type OnStall = (stallMs: number) => void

/** Knows how long this process's event loop stood still while somebody was watching. */
export type LoopWatch = {
  /** Starts watching. The returned function tells the milliseconds stalled since then. */
  start(onStall: OnStall): () => number
  /** Once for each start(), with its function; the ticking ends with the last one. */
  stop(onStall: OnStall): void
}

/** A tick every 20 ms while there is an attempt to judge: 0.3 % of a core. */
export function createLoopWatch(monotonicMs: () => number): LoopWatch {
  const watchers = new Set<OnStall>()
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0
  let stalled = 0

  /** How long the loop stands still by now: a tick that is overdue counts. */
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
