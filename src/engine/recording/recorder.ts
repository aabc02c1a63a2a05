import type { Database } from '../../postgres/database.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import { createBatches, type RecordedBatch } from './batches.ts'
import type { Finding, Recorded, Recorder } from './finding.ts'
import { recordBatch } from './record-batch.ts'

/** Records findings about monitors: checks, states, incidents and deliveries together. */
export function createRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
): Recorder & { readonly waiting: number } {
  const windows = createKnownWindows()
  const batches = createBatches<Finding, Recorded>({
    db,
    recordBatch: (client, findings, begun, again) => recordBatch(client, findings, windows, { begun, again }),
    onTrouble,
    note,
  })
  return {
    get waiting() {
      return batches.waiting
    },
    record: (finding) => batches.record(finding, finding.waitsMs ?? 0),
    close: batches.close,
  }
}
