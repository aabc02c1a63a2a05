import type { EvidenceGuard } from '../evidence/evidence.ts'
import type { PeerEvidenceRequests } from '../evidence/peer-evidence.ts'
import type { Assignment } from '../probing/assignment.ts'
import type { Scheduler } from '../probing/schedule.ts'
import { shareOf, type ThreadInstruction, type ThreadReport } from './thread-messages.ts'

/** The parts of a thread that checks, as far as instructions reach them. */
export type ThreadChecks = Pick<Scheduler, 'load' | 'apply' | 'release' | 'handOver' | 'close'> & {
  /** `offsetMs`: how far the clock to go by is ahead of the monotonic one. */
  assign(assignment: Assignment, offsetMs: number): void
  /** Another region may have asked this one to confirm a failure. */
  confirm(): void
} & Pick<EvidenceGuard, 'shareEvidence' | 'noteWayWorks'> &
  Pick<PeerEvidenceRequests, 'takeEvidence'>

/** Carries out one instruction in a thread that checks, and reports what it came to. */
export function followInstruction(
  instruction: ThreadInstruction,
  checks: ThreadChecks & { moveTo(connection: object): void },
  report: (report: ThreadReport) => void,
): void {
  switch (instruction.kind) {
    case 'load':
      checks.load(instruction.monitors, instruction.nextChecks, instruction.slots)
      report({ kind: 'loaded' })
      break
    case 'apply':
      checks.apply(instruction.changes)
      break
    case 'release': {
      const { slots, index, count } = instruction
      const releasing = checks.release(slots, (id) => shareOf(id, count) !== index)
      // A failure here ends the thread, and another one takes its place.
      void releasing.then((released) => report({ kind: 'released', released }))
      break
    }
    case 'hand over': {
      const { slots, fromMs, graceMs } = instruction
      const handingOver = checks.handOver(slots, fromMs, graceMs)
      void handingOver.then((cut) => report({ kind: 'handed over', cut }))
      break
    }
    case 'assign':
      checks.assign(instruction.assignment, instruction.offsetMs)
      break
    case 'confirm':
      checks.confirm()
      break
    case 'move':
      checks.moveTo(instruction.connection)
      break
    case 'share evidence':
      report({ kind: 'evidence', question: instruction.question, evidence: checks.shareEvidence() })
      break
    case 'peer evidence':
      checks.takeEvidence(instruction.question, instruction.evidence)
      break
    case 'way works':
      checks.noteWayWorks(instruction.way)
      break
    case 'close':
      void checks.close()
  }
}
