import { isSilenceHeard, mayBeOvertaken, moreTimeMs, type TimeSpent } from '../core/probing/time-limit.ts'
import type { LoopWatch } from './loop-watch.ts'

/**
 * Why a deadline ended the attempt. `expired`: the time was up, and whoever was silent is to blame; `stalled`: this
 * process listened too little to know; `cancelled`: the caller lost interest.
 */
export type DeadlineEnd = 'expired' | 'stalled' | 'cancelled'

export type Deadline = {
  /** Aborts at the end, whatever the reason. */
  readonly signal: AbortSignal
  /** Null while there is time left. */
  end(): DeadlineEnd | null
  /** Notes that something came that was waited for, now or at `atMs` of performance.now(): the rest may take its time. */
  progress(atMs?: number): void
  /** Notes time that was not the target's, a look-up by our own name servers say: it counts as not listened to. */
  forgive(ms: number): void
  /** Whether what fails may fail because this process stood still. */
  isOvertaken(): boolean
  /** Must be called when the attempt is over. */
  stop(): void
}

/**
 * One limit over everything an attempt does, that ends early when `caller` aborts. Time in which this process did not
 * listen moves it by as much, at most by the limit itself.
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
  /** An answer that arrived while we were stalled waits in the kernel: two turns of the loop let it be read first. */
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
