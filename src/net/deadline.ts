import { isSilenceHeard, mayBeOvertaken, moreTimeMs, type TimeSpent } from '../core/probing/time-limit.ts'
import type { LoopWatch } from './loop-watch.ts'

/**
 * Why a deadline ended the attempt. `expired`: time ran out, and the silent peer is to blame. `stalled`: this process
 * was too busy to tell. `cancelled`: the caller gave up.
 */
export type DeadlineEnd = 'expired' | 'stalled' | 'cancelled'

export type Deadline = {
  /** Aborts when the deadline ends, for any reason. */
  readonly signal: AbortSignal
  /** Null while there is time left. */
  end(): DeadlineEnd | null
  /**
   * Records progress, now or at `atMs` of performance.now(): something awaited arrived, and the rest may take its time.
   */
  progress(atMs?: number): void
  /** Excludes time that was not the target's, such as a look-up by our own name servers. */
  forgive(ms: number): void
  /** Whether a failure may be caused by a stall of this process. */
  isOvertaken(): boolean
  /** Must be called when the attempt is over. */
  stop(): void
}

/**
 * One time limit for everything an attempt does; ends early when `caller` aborts. Time in which this process stalled
 * extends it by the same amount, at most by the limit itself.
 */
export function startDeadline(limitMs: number, caller: AbortSignal, loop: LoopWatch): Deadline {
  const controller = new AbortController()
  const startedAt = performance.now()
  let progressAt = startedAt
  let knownStallsMs = 0
  let longStall = { stallMs: 0, endedAt: startedAt }
  let movedMs = 0
  let forgivenMs = 0
  let over: { spent: TimeSpent; at: number } | 'cancelled' | null = null
  let turn: NodeJS.Immediate | undefined
  let stopped = false

  const onStall = (stallMs: number) => {
    const oursMs = Math.min(stallMs, performance.now() - startedAt)
    knownStallsMs += oursMs
    if (mayBeOvertaken(limitMs, { stallMs: oursMs, agoMs: 0 }))
      longStall = { stallMs: oursMs, endedAt: performance.now() }
  }
  const stalledMs = loop.start(onStall)
  const spent = (): TimeSpent => ({
    limitMs,
    elapsedMs: performance.now() - startedAt,
    stalledMs: stalledMs() + forgivenMs,
    movedMs,
  })
  const finish = (end: typeof over) => {
    if (over !== null || stopped) return
    over = end
    controller.abort()
  }
  const timeIsUp = () => {
    const now = spent()
    const moreMs = moreTimeMs(now)
    movedMs += moreMs
    if (moreMs > 0) timer = setTimeout(timeIsUp, moreMs)
    else readFirst(() => finish({ spent: now, at: performance.now() }))
  }
  /** An answer that arrived during a stall waits in the kernel: two turns of the event loop let it be read first. */
  const readFirst = (then: () => void) => {
    turn = setImmediate(() => {
      turn = setImmediate(then)
    })
  }
  const cancel = () => finish('cancelled')
  let timer = setTimeout(timeIsUp, limitMs)
  if (caller.aborted) cancel()
  else caller.addEventListener('abort', cancel, { once: true })

  return {
    signal: controller.signal,
    end() {
      if (over === null || over === 'cancelled') return over
      return isSilenceHeard(over.spent, over.at - progressAt) ? 'expired' : 'stalled'
    },
    progress(atMs = performance.now()) {
      progressAt = Math.max(progressAt, atMs)
    },
    forgive(ms) {
      forgivenMs += ms
    },
    isOvertaken() {
      const { stallMs, endedAt } = longStall
      const standing = { stallMs: stalledMs() - knownStallsMs, agoMs: 0 }
      const over = { stallMs, agoMs: performance.now() - endedAt }
      return mayBeOvertaken(limitMs, standing) || mayBeOvertaken(limitMs, over)
    },
    stop() {
      if (stopped) return
      stopped = true
      clearTimeout(timer)
      clearImmediate(turn)
      caller.removeEventListener('abort', cancel)
      loop.stop(onStall)
    },
  }
}
