import type { Database } from '../../postgres/database.ts'
import { createBatches, type RecordedBatch } from '../recording/batches.ts'
import { type ReadSiteCovers, recordLooks } from './record-looks.ts'
import type { RecordedLook, SiteLookFinding, SiteRecorder } from './site-finding.ts'

/** How long a look waits for others: the next look at the same area is far away. */
const GATHER_MS = 250

/** Records looks at sites: areas, incidents and deliveries together. */
export function createSiteRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
  readCovers: ReadSiteCovers = async () => () => null,
): SiteRecorder {
  const batches = createBatches<SiteLookFinding, RecordedLook>({
    db,
    recordBatch: (client, findings) => recordLooks(client, findings, readCovers),
    onTrouble,
    note,
  })
  return {
    get waiting() {
      return batches.waiting
    },
    recordLook: (finding) => batches.record(finding, GATHER_MS),
    close: batches.close,
  }
}
