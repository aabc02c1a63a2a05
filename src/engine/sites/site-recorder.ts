import type { RecordingState } from '../recording/ability.ts'
import { type Batches, overBatches, type RecorderDeps, withoutPipelining } from '../recording/batches.ts'
import { recordLooks } from './record-looks.ts'
import type { RecordedLook, SiteLookFinding, SiteRecorder } from './site-finding.ts'

/** How long a look without news waits for others. */
const GATHER_MS = 250

/** Records looks at sites: areas, incidents and deliveries together. */
export function createSiteRecorder(...deps: RecorderDeps): SiteRecorder & RecordingState {
  return overBatches(
    deps,
    (windows) => ({
      recordBatch: withoutPipelining((client, findings) => recordLooks(client, findings, windows)),
      asTrial: (finding, now) => ({ ...finding, membership: null, lookedAt: now }),
    }),
    (batches: Batches<SiteLookFinding, RecordedLook>) => ({
      recordLook: (finding: SiteLookFinding) => batches.record(finding, isSteady(finding) ? GATHER_MS : 0),
    }),
  )
}

/** The first look at a home page decides only if it is fine: most of them. */
function isSteady({ found }: SiteLookFinding): boolean {
  return found.area === 'home_page' && found.looks.length === 1
}
