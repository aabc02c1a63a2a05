import { setTimeout as delay } from 'node:timers/promises'
import type { LoopReports } from '../loops.ts'

const PERIOD_MS = 500

/**
 * Finds out twice a second whether jobs can reach this process, and reports it. A process that could never reach
 * itself, for example behind its own firewall, has no evidence and reports that jobs can.
 */
export function watchReachability(
  deps: {
    /** Whether a connection to our own port succeeds. */
    reach: () => Promise<boolean>
    /** Tells the leader. */
    say: () => Promise<void>
    periodMs?: number
  } & LoopReports,
): { close(): Promise<void> } {
  const stop = new AbortController()
  let wasReached = false

  async function watch() {
    while (!stop.signal.aborted) {
      const isReached = await deps.reach()
      wasReached ||= isReached
      if (isReached || !wasReached) await deps.say().catch(deps.onTrouble)
      deps.onRound?.()
      await delay(deps.periodMs ?? PERIOD_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  const watching = watch()
  return {
    async close() {
      stop.abort()
      await watching
    },
  }
}
