import { waitUnlessAborted } from './delays.ts'

/** The pause after a round that failed. */
const TROUBLE_MS = 1_000

/** When a loop begins, and how it reports. */
export type LoopReports = {
  /** The first round waits for this; without it, it begins at once. */
  begins?: Promise<void> | undefined
  onTrouble: (error: unknown) => void
  /** A round is over. It was a good one if there was no trouble since the last. */
  onRound?: (() => void) | undefined
  /** It does not run any more: it is in no trouble. */
  onEnd?: (() => void) | undefined
}

export type Loop = {
  /** There may be something to do: the next round begins at once, or as soon as the one under way is over. */
  wake(): void
  /** Begins no other round, and resolves once the one under way is over. */
  close(): Promise<void>
}

/** `isWoken`: the pause before was ended by a call. `stopped` aborts when the loop is closed. */
export type Round = { isWoken: boolean; stopped: AbortSignal }

/**
 * Works in rounds until it is closed. `work` resolves to for how many milliseconds there is
 * nothing to do; a time that has passed is none. Trouble is reported and ends a round, never the loop.
 */
export function startLoop(
  deps: { work: (round: Round) => Promise<number>; troubleMs?: number } & LoopReports,
): Loop {
  const { work, troubleMs = TROUBLE_MS, begins, onTrouble, onRound, onEnd } = deps
  const stop = new AbortController()
  const { promise: stopped, resolve: nowStopped } = Promise.withResolvers<void>()
  let pause = new AbortController()

  async function workUntilStopped() {
    if (begins !== undefined) await Promise.race([begins, stopped])
    while (!stop.signal.aborted) {
      const isWoken = pause.signal.aborted
      pause = new AbortController()
      const pauseMs = await work({ isWoken, stopped: stop.signal }).catch((error) => {
        onTrouble(error)
        return troubleMs
      })
      onRound?.()
      await waitUnlessAborted(pause.signal, Math.max(0, pauseMs))
    }
    onEnd?.()
  }

  const running = workUntilStopped()
  return {
    wake: () => pause.abort(),
    async close() {
      stop.abort()
      nowStopped()
      pause.abort()
      await running
    },
  }
}
