import type { Database } from '../../postgres/database.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import type { Patience, RecordingState } from '../recording/ability.ts'
import { createBatches, type RecordedBatch, withoutPipelining } from '../recording/batches.ts'
import { recordLooks } from './record-looks.ts'
import type { RecordedLook, SiteLookFinding, SiteRecorder } from './site-finding.ts'

/** How long a look without news waits for others. */
const GATHER_MS = 250

/** Records looks at sites: areas, incidents and deliveries together. */
export function createSiteRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
  onGivenUp?: (findings: number) => void,
  patience?: Patience,
): SiteRecorder & RecordingState {
  const windows = createKnownWindows()
  const batches = createBatches<SiteLookFinding, RecordedLook>({
    db,
    recordBatch: withoutPipelining((client, findings) => recordLooks(client, findings, windows)),
    asTrial: (finding, now) => ({ ...finding, membership: null, lookedAt: now }),
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
    recordLook: (finding) => batches.record(finding, isSteady(finding) ? GATHER_MS : 0),
    close: batches.close,
  }
}

/** The first look at a home page decides only if it is fine: most of them. */
function isSteady({ found }: SiteLookFinding): boolean {
  return found.area === 'home_page' && found.looks.length === 1
}
