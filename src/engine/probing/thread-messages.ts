import type { Way } from '../../core/probing/evidence.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { Testimony } from '../evidence/evidence.ts'
import type { NetworkNotice } from '../evidence/network-notices.ts'
import type { Duty } from './duty.ts'
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
