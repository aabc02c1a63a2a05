import type { EvidenceGuard } from '../evidence/evidence.ts'
import type { Inquiry } from '../evidence/peer-evidence.ts'
import type { Duty } from './duty.ts'
import type { Scheduler } from './schedule.ts'
import { type Instruction, type Report, shareOf } from './thread-messages.ts'

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
