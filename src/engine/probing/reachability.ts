import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'

const PERIOD_MS = 500
/** More than the leader tolerates as a gap: otherwise short ones would add up until a job that pings is late. */
const ANSWERS_AFTER_TROUBLE = 7

/**
 * Finds out twice a second whether jobs can reach this process, and reports it. After a request without an answer jobs
 * count as unable to until several in a row were answered: where some get through, others do not. A process that could
 * never reach itself, for example behind its own firewall, has no evidence and reports that jobs can.
 */
export function watchReachability(
  deps: {
    /** Whether a request to our own port is answered. */
    reach: () => Promise<boolean>
    /** Tells the leader. */
    say: () => Promise<void>
    periodMs?: number
  } & LoopReports,
): Loop {
  let wasReached = false
  /** Answers that are missing until jobs count as able to reach us again. */
  let missing = 0

  return startLoop({
    ...deps,
    async work() {
      const isReached = await deps.reach()
      wasReached ||= isReached
      if (isReached) missing = Math.max(0, missing - 1)
      else if (wasReached) missing = ANSWERS_AFTER_TROUBLE
      if (missing === 0) await deps.say().catch(deps.onTrouble)
      return deps.periodMs ?? PERIOD_MS
    },
  })
}
