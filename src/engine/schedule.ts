import { missedPing } from '../core/cause.ts'
import { type CheckResult, resultWithout } from '../core/check.ts'
import type { ProbeSettings } from '../core/probe-settings.ts'
import { nextTickMs, phaseMs } from '../core/schedule.ts'
import type { ScheduleChange, ScheduledMonitor } from '../store/scheduling.ts'
import { DueHeap } from './due-heap.ts'
import type { Recorder } from './record.ts'

const MAX_UNDER_WAY = 2_000
const LONGEST_SLEEP_MS = 1_000
const FIRST_RETRY_MS = 1_000
/** A heartbeat's silence is not believed while the service itself was not seen working. */
const PULSE_TOLERANCE_MS = 3_000
/** Nor by a thread or a database that stood still for longer: a ping that came in time may not be written yet. */
const SILENCE_TOLERANCE_MS = 250
const SILENCE_AGAIN_MS = 500
/** Where everything is late all the time, silence is noted all the same. */
const MOST_DOUBTS = 10

type Entry = {
  monitor: ScheduledMonitor
  intervalMs: number
  phase: number
  /** When it is next looked at; entries of the heap that say otherwise are void. */
  dueMs: number
  running: Running | null
  /** Checks, or silences of a heartbeat, in a row that could not be judged. */
  unjudged: number
  /** The last check passed without a warning: another such one is no news. */
  wasUp: boolean
}

type Running = {
  controller: AbortController
  /** The target has been judged; what is left is to record it. */
  judged: boolean
  /** Resolves when nothing of it is under way any more. */
  done: Promise<void>
}

/** When a monitor is to be looked at next, as one scheduler hands it to another. */
export type Plan = { id: number; revision: number; dueMs: number }

export type Scheduler = {
  /**
   * Takes over the whole schedule; what is not in it any more stops. `plans` are those of schedulers that gave
   * monitors up: what fell due on the way is made up for at once.
   */
  load(monitors: ScheduledMonitor[], plans?: Plan[]): void
  /** Gives monitors up: cancels what is under way and resolves, once nothing is, to their plans. */
  release(isOthers: (id: number) => boolean): Promise<Plan[]>
  /** Takes changes of people; they take effect at once. */
  apply(changes: ScheduleChange[]): void
  /** Says that the service was seen working at this time. */
  pulse(nowMs: number): void
  readonly size: number
  readonly underWay: number
  /** Cancels what is under way and resolves when nothing is. */
  close(): Promise<void>
}

/** What became of a look at a monitor, for whoever counts. */
export type Looked = {
  type: ScheduledMonitor['type']
  status: CheckResult['status']
  /** From the time it was due to its start. */
  lateMs: number
  /** Until it was judged; null for a silence, which takes no time. */
  tookMs: number | null
}

/** Keeps the schedule in memory and starts each check when it is due, one at a time per monitor. */
export function createScheduler(deps: {
  probe: (settings: ProbeSettings, signal: AbortSignal) => Promise<CheckResult>
  /** Opens the sealed secrets of a monitor for one check. */
  settingsOf: (monitor: ScheduledMonitor) => ProbeSettings
  recorder: Recorder
  region: string | null
  now: () => Date
  note?: (looked: Looked) => void
  onTrouble: (error: unknown) => void
}): Scheduler {
  const entries = new Map<number, Entry>()
  const heap = new DueHeap()
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let armedForMs = Number.POSITIVE_INFINITY
  let lastPulseMs = 0
  let closed = false

  const nowMs = () => deps.now().getTime()

  function plan(entry: Entry, dueMs: number) {
    entry.dueMs = dueMs
    heap.push(dueMs, entry.monitor.id)
    if (dueMs < armedForMs) arm()
  }

  /** Sets the one timer; never for long, so that a clock that is set does not matter. */
  function arm() {
    clearTimeout(timer)
    armedForMs = Number.POSITIVE_INFINITY
    if (closed || underWay.size >= MAX_UNDER_WAY) return
    const now = nowMs()
    armedForMs = Math.min(Math.max(heap.earliest, now), now + LONGEST_SLEEP_MS)
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
    if (entry.monitor.type === 'heartbeat') {
      if (now - lastPulseMs > PULSE_TOLERANCE_MS) return plan(entry, now + LONGEST_SLEEP_MS)
      if (now - entry.dueMs > SILENCE_TOLERANCE_MS && entry.unjudged++ < MOST_DOUBTS) {
        return plan(entry, now + SILENCE_AGAIN_MS)
      }
    }
    const running: Running = {
      controller: new AbortController(),
      judged: false,
      done: Promise.resolve(),
    }
    entry.running = running
    running.done = look(entry, running, now - entry.dueMs)
      .catch((error) => {
        deps.onTrouble(error)
        return null
      })
      .then((nextMs) => {
        underWay.delete(running.done)
        if (entry.running === running) entry.running = null
        if (underWay.size === MAX_UNDER_WAY - 1) arm()
        if (!running.controller.signal.aborted && entries.get(entry.monitor.id) === entry) {
          plan(entry, nextMs ?? regularTick(entry))
        }
      })
    underWay.add(running.done)
  }

  /** One look at a monitor; returns when to look again. */
  async function look(entry: Entry, running: Running, lateMs: number): Promise<number | null> {
    return entry.monitor.type === 'heartbeat' ? noteSilence(entry, lateMs) : check(entry, running, lateMs)
  }

  async function check(entry: Entry, running: Running, lateMs: number): Promise<number | null> {
    const { monitor } = entry
    const { signal } = running.controller
    const checkedAt = deps.now()
    const result = await deps.probe(deps.settingsOf(monitor), signal)
    if (signal.aborted) return null
    running.judged = result.status !== 'pending'
    const tookMs = nowMs() - checkedAt.getTime()
    deps.note?.({ type: monitor.type, status: result.status, lateMs, tookMs })
    await deps.recorder.record({
      monitorId: monitor.id,
      revision: monitor.revision,
      checkedAt,
      region: deps.region,
      result,
      heartbeat: null,
      ping: null,
      steady: entry.wasUp && result.status === 'up',
    })
    entry.wasUp = result.status === 'up'
    if (result.status !== 'pending') {
      entry.unjudged = 0
      return null
    }
    // Our own trouble: again at once, then less and less often until the next regular check.
    const waitMs = entry.unjudged === 0 ? 0 : FIRST_RETRY_MS * 2 ** Math.min(entry.unjudged - 1, 20)
    entry.unjudged++
    return Math.min(nowMs() + waitMs, regularTick(entry))
  }

  async function noteSilence(entry: Entry, lateMs: number): Promise<number | null> {
    const { monitor } = entry
    const checkedAt = deps.now()
    const doubts = entry.unjudged
    const { kind, heartbeatDueAt } = await deps.recorder.record({
      monitorId: monitor.id,
      revision: monitor.revision,
      checkedAt,
      region: deps.region,
      result: resultWithout('down', missedPing(monitor.interval_seconds)),
      heartbeat: 'silence',
      ping: null,
      stillTrue: () => doubts >= MOST_DOUBTS || nowMs() - checkedAt.getTime() <= SILENCE_TOLERANCE_MS,
    })
    entry.unjudged = kind === 'stale' ? doubts + 1 : 0
    if (kind === 'recorded') deps.note?.({ type: monitor.type, status: 'down', lateMs, tookMs: null })
    const dueMs = heartbeatDueAt?.getTime() ?? null
    return kind === 'stale' && dueMs !== null ? Math.max(dueMs, nowMs() + SILENCE_AGAIN_MS) : dueMs
  }

  function regularTick(entry: Entry): number {
    return nextTickMs(nowMs(), entry.intervalMs, entry.phase)
  }

  function put(monitor: ScheduledMonitor, planned?: Plan) {
    const known = entries.get(monitor.id)
    if (known && known.monitor.revision > monitor.revision) return
    if (known?.monitor.revision === monitor.revision) {
      const requested = isRequested(monitor, known.monitor.check_requested_at)
      known.monitor.check_requested_at = monitor.check_requested_at
      // A check that is under way is the one that was asked for.
      if (known.running) return
      // A deadline may have moved without a change of settings.
      if (monitor.type === 'heartbeat') plan(known, deadlineOf(monitor))
      else if (requested) plan(known, nowMs())
      return
    }
    const interrupted = known?.running != null
    known?.running?.controller.abort()
    const intervalMs = monitor.interval_seconds * 1_000
    const entry: Entry = {
      monitor,
      intervalMs,
      phase: phaseMs(monitor.id, intervalMs),
      dueMs: 0,
      running: null,
      wasUp: monitor.up,
      unjudged: 0,
    }
    entries.set(monitor.id, entry)
    if (monitor.type === 'heartbeat') return plan(entry, deadlineOf(monitor))
    if (planned && planned.revision === monitor.revision) return plan(entry, planned.dueMs)
    const atOnce =
      planned ||
      monitor.pending ||
      !monitor.last_checked_at ||
      interrupted ||
      isRequested(monitor, known ? known.monitor.check_requested_at : monitor.last_checked_at) ||
      (known && probesOtherwise(known.monitor, monitor))
    plan(entry, atOnce ? nowMs() : regularTick(entry))
  }

  function deadlineOf(monitor: ScheduledMonitor): number {
    return monitor.heartbeat_due_at?.getTime() ?? nowMs() + monitor.interval_seconds * 1_000
  }

  function planOf(entry: Entry): Plan {
    const { monitor, running } = entry
    const dueMs = !running ? entry.dueMs : running.judged ? regularTick(entry) : nowMs()
    return { id: monitor.id, revision: monitor.revision, dueMs }
  }

  function remove(id: number) {
    entries.get(id)?.running?.controller.abort()
    entries.delete(id)
  }

  return {
    load(monitors, plans = []) {
      const present = new Set(monitors.map(({ id }) => id))
      for (const id of entries.keys()) if (!present.has(id)) remove(id)
      const planned = new Map(plans.map((plan) => [plan.id, plan]))
      for (const monitor of monitors) put(monitor, planned.get(monitor.id))
    },
    async release(isOthers) {
      const leaving = [...entries.values()].filter(({ monitor }) => isOthers(monitor.id))
      const plans = leaving.map(planOf)
      const unfinished = leaving.map(({ running }) => running?.done)
      for (const { monitor } of leaving) remove(monitor.id)
      await Promise.all(unfinished)
      return plans
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

/** Whether a check was asked for since the last request that was seen, or since the last check. */
function isRequested({ check_requested_at }: ScheduledMonitor, since: Date | null): boolean {
  return check_requested_at !== null && (since === null || check_requested_at > since)
}

/** Whether the probe would do something else now; the interval does not count. */
function probesOtherwise(before: ScheduledMonitor, after: ScheduledMonitor): boolean {
  return JSON.stringify(probedPartOf(before)) !== JSON.stringify(probedPartOf(after))
}

function probedPartOf(monitor: ScheduledMonitor) {
  const { revision, interval_seconds, last_checked_at, check_requested_at, pending, up, ...probed } = monitor
  return probed
}
