import type { RecordingState } from './ability.ts'
import type { Batches } from './batches.ts'
import { overBatches, type RecorderDeps } from './batches.ts'
import type { Finding, Recorded, Recorder } from './finding.ts'
import { recordBatch } from './record-batch.ts'

/** Records findings about monitors: checks, states, incidents and deliveries together. */
export function createRecorder(...deps: RecorderDeps): Recorder & RecordingState {
  return overBatches(
    deps,
    (windows) => ({
      recordBatch: (client, findings, begun, again) =>
        recordBatch(client, findings, windows, { begun, again }),
      asTrial: unfenced,
    }),
    (batches: Batches<Finding, Recorded>) => ({
      record: (finding: Finding) => batches.record(finding, finding.waitsMs ?? 0),
    }),
  )
}

function unfenced({ tick: _, stillTrue: _stillTrue, ...finding }: Finding, now: Date): Finding {
  return { ...finding, checkedAt: now, membership: null, revision: null }
}
