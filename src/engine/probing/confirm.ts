import type { CheckResult } from '../../core/monitors/check.ts'
import {
  AGAIN_AFTER_MS,
  ANSWER_MARGIN_MS,
  CLAIM_WITHIN_MS,
  conclude,
  confirmersOf,
  type KnownStatus,
  needsConfirmation,
  type RegionalAttempt,
} from '../../core/monitors/confirmation.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { waitUnlessAborted } from '../../postgres/delays.ts'
import type { ConfirmationRequests } from '../../store/probing/confirmations.ts'
import type { MonitorToCheck } from '../../store/probing/schedule.ts'
import type { Assignment } from './assignment.ts'

/** How often the region that asked looks for answers. */
const ANSWER_POLL_MS = 100

/** A check whose first attempt failed. */
export type FailedCheck = {
  monitor: MonitorToCheck
  settings: ProbeSettings
  first: RegionalAttempt
  assignment: Assignment
}

/** Decides what a check came to whose first attempt failed. */
export type Confirm = (failed: FailedCheck, signal: AbortSignal) => Promise<RegionalAttempt>

/**
 * Confirms failures: other regions are asked at once, and this one tries again for each that is not there or does not
 * answer. The first attempt that passes ends it. Only checks under way are in memory: when the process dies, its
 * requests go with it, and the next check begins anew.
 */
export function createConfirm(deps: {
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  confirmations: ConfirmationRequests
  nowMs: () => number
  onTrouble: (error: unknown) => void
}): Confirm {
  const { confirmations } = deps

  return async function confirm({ monitor, settings, first, assignment }, signal) {
    const wanted = monitor.confirmations
    if (!needsConfirmation(await knownOf(monitor.id), first.result.status, wanted)) return first
    const enough = new AbortController()
    const ended = AbortSignal.any([signal, enough.signal])
    const attempts: RegionalAttempt[] = []

    function take(attempt: RegionalAttempt) {
      attempts.push(attempt)
      if (attempt.result.status !== 'down') enough.abort()
    }

    async function tryAgain(times: number) {
      for (let time = 0; time < times; time++) {
        await waitUnlessAborted(ended, AGAIN_AFTER_MS)
        if (ended.aborted) return
        const result = await deps.probe(settings, ended)
        if (!ended.aborted) take({ region: first.region, result })
      }
    }

    const access = { ownRegions: monitor.own_regions }
    const regions =
      assignment.membership === null
        ? []
        : confirmersOf(assignment.turns, first.region, wanted, deps.nowMs(), access)
    await Promise.all([
      tryAgain(wanted - regions.length),
      askElsewhere({ monitor, membership: assignment.membership, regions }, ended, take),
    ])
    if (!ended.aborted) await tryAgain(wanted - attempts.length)
    return conclude(first, attempts)
  }

  async function knownOf(monitorId: number): Promise<KnownStatus> {
    return confirmations.knownOf(monitorId).catch((error) => {
      deps.onTrouble(error)
      return null
    })
  }

  /** Resolves when every region has answered that may be expected to. An attempt that was not judged is no answer. */
  async function askElsewhere(
    {
      monitor,
      membership,
      regions,
    }: { monitor: MonitorToCheck; membership: number | null; regions: string[] },
    ended: AbortSignal,
    take: (attempt: RegionalAttempt) => void,
  ): Promise<void> {
    if (regions.length === 0 || membership === null) return
    const { id: monitorId, revision } = monitor
    const forMs = monitor.request_timeout_seconds * 1_000 + ANSWER_MARGIN_MS
    const sinceMs = deps.nowMs()
    let ids: number[] = []
    try {
      ids = await confirmations.request({ monitorId, revision, membership, regions, forMs })
      for (let open = ids; open.length > 0 && !ended.aborted; ) {
        await waitUnlessAborted(ended, ANSWER_POLL_MS)
        const waitedMs = deps.nowMs() - sinceMs
        const requested = await confirmations.readAttempts(open)
        for (const { attempt } of requested) if (attempt && attempt.result.status !== 'pending') take(attempt)
        open = requested
          .filter(({ attempt, isTaken }) => !attempt && waitedMs < (isTaken ? forMs : CLAIM_WITHIN_MS))
          .map(({ id }) => id)
      }
    } catch (error) {
      deps.onTrouble(error)
    } finally {
      if (ids.length > 0) await confirmations.withdraw(ids).catch(deps.onTrouble)
    }
  }
}
