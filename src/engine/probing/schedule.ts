import { aloneIn, isShared, regionAt } from '../../core/probing/turns.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import { elapse, withinMs } from '../delays.ts'
import {
  createObserver,
  type LookDeps,
  MAX_DOUBTS,
  SILENCE_AGAIN_MS,
  SILENCE_TOLERANCE_MS,
} from './check-once.ts'
import { DueHeap } from './due-heap.ts'
import type { Duty } from './duty.ts'
import {
  answersHere,
  type Entry,
  entryOf,
  isNew,
  isOwed,
  isRequested,
  leavesToOthers,
  nextTick,
  type Plan,
  planOf,
  probesOtherwise,
  type Released,
  type Running,
  tickLeftHere,
} from './schedule-entry.ts'

const MAX_UNDER_WAY = 2_000
const MAX_SLEEP_MS = 1_000
/** A heartbeat's silence is not believed while the service itself was not seen working. */
const PULSE_TOLERANCE_MS = 3_000
/** Who has not heard from the database for too long looks again after this. */
const IDLE_MS = 250

export type Scheduler = {
  /**
   * Takes monitors over. What else there is in these slots (where none are named: at all) stops. `plans` are those of
   * schedulers that gave monitors up: what fell due on the way is made up for at once.
   */
  load(monitors: ScheduledMonitor[], plans?: Plan[], slots?: number[]): void
  /** Gives monitors of these slots up: cancels what is under way, and resolves once nothing is. */
  release(slots: number[], isOthers: (id: number) => boolean): Promise<Released>
  /**
   * Gives the monitors of slots up to another process: from `fromMs` on none of their ticks is begun here. Resolves
   * when nothing of them is under way any more, to those whose check was begun or due and is to be done again.
   */
  handOver(slots: number[], fromMs: number, patienceMs: number): Promise<number[]>
  /** Under which membership checks are made and recorded, whose turn it is, and until when that may be believed. */
  serve(duty: Duty): void
  /** Plans anew: the clock was set. */
  replan(): void
  /** Takes changes of people; they take effect at once. */
  apply(changes: ScheduleChange[]): void
  /** Says that the service was seen working at this time. */
  pulse(nowMs: number): void
  readonly size: number
  readonly underWay: number
  /** Cancels what is under way and resolves when nothing is. */
  close(): Promise<void>
}

/** Keeps the schedule in memory and starts each check when it is due, one at a time per monitor. */
export function createScheduler(deps: LookDeps): Scheduler {
  const region = deps.region ?? ''
  const entries = new Map<number, Entry>()
  const heap = new DueHeap()
  const underWay = new Set<Promise<void>>()
  /** Slots that are being handed over, and from when on their ticks are not ours any more. */
  const leavingFromMs = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let armedForMs = Number.POSITIVE_INFINITY
  let lastPulseMs = 0
  let duty: Duty = { membership: null, validUntilMs: Number.POSITIVE_INFINITY, turns: aloneIn(region) }
  let closed = false

  const nowMs = () => deps.now().getTime()
  const observer = createObserver(deps, () => duty)

  function planTick(entry: Entry) {
    const tickMs = nextTick(entry, nowMs())
    plan(entry, tickMs, tickMs)
  }

  function plan(entry: Entry, dueMs: number, tickMs: number | null = null) {
    entry.dueMs = dueMs
    entry.tickMs = tickMs
    heap.push(dueMs, entry.monitor.id)
    if (dueMs < armedForMs) arm()
  }

  /** Sets the one timer; never for long, so that a clock that is set does not matter. */
  function arm() {
    clearTimeout(timer)
    armedForMs = Number.POSITIVE_INFINITY
    if (closed || underWay.size >= MAX_UNDER_WAY) return
    const now = nowMs()
    armedForMs = Math.min(Math.max(heap.earliest, now), now + MAX_SLEEP_MS)
    timer = setTimeout(startDue, armedForMs - now)
  }

  function startDue() {
    const now = nowMs()
    while (heap.earliest <= now && underWay.size < MAX_UNDER_WAY) {
      const due = heap.earliest
      const entry = entries.get(heap.pop() as number)
      if (!entry || entry.dueMs !== due || entry.running) continue
      start(entry, now)
    }
    arm()
  }

  function start(entry: Entry, now: number) {
    if (entry.dueMs >= (leavingFromMs.get(entry.monitor.slot) ?? Number.POSITIVE_INFINITY)) return
    if (entry.monitor.type === 'heartbeat') {
      if (now - lastPulseMs > PULSE_TOLERANCE_MS) return plan(entry, now + MAX_SLEEP_MS)
      if (now - entry.dueMs > SILENCE_TOLERANCE_MS && entry.unjudged++ < MAX_DOUBTS) {
        return plan(entry, now + SILENCE_AGAIN_MS)
      }
    } else {
      if (entry.tickMs !== null && !isOurs(entry, entry.tickMs, now)) return planTick(entry)
      if (now > duty.validUntilMs) return plan(entry, now + IDLE_MS, entry.tickMs)
      if (leavesToOthers(entry, duty.turns, region)) return planTick(entry)
    }
    const running: Running = {
      controller: new AbortController(),
      judged: false,
      isAskedAgain: false,
      watch: null,
      done: Promise.resolve(),
    }
    entry.running = running
    entry.begun = true
    running.done = observer
      .look(entry, running, now - entry.dueMs)
      .catch((error) => {
        deps.onTrouble(error)
        return null
      })
      .then((nextMs) => {
        running.watch?.end()
        if (running.watch) entry.endedMs = nowMs()
        underWay.delete(running.done)
        if (entry.running === running) entry.running = null
        if (underWay.size === MAX_UNDER_WAY - 1) arm()
        if (closed || entries.get(entry.monitor.id) !== entry) return
        if (running.isAskedAgain && answersHere(entry, duty.turns, region, nowMs())) plan(entry, nowMs())
        else if (nextMs === null) planTick(entry)
        else plan(entry, nextMs)
      })
    underWay.add(running.done)
  }

  /** A tick is its region's, until the next one begins in another region. */
  function isOurs(entry: Entry, tickMs: number, now: number): boolean {
    const isOver = now >= tickMs + entry.intervalMs && isShared(duty.turns, region)
    return !isOver && regionAt(duty.turns, entry, tickMs) === region
  }

  function put(monitor: ScheduledMonitor, planned?: Plan) {
    const known = entries.get(monitor.id)
    if (known && known.monitor.revision > monitor.revision) return
    if (known?.monitor.revision === monitor.revision) {
      const requested = isRequested(monitor, known.monitor.check_requested_at)
      const { check_requested_at, confirmations, recovery_checks, own_regions } = monitor
      Object.assign(known.monitor, { check_requested_at, confirmations, recovery_checks, own_regions })
      known.ownRegions = own_regions
      if (known.running) {
        // A check that is under way is the one that was asked for, unless its result may have been seen already.
        if (requested && known.running.judged) known.running.isAskedAgain = true
        return
      }
      // A deadline may have moved without a change of settings.
      if (monitor.type === 'heartbeat') plan(known, deadlineOf(monitor))
      else if ((requested || isNew(monitor, known)) && answersHere(known, duty.turns, region, nowMs()))
        plan(known, nowMs())
      return
    }
    const interrupted = known?.running != null
    known?.running?.controller.abort()
    const entry = entryOf(monitor)
    entries.set(monitor.id, entry)
    if (monitor.type === 'heartbeat') return plan(entry, deadlineOf(monitor))
    if (planned && planned.revision === monitor.revision) return plan(entry, planned.dueMs, planned.tickMs)
    const atOnce =
      planned ||
      monitor.pending ||
      !monitor.last_checked_at ||
      interrupted ||
      isRequested(monitor, known ? known.monitor.check_requested_at : monitor.last_checked_at) ||
      (known && probesOtherwise(known.monitor, monitor))
    if (monitor.cut || (atOnce && answersHere(entry, duty.turns, region, nowMs())))
      return plan(entry, nowMs())
    const missed = tickLeftHere(entry, duty.turns, region, nowMs())
    if (missed === null) planTick(entry)
    else plan(entry, nowMs(), missed)
  }

  function deadlineOf(monitor: ScheduledMonitor): number {
    return monitor.heartbeat_due_at?.getTime() ?? nowMs() + monitor.interval_seconds * 1_000
  }

  function remove(id: number) {
    entries.get(id)?.running?.controller.abort()
    entries.delete(id)
  }

  return {
    load(monitors, plans = [], slots) {
      const present = new Set(monitors.map(({ id }) => id))
      const replaced = slots && new Set(slots)
      for (const [id, { monitor }] of replaced?.size === 0 ? [] : entries) {
        const isReplaced = replaced?.has(monitor.slot) ?? true
        if (isReplaced && !present.has(id) && !leavingFromMs.has(monitor.slot)) remove(id)
      }
      const planned = new Map(plans.map((plan) => [plan.id, plan]))
      for (const monitor of monitors) put(monitor, planned.get(monitor.id))
    },
    async release(slots, isOthers) {
      const released = new Set(slots)
      const leaving = [...entries.values()].filter(
        ({ monitor }) => released.has(monitor.slot) && isOthers(monitor.id),
      )
      const plans = leaving.map((entry) => planOf(entry, nowMs()))
      const unfinished = leaving.map(({ running }) => running?.done)
      for (const { monitor } of leaving) remove(monitor.id)
      await Promise.all(unfinished)
      return { monitors: leaving.map(({ monitor, wasUp }) => ({ ...monitor, up: wasUp })), plans }
    },
    async handOver(slots, fromMs, patienceMs) {
      for (const slot of slots) leavingFromMs.set(slot, fromMs)
      await elapse(Math.max(0, fromMs - nowMs()))
      const leaving = [...entries.values()].filter(({ monitor }) => leavingFromMs.has(monitor.slot))
      const underWay = leaving.map(({ running }) => running?.done)
      await withinMs(patienceMs, Promise.all(underWay))
      const owed = leaving.filter((entry) => isOwed(entry, fromMs))
      const unfinished = leaving.map(({ running }) => running?.done)
      for (const { monitor } of leaving) remove(monitor.id)
      await Promise.all(unfinished)
      for (const slot of slots) leavingFromMs.delete(slot)
      return owed.map(({ monitor }) => monitor.id)
    },
    serve(next) {
      const wasShared = isShared(duty.turns, region)
      duty = next
      if (wasShared || !isShared(duty.turns, region)) return
      for (const entry of entries.values()) if (entry.running) observer.watch(entry, entry.running)
    },
    replan() {
      for (const entry of entries.values()) {
        if (entry.running || entry.monitor.type === 'heartbeat') continue
        if (entry.tickMs === null) plan(entry, nowMs())
        else planTick(entry)
      }
    },
    apply(changes) {
      for (const change of changes) {
        if ('stopped' in change) remove(change.id)
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
      clearTimeout(timer)
      for (const entry of entries.values()) entry.running?.controller.abort()
      await Promise.all(underWay)
    },
  }
}
