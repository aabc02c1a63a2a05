import { leastRegions } from '../../core/probing/turns.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { PeerEvidence } from '../evidence/evidence.ts'
import type { NetworkReporter } from '../evidence/network-notices.ts'
import type { Assignment } from '../probing/assignment.ts'
import type { Scheduler } from '../probing/schedule.ts'
import type { RecordingTrouble } from '../recording/ability.ts'
import { createDueRate } from './due-rate.ts'
import type { ThreadChecks } from './follow-instructions.ts'
import { type CheckingThread, nextReport } from './thread-messages.ts'
import { createThreadResizing, type ThreadResizing } from './thread-resizing.ts'
import { createThreadSet } from './thread-set.ts'
import { createThreadShares } from './thread-shares.ts'

/** The threads that check the schedule of a process, as one. */
export type CheckingThreads = Pick<Scheduler, 'apply' | 'handOver' | 'close'> &
  Pick<ThreadChecks, 'assign' | 'confirm'> & {
    /**
     * Takes over the monitors to check in these slots; any others in them stop. Resolves when that is done. `part`: how
     * much of the schedule is loaded then, from 0 to 1.
     */
    load(slots: number[], monitors: ScheduledMonitor[], part: number): Promise<void>
    /** False while one of the threads has ended and no other has taken its place. */
    readonly running: boolean
  }

/**
 * Shares the schedule out over as many threads as it needs, which probe and record by themselves, so that neither
 * disturbs requests. The threads become fewer only when slots are loaded or more regions take turns, more also when changes
 * have outgrown them.
 */
export function createCheckingThreads(deps: {
  cores: number
  startThread: () => CheckingThread
  createReporter: () => NetworkReporter
  reload: () => Promise<void>
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}): CheckingThreads & {
  moveTo(connection: object): void
  /** Guards outside the threads use it. */
  evidence(): Promise<PeerEvidence[]>
  readonly size: number
  /** Why one of them records nothing; null while all do. */
  readonly recordingTrouble: RecordingTrouble | null
} {
  const rate = createDueRate()
  const threads = createThreadSet({ ...deps, whenSettled: (work) => resizing.whenSettled(work) })
  const shares = createThreadShares(() => threads.sharing)
  const { cores, onTrouble } = deps
  const resizing: ThreadResizing = createThreadResizing({ cores, threads, shares, rate, onTrouble })
  let closed = false

  async function load(slots: number[], monitors: ScheduledMonitor[]) {
    if (closed) return
    rate.load(slots, monitors)
    if (threads.sharing.length === 0) {
      shares.count = resizing.wanted()
      threads.addSharing(threads.start(shares.count))
    }
    const loaded = shares.load(slots, monitors, [])
    resizing.fit()
    await loaded
  }

  async function handOver(slots: number[], fromMs: number, graceMs: number): Promise<number[]> {
    const reports = threads.sharing.map((thread) => {
      const report = nextReport(thread, 'handed over')
      thread.post({ kind: 'hand over', slots, fromMs, graceMs })
      return report
    })
    return (await Promise.all(reports)).flatMap((report) => report?.cut ?? [])
  }

  function apply(changes: ScheduleChange[]) {
    rate.apply(changes)
    shares.apply(changes)
    resizing.growIfOutgrown()
  }

  function assign(assignment: Assignment, offsetMs: number) {
    threads.assign({ kind: 'assign', assignment, offsetMs })
    const regions = leastRegions(assignment.turns, deps.monotonicMs() + offsetMs)
    if (regions === resizing.regions) return
    resizing.regions = regions
    if (threads.sharing.length > 0) resizing.whenSettled(resizing.fit)
  }

  return {
    load: (slots, monitors, part) =>
      new Promise((resolve) =>
        resizing.whenSettled(() => {
          resizing.part = part
          resolve(load(slots, monitors))
        }),
      ),
    apply: (changes) => resizing.whenSettled(() => apply(changes)),
    assign,
    confirm: () => threads.postToAll({ kind: 'confirm' }),
    handOver: (slots, fromMs, graceMs) => resizing.withoutResizing(() => handOver(slots, fromMs, graceMs)),
    evidence: threads.evidence,
    moveTo: (connection) => threads.postToAll({ kind: 'move', connection }),
    get running() {
      return threads.running
    },
    get size() {
      return threads.sharing.length
    },
    get recordingTrouble() {
      return threads.recordingTrouble
    },
    async close() {
      closed = true
      resizing.close()
      await threads.close()
    },
  }
}
