import type { Way } from '../../core/probing/evidence.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { EvidenceGuard, Testimony } from '../evidence/evidence.ts'
import type { NetworkNotice } from '../evidence/network-notices.ts'
import type { Inquiry } from '../evidence/peer-evidence.ts'
import type { Duty } from './duty.ts'
import type { Scheduler } from './schedule.ts'
import type { Plan, Released } from './schedule-entry.ts'

/** What the leading thread says to a thread that checks. */
export type Instruction =
  /** See `Scheduler.load`. */
  | { kind: 'load'; slots: number[]; monitors: ScheduledMonitor[]; plans: Plan[] }
  | { kind: 'apply'; changes: ScheduleChange[] }
  /** Give up what of these slots belongs to another share than this of so many. */
  | { kind: 'release'; slots: number[]; index: number; count: number }
  /** Give the monitors of slots up to another process. */
  | { kind: 'hand over'; slots: number[]; fromMs: number; patienceMs: number }
  | { kind: 'serve'; duty: Duty; offsetMs: number }
  /** The database has another socket since it was restarted. */
  | { kind: 'move'; connection: object }
  /** What have you seen of our network? */
  | { kind: 'testify'; question: number }
  /** The answers of the other threads to a question. */
  | { kind: 'heard'; question: number; testimonies: Testimony[] }
  /** Another thread found one of our ways working again. */
  | { kind: 'works'; way: Way }
  /** Another region may have asked this one to confirm a failure. */
  | { kind: 'confirm' }
  | { kind: 'close' }

/** What a thread that checks says to the leading thread. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'loaded' }
  | { kind: 'released'; released: Released }
  | { kind: 'handed over'; cut: number[] }
  | { kind: 'network'; notice: NetworkNotice }
  /** What have the others seen of our network? */
  | { kind: 'question'; question: number }
  | { kind: 'testimony'; question: number; testimony: Testimony }

/** A thread that checks a share of the monitors. */
export type CheckingThread = {
  post(instruction: Instruction): void
  /** Returns what ends the listening. */
  onReport(listener: (report: Report) => void): () => void
  /** Resolves when the thread has ended, as it was told to or not. */
  ended: Promise<void>
}

/** What a thread that checks consists of, as far as it is told what to do. */
export type ThreadChecking = Pick<Scheduler, 'load' | 'apply' | 'release' | 'handOver' | 'close'> & {
  /** `offsetMs`: how far the clock to go by is ahead of the monotonic one. */
  serve(duty: Duty, offsetMs: number): void
  /** Another region may have asked this one to confirm a failure. */
  confirm(): void
} & Pick<EvidenceGuard, 'testify' | 'hearItWorks'> &
  Pick<Inquiry, 'heard'>

/** In a thread that checks: does what it is told. */
export function follow(
  instruction: Instruction,
  checking: ThreadChecking & { moveTo(connection: object): void },
  report: (report: Report) => void,
): void {
  switch (instruction.kind) {
    case 'load':
      checking.load(instruction.monitors, instruction.plans, instruction.slots)
      report({ kind: 'loaded' })
      break
    case 'apply':
      checking.apply(instruction.changes)
      break
    case 'release': {
      const { slots, index, count } = instruction
      const releasing = checking.release(slots, (id) => shareOf(id, count) !== index)
      // What fails here ends the thread, and another one takes its place.
      void releasing.then((released) => report({ kind: 'released', released }))
      break
    }
    case 'hand over': {
      const { slots, fromMs, patienceMs } = instruction
      const handingOver = checking.handOver(slots, fromMs, patienceMs)
      void handingOver.then((cut) => report({ kind: 'handed over', cut }))
      break
    }
    case 'serve':
      checking.serve(instruction.duty, instruction.offsetMs)
      break
    case 'confirm':
      checking.confirm()
      break
    case 'move':
      checking.moveTo(instruction.connection)
      break
    case 'testify':
      report({ kind: 'testimony', question: instruction.question, testimony: checking.testify() })
      break
    case 'heard':
      checking.heard(instruction.question, instruction.testimonies)
      break
    case 'works':
      checking.hearItWorks(instruction.way)
      break
    case 'close':
      void checking.close()
  }
}

/** Which of so many threads checks a monitor. */
export function shareOf(monitorId: number, count: number): number {
  return monitorId % count
}

/** The next report of a kind; null when the thread ends first. */
export function nextReport<Kind extends Report['kind']>(
  thread: CheckingThread,
  kind: Kind,
): Promise<Extract<Report, { kind: Kind }> | null> {
  return new Promise((resolve) => {
    const stop = thread.onReport((report) => {
      if (report.kind !== kind) return
      stop()
      resolve(report as Extract<Report, { kind: Kind }>)
    })
    void thread.ended.then(() => {
      stop()
      resolve(null)
    })
  })
}
