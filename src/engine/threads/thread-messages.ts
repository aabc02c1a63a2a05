import type { Way } from '../../core/probing/blame.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../store/probing/schedule.ts'
import type { PeerEvidence } from '../evidence/evidence.ts'
import type { NetworkNotice } from '../evidence/network-notices.ts'
import type { Assignment } from '../probing/assignment.ts'
import type { NextCheck, ReleasedMonitors } from '../probing/schedule-entry.ts'
import type { RecordingTrouble } from '../recording/ability.ts'

/** A message of the leading thread to a thread that checks. */
export type ThreadInstruction =
  /** See `Scheduler.load`. */
  | { kind: 'load'; slots: number[]; monitors: ScheduledMonitor[]; nextChecks: NextCheck[] }
  | { kind: 'apply'; changes: ScheduleChange[] }
  /** Give up the monitors of these slots that belong to another of `count` shares than `index`. */
  | { kind: 'release'; slots: number[]; index: number; count: number }
  /** Give the monitors of slots up to another process. */
  | { kind: 'hand over'; slots: number[]; fromMs: number; graceMs: number }
  | { kind: 'assign'; assignment: Assignment; offsetMs: number }
  /** The database has another socket since it was restarted. */
  | { kind: 'move'; connection: object }
  /** Another thread asks for evidence about our network. */
  | { kind: 'share evidence'; question: number }
  /** The answers of the other threads to a question. */
  | { kind: 'peer evidence'; question: number; evidence: PeerEvidence[] }
  /** Another thread found one of our ways working again. */
  | { kind: 'way works'; way: Way }
  /** Another region may have asked this one to confirm a failure. */
  | { kind: 'confirm' }
  | { kind: 'close' }

/** A message of a thread that checks to the leading thread. */
export type ThreadReport =
  | { kind: 'ready' }
  | { kind: 'loaded' }
  | { kind: 'released'; released: ReleasedMonitors }
  | { kind: 'handed over'; cut: number[] }
  | { kind: 'network'; notice: NetworkNotice }
  /** Whether it records what it finds, when that changes. */
  | { kind: 'recording'; trouble: RecordingTrouble | null }
  /** Asks the other threads for evidence about our network. */
  | { kind: 'ask peers'; question: number }
  | { kind: 'evidence'; question: number; evidence: PeerEvidence }

/** A thread that checks a share of the monitors. */
export type CheckingThread = {
  post(instruction: ThreadInstruction): void
  /** Returns a function that ends the listening. */
  onReport(listener: (report: ThreadReport) => void): () => void
  /** Resolves when the thread has ended, told to or not. */
  ended: Promise<void>
}

/** The index of the thread, of so many, that checks a monitor. */
export function shareOf(monitorId: number, count: number): number {
  return monitorId % count
}

/** The next report of a kind; null when the thread ends first. */
export function nextReport<Kind extends ThreadReport['kind']>(
  thread: CheckingThread,
  kind: Kind,
): Promise<Extract<ThreadReport, { kind: Kind }> | null> {
  return new Promise((resolve) => {
    const stop = thread.onReport((report) => {
      if (report.kind !== kind) return
      stop()
      resolve(report as Extract<ThreadReport, { kind: Kind }>)
    })
    void thread.ended.then(() => {
      stop()
      resolve(null)
    })
  })
}
