import { deadline } from '../heartbeat.ts'
import type { PingMark } from '../ping.ts'

/** The pings of a job since its oldest run that may be under way, oldest first, and how long a run may take. */
export type JobRuns = { pings: readonly PingMark[]; maxSeconds: number }

/** When the first of the runs under way has taken too long, of those that have time left at `at`; null without one. */
export function endOfRuns(runs: JobRuns, at: Date): Date | null {
  return limitsOf(runs).find((limit) => limit > at) ?? null
}

/** Whether a run reached its limit after `since`, up to `at`, and has not ended. */
export function isOverrun(runs: JobRuns, { since, at }: { since: Date | null; at: Date }): boolean {
  return limitsOf(runs).some((limit) => limit <= at && (since === null || limit > since))
}

/**
 * The limits of runs that have not ended, in order. A run that starts again before it ended goes on, so that a job that crashes
 * and starts again all the time reaches its limit; one that begins after that is another.
 */
function limitsOf({ pings, maxSeconds }: JobRuns): Date[] {
  const begun = new Map<string | null, Date>()
  for (const { kind, runId, receivedAt } of pings) {
    const before = begun.get(runId)
    if (kind === 'success' || kind === 'fail') begun.delete(runId)
    if (kind === 'start' && !(before && receivedAt <= deadline(before, maxSeconds)))
      begun.set(runId, receivedAt)
  }
  return [...begun.values()]
    .map((started) => deadline(started, maxSeconds))
    .sort((one, other) => one.getTime() - other.getTime())
}
