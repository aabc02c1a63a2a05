import type { LoopWatch } from './loop-watch.ts'

/** A stall shorter than this, or than a tenth of the limit, changes no verdict. */
const STALL_MARGIN_MS = 250
const STALL_MARGIN_SHARE = 0.1

/**
 * Why a deadline ended the attempt. `expired`: the time was up and this process had listened all along;
 * `stalled`: it had not, so nothing is known of the target; `cancelled`: the caller lost interest.
 */
export type DeadlineEnd = 'expired' | 'stalled' | 'cancelled'

export type Deadline = {
  /** Aborts at the end, whatever the reason. */
  readonly signal: AbortSignal
  /** Null while there is time left. */
  end(): DeadlineEnd | null
  /** Must be called when the attempt is over. */
  stop(): void
}

/** One limit over everything an attempt does, that ends early when `caller` aborts. */
export function startDeadline(limitMs: number, caller: AbortSignal, loop: LoopWatch): Deadline {
  const controller = new AbortController()
  const stalledMs = loop.start()
  let end: DeadlineEnd | null = null
  let turn: NodeJS.Immediate | undefined
  let stopped = false

  const finish = (reason: DeadlineEnd) => {
    if (end !== null || stopped) return
    end = reason
    controller.abort()
  }
  // An answer that arrived while we were stalled waits in the kernel: two turns of the loop let it be read first.
  const timeIsUp = () => {
    const reason = stalledMs() > stallMargin(limitMs) ? 'stalled' : 'expired'
    turn = setImmediate(() => {
      turn = setImmediate(() => finish(reason))
    })
  }
  const cancel = () => finish('cancelled')
  const timer = setTimeout(timeIsUp, limitMs)
  if (caller.aborted) cancel()
  else caller.addEventListener('abort', cancel, { once: true })

  return {
    signal: controller.signal,
    end: () => end,
    stop() {
      if (stopped) return
      stopped = true
      clearTimeout(timer)
      clearImmediate(turn)
      caller.removeEventListener('abort', cancel)
      loop.stop()
    },
  }
}

function stallMargin(limitMs: number): number {
  return Math.max(STALL_MARGIN_MS, limitMs * STALL_MARGIN_SHARE)
}
