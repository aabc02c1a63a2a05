import { setTimeout as delay } from 'node:timers/promises'

const PERIOD_MS = 500

/**
 * Finds out twice a second whether jobs can reach this process, and reports it. A process that could never reach
 * itself, for example behind its own firewall, has no evidence and reports that jobs can.
 */
export function watchReachability(deps: {
  /** Whether a connection to our own port succeeds. */
  reach: () => Promise<boolean>
  /** Tells the leader. */
  say: () => Promise<void>
  onTrouble: (error: unknown) => void
  periodMs?: number
}): { close(): Promise<void> } {
  const stop = new AbortController()
  let wasReached = false

  async function watch() {
    while (!stop.signal.aborted) {
      const isReached = await deps.reach()
      wasReached ||= isReached
      if (isReached || !wasReached) await deps.say().catch(deps.onTrouble)
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
