const TICK_MS = 20
/** Lateness that is ordinary on a busy machine. */
const TOLERANCE_MS = 20

/** Knows how long this process's event loop stood still while somebody was watching. */
export type LoopWatch = {
  /** Starts watching. The returned function tells the milliseconds stalled since then. */
  start(): () => number
  /** Once for each start(); the ticking ends with the last one. */
  stop(): void
}

/** A tick every 20 ms while there is an attempt to judge: 0.3 % of a core. */
export function createLoopWatch(monotonicMs: () => number): LoopWatch {
  let watchers = 0
  let timer: NodeJS.Timeout | undefined
  let lastTick = 0
  let stalled = 0

  /** Stalled so far, a tick that is overdue right now included. */
  const total = () => {
    const late = monotonicMs() - lastTick - TICK_MS
    return stalled + (late > TOLERANCE_MS ? late : 0)
  }
  const tick = () => {
    stalled = total()
    lastTick = monotonicMs()
  }

  return {
    start() {
      if (watchers++ === 0) {
        lastTick = monotonicMs()
        timer = setInterval(tick, TICK_MS).unref()
      }
      const before = total()
      return () => total() - before
    },
    stop() {
      if (--watchers === 0) clearInterval(timer)
    },
  }
}
