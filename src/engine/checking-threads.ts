import { threadsFor, threadsFrom } from '../core/checking-threads.ts'
import type { ScheduleChange, ScheduledMonitor } from '../store/scheduling.ts'
import {
  type CheckingThread,
  type Instruction,
  isOfShare,
  nextReport,
  type ThreadChecking,
} from './checking-thread.ts'
import { createDueRate } from './due-rate.ts'
import type { Plan } from './entry.ts'
import { createHearing } from './hearing.ts'
import type { NetworkReporter } from './network-notices.ts'
import type { Scheduler } from './schedule.ts'

/** Whoever checks the schedule of a process. */
export type Checking = Pick<Scheduler, 'load' | 'apply' | 'handOver' | 'close'> &
  Pick<ThreadChecking, 'serve' | 'confirm'>

const RESTART_MS = 1_000

/**
 * Shares the schedule out over as many threads as it needs, which probe and record by themselves, so that neither
 * disturbs requests. A thread that ends unasked is replaced, and `reload` is called for a schedule to fill the new
 * one with; also when changes have outgrown the threads. Their number changes only when the schedule is loaded.
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
  const hearing = createHearing(() => threads)
  let phase: 'steady' | 'starting threads' | 'handing over' = 'steady'
  /** What changed while threads were starting; the schedule that they wait for does not have it. */
  let news: ScheduleChange[] = []
  let waiting: (() => void)[] = []
  /** How many hand-overs to other processes are under way. */
  let givingUp = 0
  let outgrown = false
  let duty: Instruction | null = null
  let closed = false

  function load(monitors: ScheduledMonitor[]) {
    if (closed) return
    rate.load(monitors)
    const count = threadsWanted()
    if (threads.length === 0) threads = startThreads(count)
    if (threads.length === count) return shareOut(monitors, [])
    const added = startThreads(count - threads.length)
    phase = 'starting threads'
    news = []
    resize(count, added, monitors)
      .catch(deps.onTrouble)
      .finally(() => {
        phase = 'steady'
        const works = waiting
        waiting = []
        for (const work of works) inTurn(work)
      })
  }

  /**
   * As many as there are while slots leave for another process: a thread that has to let go of a check then would take
   * with it that it is owed. Whoever gives slots away loads the schedule afterwards.
   */
  function threadsWanted(): number {
    if (givingUp > 0) return threads.length
    return threadsFrom(threads.length, rate.perSecond(), deps.cores)
  }

  /** Each thread gives up what another one is to check, and only when all have does anyone take it over. */
  async function resize(count: number, added: CheckingThread[], monitors: ScheduledMonitor[]) {
    // The others go on meanwhile: no check waits for the start of a thread.
    await Promise.all(added.map((thread) => nextReport(thread, 'ready')))
    phase = 'handing over'
    const before = threads
    const reports = before.map((thread, index) => {
      const report = nextReport(thread, 'released')
      thread.post({ kind: 'release', index, count })
      return report
    })
    const plans = (await Promise.all(reports)).flatMap((report) => report?.plans ?? [])
    if (closed) return
    threads = [...before, ...added].slice(0, count)
    for (const thread of before.slice(count)) thread.post({ kind: 'close' })
    shareOut(changed(monitors, news), plans)
  }

  function startThreads(count: number): CheckingThread[] {
    return Array.from({ length: Math.max(count, 0) }, start)
  }

  function start(): CheckingThread {
    const thread = deps.startThread()
    const reporter = deps.createReporter()
    alive.add(thread)
    thread.onReport((report) => {
      switch (report.kind) {
        case 'question':
          return void hearing.ask(thread, report.question)
        case 'testimony':
          return hearing.testify(report.question, report.testimony)
        case 'network':
          reporter.report(report.notice)
          if (report.notice.kind === 'works') tellOthers(thread, report.notice.family)
      }
    })
    thread.ended.then(() => {
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

  function tellOthers(thread: CheckingThread, family: 4 | 6) {
    for (const other of threads) if (other !== thread) other.post({ kind: 'works', family })
  }

  function shareOut(monitors: ScheduledMonitor[], plans: Plan[]) {
    for (const [index, thread] of threads.entries()) {
      if (duty !== null) thread.post(duty)
      thread.post({ kind: 'load', monitors: share(monitors, index), plans: share(plans, index) })
    }
  }

  /** A monitor stays with its thread: there is never a second check of it at once. */
  function share<T extends { id: number }>(items: T[], index: number): T[] {
    if (threads.length === 1) return items
    return items.filter(({ id }) => isOfShare(id, index, threads.length))
  }

  /** Threads that are changing do so first. */
  async function handOver(slots: number[], fromMs: number, patienceMs: number): Promise<number[]> {
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
    if (phase === 'steady') work()
    else waiting.push(work)
  }

  function applyNow(changes: ScheduleChange[]) {
    rate.apply(changes)
    for (const [index, thread] of threads.entries()) {
      const own = share(changes, index)
      if (own.length > 0) thread.post({ kind: 'apply', changes: own })
    }
    if (phase === 'steady') growIfOutgrown()
  }

  function growIfOutgrown() {
    if (outgrown || givingUp > 0 || threadsFor(rate.perSecond(), deps.cores) <= threads.length) return
    outgrown = true
    void deps.reload().finally(() => {
      outgrown = false
    })
  }

  return {
    load: (monitors) => inTurn(() => load(monitors)),
    apply(changes) {
      // A new monitor does not wait for the start of a thread.
      if (phase !== 'starting threads' || waiting.length > 0) return inTurn(() => applyNow(changes))
      news.push(...changes)
      applyNow(changes)
    },
    serve(next, offsetMs) {
      duty = { kind: 'serve', duty: next, offsetMs }
      for (const thread of alive) thread.post(duty)
    },
    confirm() {
      for (const thread of alive) thread.post({ kind: 'confirm' })
    },
    handOver: (slots, fromMs, patienceMs) =>
      new Promise((resolve) => inTurn(() => resolve(handOver(slots, fromMs, patienceMs)))),
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

function changed(monitors: ScheduledMonitor[], changes: ScheduleChange[]): ScheduledMonitor[] {
  if (changes.length === 0) return monitors
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  for (const change of changes) {
    if ('stopped' in change) byId.delete(change.id)
    else byId.set(change.id, change)
  }
  return [...byId.values()]
}
