import type { Way } from '../../core/probing/evidence.ts'
import { slotsToMove } from '../../core/probing/slot.ts'
import { expectedDue, threadsFor, threadsFrom } from '../../core/probing/thread-count.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { NetworkReporter } from '../evidence/network-notices.ts'
import { createHearing } from '../evidence/peer-evidence.ts'
import { createDueRate } from './due-rate.ts'
import type { ThreadChecking } from './follow-instructions.ts'
import type { Scheduler } from './schedule.ts'
import type { Plan } from './schedule-entry.ts'
import { type CheckingThread, type Instruction, nextReport, shareOf } from './thread-messages.ts'

/** Whoever checks the schedule of a process. */
export type Checking = Pick<Scheduler, 'apply' | 'handOver' | 'close'> &
  Pick<ThreadChecking, 'serve' | 'confirm'> & {
    /**
     * Takes over what is to be checked in these slots: what else there is in them stops. Resolves when that has been
     * done. `part`: how much of the schedule is here then.
     */
    load(slots: number[], monitors: ScheduledMonitor[], part: number): Promise<void>
  }

const RESTART_MS = 1_000

/**
 * Shares the schedule out over as many threads as it needs, which probe and record by themselves, so that neither
 * disturbs requests. A thread that ends unasked is replaced, and `reload` is called for a schedule to fill the new one
 * with. They become fewer only when something is loaded, more also when changes have outgrown them; monitors then
 * change hands some slots at a time.
 */
export function createCheckingThreads(deps: {
  cores: number
  startThread: () => CheckingThread
  createReporter: () => NetworkReporter
  reload: () => Promise<void>
  onTrouble: (error: unknown) => void
}): Checking & { moveTo(connection: object): void; readonly size: number } {
  const rate = createDueRate()
  const alive = new Set<CheckingThread>()
  /** Those that the monitors are shared out over, in the order of their shares. */
  let threads: CheckingThread[] = []
  /** How many of them share the monitors of a slot; those of one that is not named here: `count`. */
  const sharers = new Map<number, number>()
  let count = 0
  const hearing = createHearing(() => threads)
  let part = 1
  let resizing: Promise<void> | null = null
  /** Monitors are between two threads. */
  let moving = false
  let waiting: (() => void)[] = []
  /** How many hand-overs to other processes are under way. */
  let givingUp = 0
  let duty: Instruction | null = null
  let closed = false

  async function load(slots: number[], monitors: ScheduledMonitor[]) {
    if (closed) return
    rate.load(slots, monitors)
    if (threads.length === 0) {
      count = threadsWanted()
      threads = startThreads(count)
    }
    const loaded = handOut(slots, monitors, [])
    fit()
    await loaded
  }

  /** Resolves when each thread has its share: no more is sent to them than they can take. */
  async function handOut(slots: number[], monitors: ScheduledMonitor[], plans: Plan[]): Promise<void> {
    const shares = threads.map(() => ({ monitors: [] as ScheduledMonitor[], plans: [] as Plan[] }))
    for (const slot of slots) sharers.set(slot, sharersOf(slot))
    for (const monitor of monitors) shares[indexOf(monitor)]?.monitors.push(monitor)
    for (const plan of plans) shares[indexOf(plan)]?.plans.push(plan)
    const loaded = threads.map((thread, index) => {
      const report = nextReport(thread, 'loaded')
      thread.post({ kind: 'load', slots, ...(shares[index] as (typeof shares)[number]) })
      return report
    })
    await Promise.all(loaded)
  }

  /** A monitor stays with its thread: there is never a second check of it at once. */
  function indexOf({ id, slot }: { id: number; slot: number }): number {
    return shareOf(id, sharersOf(slot))
  }

  function sharersOf(slot: number): number {
    return sharers.get(slot) ?? count
  }

  /**
   * As many as there are while slots leave for another process: a thread that has to let go of a check then would take
   * with it that it is owed. Whoever gives slots away loads them as empty afterwards.
   */
  function fit() {
    const wanted = threadsWanted()
    if (wanted === count || resizing || givingUp > 0 || closed) return
    resizing = resize(wanted)
      .finally(() => {
        resizing = null
      })
      .then(growIfOutgrown, deps.onTrouble)
  }

  function growIfOutgrown() {
    if (threadsWanted() > count) fit()
  }

  function threadsWanted(): number {
    if (part === 1) return threadsFrom(count, rate.perSecond(), deps.cores)
    return Math.max(count, threadsFor(expectedDue(rate, part), deps.cores))
  }

  async function resize(wanted: number) {
    const added = startThreads(wanted - count)
    // The others go on meanwhile: no check waits for the start of a thread.
    await Promise.all(added.map((thread) => nextReport(thread, 'ready')))
    for (const slot of rate.slots()) sharers.set(slot, sharersOf(slot))
    threads = [...threads, ...added]
    count = wanted
    for (let slots = nextToMove(); slots.length > 0 && !closed; slots = nextToMove()) await move(slots)
    for (const thread of threads.splice(count)) thread.post({ kind: 'close' })
  }

  function nextToMove(): number[] {
    const others = [...sharers.keys()].filter((slot) => sharersOf(slot) !== count)
    return slotsToMove(others, rate.monitorsOf)
  }

  /** Each thread gives up what another one is to check, and only when all have does anyone take it over. */
  async function move(slots: number[]) {
    moving = true
    const reports = threads.map((thread, index) => {
      const report = nextReport(thread, 'released')
      thread.post({ kind: 'release', slots, index, count })
      return report
    })
    const released = (await Promise.all(reports)).map((report) => report?.released)
    for (const slot of slots) sharers.set(slot, count)
    const moved = handOut(
      [],
      released.flatMap((given) => given?.monitors ?? []),
      released.flatMap((given) => given?.plans ?? []),
    )
    moving = false
    const works = waiting
    waiting = []
    for (const work of works) work()
    await moved
  }

  function startThreads(count: number): CheckingThread[] {
    return Array.from({ length: Math.max(count, 0) }, start)
  }

  function start(): CheckingThread {
    const thread = deps.startThread()
    const reporter = deps.createReporter()
    alive.add(thread)
    if (duty !== null) thread.post(duty)
    thread.onReport((report) => {
      switch (report.kind) {
        case 'question':
          return void hearing.ask(thread, report.question)
        case 'testimony':
          return hearing.testify(report.question, report.testimony)
        case 'network':
          reporter.report(report.notice)
          if (report.notice.kind === 'works') tellOthers(thread, report.notice.way)
      }
    })
    void thread.ended.then(() => {
      alive.delete(thread)
      reporter.close()
      if (!closed) setTimeout(() => inTurn(() => replace(thread)), RESTART_MS)
    })
    return thread
  }

  /** One that was told to end has no share any more. */
  function replace(thread: CheckingThread) {
    const index = threads.indexOf(thread)
    if (closed || index < 0) return
    deps.onTrouble(new Error(`checking thread ${index} ended unasked; another one takes its place`))
    threads[index] = start()
    void deps.reload()
  }

  function tellOthers(thread: CheckingThread, way: Way) {
    for (const other of threads) if (other !== thread) other.post({ kind: 'works', way })
  }

  async function handOver(slots: number[], fromMs: number, patienceMs: number): Promise<number[]> {
    while (resizing !== null) await resizing
    givingUp++
    const reports = threads.map((thread) => {
      const report = nextReport(thread, 'handed over')
      thread.post({ kind: 'hand over', slots, fromMs, patienceMs })
      return report
    })
    const cut = (await Promise.all(reports)).flatMap((report) => report?.cut ?? [])
    givingUp--
    return cut
  }

  /** What comes while monitors change hands waits until they have arrived. */
  function inTurn(work: () => void) {
    if (moving) waiting.push(work)
    else work()
  }

  function apply(changes: ScheduleChange[]) {
    rate.apply(changes)
    for (const [index, thread] of threads.entries()) {
      // What has stopped does not say where it was.
      const own = changes.filter((change) => 'stopped' in change || indexOf(change) === index)
      if (own.length > 0) thread.post({ kind: 'apply', changes: own })
    }
    growIfOutgrown()
  }

  return {
    load: (slots, monitors, partThen) =>
      new Promise((resolve) =>
        inTurn(() => {
          part = partThen
          resolve(load(slots, monitors))
        }),
      ),
    apply: (changes) => inTurn(() => apply(changes)),
    serve(next, offsetMs) {
      duty = { kind: 'serve', duty: next, offsetMs }
      for (const thread of alive) thread.post(duty)
    },
    confirm() {
      for (const thread of alive) thread.post({ kind: 'confirm' })
    },
    handOver,
    moveTo(connection) {
      for (const thread of alive) thread.post({ kind: 'move', connection })
    },
    get size() {
      return threads.length
    },
    async close() {
      closed = true
      const ends = [...alive].map(({ ended }) => ended)
      for (const thread of alive) thread.post({ kind: 'close' })
      await Promise.all(ends)
    },
  }
}
