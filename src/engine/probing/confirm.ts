import type { CheckResult } from '../../core/monitors/check.ts'
import {
  AGAIN_AFTER_MS,
  ANSWER_MARGIN_MS,
  CLAIM_WITHIN_MS,
  conclude,
  confirmersOf,
  type Known,
  needsConfirmation,
  type RegionalAttempt,
} from '../../core/monitors/confirmation.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { Confirmations } from '../../store/probing/confirmations.ts'
import type { ScheduledMonitor } from '../../store/probing/schedule.ts'
import { elapseUnless } from '../delays.ts'
import type { Duty } from './duty.ts'

/** How often whoever asked looks for answers. */
const LOOK_MS = 100

/** A check whose first attempt failed. */
export type Failed = {
  monitor: ScheduledMonitor
  settings: ProbeSettings
  first: RegionalAttempt
  duty: Duty
}

/** Says what a check came to that failed at first. */
export type Confirm = (failed: Failed, signal: AbortSignal) => Promise<RegionalAttempt>

/**
 * Confirms failures: other regions are asked at once, and for each that is not there, or does not answer, this one
 * tries again. The first attempt that passes ends it. Nothing is kept here but what is under way: when the process
 * dies, what it asked for goes with it, and the next check begins anew.
 */
export function createConfirm(deps: {
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  confirmations: Confirmations
  nowMs: () => number
  onTrouble: (error: unknown) => void
}): Confirm {
  const { confirmations } = deps

  return async function confirm({ monitor, settings, first, duty }, signal) {
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
        await elapseUnless(ended, AGAIN_AFTER_MS)
        if (ended.aborted) return
        const result = await deps.probe(settings, ended)
        if (!ended.aborted) take({ region: first.region, result })
      }
    }

    const openness = { ownRegions: monitor.own_regions }
    const regions =
      duty.membership === null ? [] : confirmersOf(duty.turns, first.region, wanted, deps.nowMs(), openness)
    await Promise.all([
      tryAgain(wanted - regions.length),
      askElsewhere({ monitor, duty, regions }, ended, take),
    ])
    if (!ended.aborted) await tryAgain(wanted - attempts.length)
    return conclude(first, attempts)
  }

  async function knownOf(monitorId: number): Promise<Known> {
    return confirmations.knownOf(monitorId).catch((error) => {
      deps.onTrouble(error)
      return null
    })
  }

  /** Until all have answered that may be expected to. What a region could not judge is no answer. */
  async function askElsewhere(
    { monitor, duty, regions }: Pick<Failed, 'monitor' | 'duty'> & { regions: string[] },
    ended: AbortSignal,
    take: (attempt: RegionalAttempt) => void,
  ): Promise<void> {
    if (regions.length === 0 || duty.membership === null) return
    const { id: monitorId, revision } = monitor
    const forMs = monitor.request_timeout_seconds * 1_000 + ANSWER_MARGIN_MS
    const sinceMs = deps.nowMs()
    let ids: number[] = []
    try {
      ids = await confirmations.ask({ monitorId, revision, membership: duty.membership, regions, forMs })
      for (let open = ids; open.length > 0 && !ended.aborted; ) {
        await elapseUnless(ended, LOOK_MS)
        const waitedMs = deps.nowMs() - sinceMs
        const asked = await confirmations.look(open)
        for (const { attempt } of asked) if (attempt && attempt.result.status !== 'pending') take(attempt)
        open = asked
          .filter(({ attempt, isTaken }) => !attempt && waitedMs < (isTaken ? forMs : CLAIM_WITHIN_MS))
          .map(({ id }) => id)
      }
    } catch (error) {
      deps.onTrouble(error)
    } finally {
      if (ids.length > 0) confirmations.withdraw(ids).catch(deps.onTrouble)
    }
  }
}
