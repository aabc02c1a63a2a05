import type { Database } from '../../postgres/database.ts'
import { createKnownWindows, type KnownWindows } from '../maintenance/known-windows.ts'
import type { Patience, RecordingState } from './ability.ts'
import { type Batches, type BatchesDeps, createBatches, type RecordedBatch } from './batches.ts'

/** Every recorder is made of these: the database, and who hears of trouble, of batches and of findings that are given up. */
export type RecorderDeps = [
  db: Database,
  onTrouble: (error: unknown) => void,
  note?: ((batch: RecordedBatch) => void) | undefined,
  onGivenUp?: ((findings: number) => void) | undefined,
  patience?: Patience | undefined,
]

/** A recorder over batches of its own: how it writes one, and what it offers for its findings. */
export function overBatches<Finding, Recorded, Own>(
  [db, onTrouble, note = () => {}, onGivenUp, patience]: RecorderDeps,
  writesOf: (windows: KnownWindows) => Pick<BatchesDeps<Finding, Recorded>, 'recordBatch' | 'asTrial'>,
  ownOf: (batches: Batches<Finding, Recorded>) => Own,
): Own & RecordingState & Pick<Batches<Finding, Recorded>, 'close'> {
  const writes = writesOf(createKnownWindows())
  const batches = createBatches({ db, onTrouble, note, onGivenUp, patience, ...writes })
  return {
    ...ownOf(batches),
    get waiting() {
      return batches.waiting
    },
    get trouble() {
      return batches.trouble
    },
    get isDoubtful() {
      return batches.isDoubtful
    },
    close: batches.close,
  }
}
