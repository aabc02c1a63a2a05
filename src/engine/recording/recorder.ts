import type { Database } from '../../postgres/database.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import type { Patience, RecordingState } from './ability.ts'
import { createBatches, type RecordedBatch } from './batches.ts'
import type { Finding, Recorded, Recorder } from './finding.ts'
import { recordBatch } from './record-batch.ts'

/** Records findings about monitors: checks, states, incidents and deliveries together. */
export function createRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
  onGivenUp?: (findings: number) => void,
  patience?: Patience,
): Recorder & RecordingState {
  const windows = createKnownWindows()
  const batches = createBatches<Finding, Recorded>({
    db,
    recordBatch: (client, findings, begun, again) => recordBatch(client, findings, windows, { begun, again }),
    asTrial: unfenced,
    onTrouble,
    note,
    onGivenUp,
    patience,
  })
  return {
    get waiting() {
      return batches.waiting
    },
    get trouble() {
      return batches.trouble
    },
    get isDoubtful() {
      return batches.isDoubtful
    },
    record: (finding) => batches.record(finding, finding.waitsMs ?? 0),
    close: batches.close,
  }
}

function unfenced({ tick: _, stillTrue: _stillTrue, ...finding }: Finding, now: Date): Finding {
  return { ...finding, checkedAt: now, membership: null, revision: null }
}
