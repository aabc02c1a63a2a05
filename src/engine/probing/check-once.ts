import { ofSeveralChecks } from '../../core/expectations/response-times.ts'
import { type CheckResult, passes, resultWithout } from '../../core/monitors/check.ts'
import type { RegionalAttempt } from '../../core/monitors/confirmation.ts'
import { silenceCause } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import { steadyWaitMs } from '../../core/probing/steady-wait.ts'
import { isShared } from '../../core/probing/turns.ts'
import type { Overruns } from '../../store/probing/overruns.ts'
import type { MonitorToCheck } from '../../store/probing/schedule.ts'
import type { Recorder } from '../recording/finding.ts'
import type { Assignment } from './assignment.ts'
import type { Confirm } from './confirm.ts'
import { type KeptMonitor, monitorToCheck } from './kept-monitor.ts'
import { guardOverrun, isTooLate } from './overrun.ts'
import {
  maxCheckMs,
  nextTick,
  patienceOfMonitor,
  type RunningCheck,
  type ScheduleEntry,
} from './schedule-entry.ts'

const FIRST_RETRY_MS = 1_000
/** A ping that came in time may not be written yet when a thread or a database stood still for longer than this. */
export const SILENCE_TOLERANCE_MS = 250
export const SILENCE_RETRY_MS = 500
/** Where everything is late all the time, silence is recorded all the same. */
export const MAX_DOUBTS = 10

export type CheckDeps = {
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  /** Opens the sealed secrets of a monitor for one check. */
  settingsOf: (monitor: MonitorToCheck) => ProbeSettings
  recorder: Recorder
  region: string | null
  now: () => Date
  note?: (outcome: CheckOutcome) => void
  /** Receives each check made here that passes. */
  passed?: (monitor: KeptMonitor, result: CheckResult) => void
  onTrouble: (error: unknown) => void
  /** Needed where teams want failures confirmed. */
  confirm?: Confirm
  /** Needed where regions take turns. */
  overruns?: Overruns
}

/** One check, as it is counted. */
export type CheckOutcome = {
  type: MonitorToCheck['type']
  status: CheckResult['status']
  /** From the time it was due to its start. */
  lateMs: number
  /** Until it was judged; null for a silence, which takes no time. */
  tookMs: number | null
}

export type Checker = {
  /** Checks a monitor and records the result; returns when to check again, or null for its next tick. */
  checkOnce(entry: ScheduleEntry, running: RunningCheck, lateMs: number): Promise<number | null>
  /** Keeps other regions from checking while this check takes longer than its turn. */
  guardOverrun(entry: ScheduleEntry, running: RunningCheck): void
}

/** Checks targets and records the silence of heartbeats, one check at a time, on the terms of `assignment`. */
export function createChecker(deps: CheckDeps, assignment: () => Assignment): Checker {
  const region = deps.region ?? ''
  let lastTrouble: unknown

  const nowMs = () => deps.now().getTime()

  async function check(entry: ScheduleEntry, running: RunningCheck, lateMs: number): Promise<number | null> {
    const { signal } = running.controller
    const { membership } = assignment()
    if (await belongsToOthers(entry, running)) return null
    const checkedAt = deps.now()
    const { region: seenFrom, result } = await probeAndConfirm(entry, signal)
    if (signal.aborted) return null
    running.judged = result.status !== 'pending'
    const tookMs = nowMs() - checkedAt.getTime()
    const { id, revision, shared } = entry.monitor
    deps.note?.({ type: shared.type, status: result.status, lateMs, tookMs })
    if (passes(result.status) && seenFrom === region) deps.passed?.(entry.monitor, result)
    const isSteady = entry.wasUp && result.status === 'up' && result.note === undefined
    const patience = patienceOfMonitor(shared)
    const { isAttempt } = await deps.recorder.record({
      membership,
      monitorId: id,
      revision,
      checkedAt,
      region: seenFrom || null,
      result,
      heartbeat: null,
      ping: null,
      patience,
      assertions: ofSeveralChecks(shared.options?.assertions),
      waitsMs: isSteady ? steadyWaitMs(shared.interval_seconds) : 0,
    })
    entry.wasUp = result.status === 'up'
    if (result.status !== 'pending') {
      entry.unjudged = 0
      return isAttempt ? againAt(entry, patience.retryMs) : null
    }
    // Our own trouble: again at once, then less and less often until the next regular check.
    const waitMs = entry.unjudged === 0 ? 0 : FIRST_RETRY_MS * 2 ** Math.min(entry.unjudged - 1, 20)
    entry.unjudged++
    const againMs = nowMs() + waitMs
    return againMs < nextTick(entry, nowMs()) ? againMs : null
  }

  /** When the next attempt is made; where regions take turns, whoever has the next tick makes one that is due after it. */
  function againAt(entry: ScheduleEntry, retryMs: number): number | null {
    const againMs = nowMs() + retryMs
    return isShared(assignment().turns, region) && againMs >= nextTick(entry, nowMs()) ? null : againMs
  }

  /** A failure is tried again, here or elsewhere, where the team wants that. */
  async function probeAndConfirm(entry: ScheduleEntry, signal: AbortSignal): Promise<RegionalAttempt> {
    const settings = deps.settingsOf(monitorToCheck(entry.monitor))
    const first = { region, result: await deps.probe(settings, signal) }
    if (first.result.status !== 'down' || signal.aborted || !deps.confirm) return first
    // As its team wants it now.
    const monitor = monitorToCheck(entry.monitor)
    const { confirmations } = patienceOfMonitor(monitor)
    if (confirmations === 0) return first
    const failed = { monitor: { ...monitor, confirmations }, settings, first, assignment: assignment() }
    return deps.confirm(failed, signal)
  }

  /** Where regions take turns: whether another one is still checking, or about to. */
  async function belongsToOthers(entry: ScheduleEntry, running: RunningCheck): Promise<boolean> {
    const { membership, turns } = assignment()
    if (!deps.overruns || membership === null || !isShared(turns, region)) return false
    const turnMs = nextTick(entry, nowMs())
    if (isTooLate(nowMs(), turnMs)) return true
    const isBusy = await deps.overruns.isBusy(entry.monitor.id, membership).catch((error) => {
      // Calls that shared a statement fail together: the error is reported once.
      if (error !== lastTrouble) deps.onTrouble(error)
      lastTrouble = error
      return true
    })
    // The answer may have taken its time.
    if (isBusy || isTooLate(nowMs(), turnMs)) return true
    guard(entry, running)
    return running.controller.signal.aborted
  }

  function guard(entry: ScheduleEntry, running: RunningCheck) {
    const { monitor } = entry
    const { membership } = assignment()
    if (!deps.overruns || membership === null || running.overrun || running.judged) return
    const check = {
      monitorId: monitor.id,
      timeoutMs: maxCheckMs(monitor),
      membership,
      turnMs: nextTick(entry, nowMs()),
      giveUp: () => running.controller.abort(),
    }
    running.overrun = guardOverrun(check, deps.overruns, nowMs, deps.onTrouble)
  }

  async function recordSilence(entry: ScheduleEntry, lateMs: number): Promise<number | null> {
    const { id, revision, shared } = entry.monitor
    const checkedAt = deps.now()
    const doubts = entry.unjudged
    const terms = { intervalSeconds: shared.interval_seconds, options: shared.options }
    const { kind, heartbeatDueAt } = await deps.recorder.record({
      monitorId: id,
      revision,
      checkedAt,
      region: deps.region,
      result: resultWithout('down', silenceCause(terms, new Date(entry.dueMs))),
      heartbeat: 'silence',
      ping: null,
      stillTrue: () => doubts >= MAX_DOUBTS || nowMs() - checkedAt.getTime() <= SILENCE_TOLERANCE_MS,
    })
    const dueMs = heartbeatDueAt?.getTime() ?? null
    // A deadline that moved is no doubt.
    entry.unjudged = kind === 'stale' && (dueMs === null || dueMs <= nowMs()) ? doubts + 1 : 0
    if (kind === 'recorded') deps.note?.({ type: shared.type, status: 'down', lateMs, tookMs: null })
    return kind === 'stale' && dueMs !== null ? Math.max(dueMs, nowMs() + SILENCE_RETRY_MS) : dueMs
  }

  return {
    checkOnce: (entry, running, lateMs) =>
      entry.monitor.shared.type === 'heartbeat'
        ? recordSilence(entry, lateMs)
        : check(entry, running, lateMs),
    guardOverrun: guard,
  }
}
