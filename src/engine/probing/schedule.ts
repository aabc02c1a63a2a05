import { isShared, turnsOfOnly } from '../../core/probing/turns.ts'
import { createKeptBack } from '../../core/sharing/kept-back.ts'
import { createPlaces } from '../../core/sharing/share.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import { NotRecorded } from '../recording/batches.ts'
import type { Assignment } from './assignment.ts'
import {
  type CheckDeps,
  createChecker,
  MAX_DOUBTS,
  SILENCE_RETRY_MS,
  SILENCE_TOLERANCE_MS,
} from './check-once.ts'
import { createDueQueue } from './due-queue.ts'
import { firstCheck, refresh } from './first-check.ts'
import { createMonitorKeeper } from './kept-monitor.ts'
import { createEndedGuards } from './overrun.ts'
import { createScheduleEntries } from './schedule-entries.ts'
import {
  answersHere,
  entryOf,
  hasTurn,
  type NextCheck,
  nextTick,
  type RunningCheck,
  type ScheduleEntry,
  yieldsTick,
} from './schedule-entry.ts'
import { createScheduleLeaving, type ScheduleLeaving } from './schedule-leaving.ts'

/** A heartbeat's silence is not believed while the service itself was not seen working. */
const PULSE_TOLERANCE_MS = 3_000
/** How often the pulse is looked for meanwhile. */
const PULSE_RETRY_MS = 1_000
/** How often a process without a valid assignment tries again. */
const IDLE_MS = 250

export type Scheduler = Pick<ScheduleLeaving, 'release' | 'handOver'> & {
  /**
   * Takes monitors over; all others in these slots (all others, where no slots are named) stop. `nextChecks` come from
   * the schedulers that gave monitors up: checks that fell due on the way are made at once.
   */
  load(monitors: ScheduledMonitor[], nextChecks?: NextCheck[], slots?: number[]): void
  assign(assignment: Assignment): void
  /** Plans anew: the clock was set. */
  replan(): void
  /** Takes changes of people; they take effect at once. */
  apply(changes: ScheduleChange[]): void
  /** Says that the service was seen working at this time. */
  pulse(nowMs: number): void
  readonly size: number
  readonly underWay: number
  /** Cancels the checks under way and resolves when none is. */
  close(): Promise<void>
}

/** Keeps the schedule in memory and starts each check when it is due, one at a time per monitor. */
export function createScheduler(deps: CheckDeps): Scheduler {
  const region = deps.region ?? ''
  const entries = createScheduleEntries()
  const keep = createMonitorKeeper()
  const underWay = new Set<Promise<void>>()
  const guards = createEndedGuards()
  const places = createPlaces('checks')
  const withoutPlace = createKeptBack(places)
  let lastPulseMs = 0
  let assignment = unassigned(region)
  let closed = false

  const nowMs = () => deps.now().getTime()
  const context = () => ({ turns: assignment.turns, region, nowMs: nowMs() })
  const leaving = createScheduleLeaving(entries, nowMs)
  const checker = createChecker(deps, () => assignment)
  const queue = createDueQueue({
    nowMs,
    hasRoom: () => places.free > 0,
    start({ id, dueMs, nowMs }) {
      const entry = entries.get(id)
      if (entry && entry.dueMs === dueMs && !entry.running) startOrPostpone(entry, nowMs)
    },
  })

  function planTick(entry: ScheduleEntry) {
    const tickMs = nextTick(entry, nowMs())
    plan(entry, tickMs, tickMs)
  }

  function plan(entry: ScheduleEntry, dueMs: number, tickMs: number | null = null) {
    entry.dueMs = dueMs
    entry.tickMs = tickMs
    entries.put(entry)
    queue.push(dueMs, entry.monitor.id)
  }

  function startOrPostpone(entry: ScheduleEntry, now: number) {
    if (entry.dueMs >= leaving.fromMs(entry.monitor.slot)) return
    if (entry.monitor.shared.type === 'heartbeat') {
      if (now - lastPulseMs > PULSE_TOLERANCE_MS) return plan(entry, now + PULSE_RETRY_MS)
      const isLate = now - entry.dueMs > SILENCE_TOLERANCE_MS
      if (isLate && entry.unjudged++ < MAX_DOUBTS) return plan(entry, now + SILENCE_RETRY_MS)
    } else {
      if (!hasTurn(entry, assignment.turns, region, now)) return planTick(entry)
      if (now > assignment.validUntilMs) return plan(entry, now + IDLE_MS, entry.tickMs)
      if (yieldsTick(entry, assignment.turns, region)) return planTick(entry)
    }
    start(entry, now)
  }

  function startKeptBack() {
    for (let id = withoutPlace.next(); id !== null; id = withoutPlace.next()) {
      const entry = entries.get(id)
      // It may have been planned anew, stopped or begun meanwhile.
      if (entry && !entry.running && entry.dueMs <= nowMs()) startOrPostpone(entry, nowMs())
    }
  }

  function start(entry: ScheduleEntry, now: number) {
    if (withoutPlace.keepsBack(entry.monitor)) return
    const running = runningCheck()
    entry.running = running
    entry.begun = true
    entries.put(entry)
    running.done = checker
      .checkOnce(entry, running, now - entry.dueMs)
      .catch((error) => noteTrouble(deps, error))
      .then((nextMs) => end(entry, running, nextMs))
    underWay.add(running.done)
  }

  function end(entry: ScheduleEntry, running: RunningCheck, nextMs: number | null) {
    if (running.overrun) entry.endedMs = nowMs()
    guards.end(running.overrun)
    underWay.delete(running.done)
    places.leave(entry.monitor.teamId)
    if (entry.running === running) entry.running = null
    if (places.free === 1) queue.wake()
    if (!closed) startKeptBack()
    if (closed || entries.get(entry.monitor.id) !== entry) return
    if (running.isAskedAgain && answersHere(entry, assignment.turns, region, nowMs())) plan(entry, nowMs())
    else if (nextMs === null) planTick(entry)
    else plan(entry, nextMs)
  }

  function put(monitor: ScheduledMonitor, planned?: NextCheck) {
    const known = entries.get(monitor.id)
    if (known && known.monitor.revision > monitor.revision) return
    const kept = keep(monitor)
    const isRefreshed = known?.monitor.revision === monitor.revision
    const entry = isRefreshed ? known : entryOf(kept, monitor.up)
    const next = isRefreshed
      ? refresh(known, monitor, kept, context())
      : firstCheck(monitor, entry, { planned, known }, context())
    if (!isRefreshed) known?.running?.controller.abort()
    if (next) plan(entry, next.dueMs, next.tickMs)
    else entries.put(entry)
  }

  return {
    load(monitors, nextChecks = [], slots) {
      const present = new Set(monitors.map(({ id }) => id))
      const replaced = slots && new Set(slots)
      const isReplaced = (slot: number) =>
        (replaced?.has(slot) ?? true) && leaving.fromMs(slot) === Number.POSITIVE_INFINITY
      const stopped = entries.idsWhere((id, slot) => isReplaced(slot) && !present.has(id))
      for (const id of stopped) leaving.drop(id)
      const planned = new Map(nextChecks.map((next) => [next.id, next]))
      for (const monitor of monitors) put(monitor, planned.get(monitor.id))
    },
    release: leaving.release,
    handOver: leaving.handOver,
    assign(next) {
      const wasShared = isShared(assignment.turns, region)
      assignment = next
      if (wasShared || !isShared(assignment.turns, region)) return
      for (const { entry, running } of entries.underWay()) checker.guardOverrun(entry, running)
    },
    replan() {
      for (const entry of entries.where(() => true)) {
        if (entry.running || entry.monitor.shared.type === 'heartbeat') continue
        if (entry.tickMs === null) plan(entry, nowMs())
        else planTick(entry)
      }
    },
    apply(changes) {
      for (const change of changes) {
        if ('stopped' in change) leaving.drop(change.id)
        else put(change)
      }
    },
    pulse(at) {
      lastPulseMs = at
    },
    get size() {
      return entries.size
    },
    get underWay() {
      return underWay.size
    },
    async close() {
      closed = true
      queue.close()
      for (const { running } of entries.underWay()) running.controller.abort()
      await Promise.all(underWay)
      await guards.told()
    },
  }
}

function unassigned(region: string): Assignment {
  return { membership: null, validUntilMs: Number.POSITIVE_INFINITY, turns: turnsOfOnly(region) }
}

function runningCheck(): RunningCheck {
  return {
    controller: new AbortController(),
    judged: false,
    isAskedAgain: false,
    overrun: null,
    done: Promise.resolve(),
  }
}

/** The recorder says itself how many findings are given up. */
function noteTrouble({ onTrouble }: CheckDeps, error: unknown): null {
  if (!(error instanceof NotRecorded)) onTrouble(error)
  return null
}
