import type { ReportFate } from '../../core/servers/placing.ts'
import { sizeOf } from '../../core/sharing/shared.ts'
import type { Database } from '../../postgres/database.ts'
import { createKnownWindows } from '../maintenance/known-windows.ts'
import type { Patience, RecordingState } from '../recording/ability.ts'
import { createBatches, type RecordedBatch, withoutPipelining } from '../recording/batches.ts'
import { recordServers } from './record-reports.ts'
import type { RecordedServer, ServerFinding, ServerRecorder } from './server-finding.ts'

/** How long a report waits for others: an agent does not mind, and a transaction each would cost the most. */
const GATHER_MS = 20
/** Records reports and silences of servers: samples, states, incidents and deliveries together. */
export function createServerRecorder(
  db: Database,
  onTrouble: (error: unknown) => void,
  note: (batch: RecordedBatch) => void = () => {},
  onGivenUp?: (findings: number) => void,
  patience?: Patience,
): ServerRecorder & RecordingState {
  const windows = createKnownWindows()
  const batches = createBatches<ServerFinding, RecordedServer>({
    db,
    recordBatch: withoutPipelining((client, findings) => recordServers(client, findings, windows)),
    asTrial: asReportedNow,
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
    async recordReport(finding) {
      if (batches.waiting >= sizeOf('serverReports')) return { kind: 'busy', wantsTop: false }
      const recorded = await batches.record({ kind: 'report', ...finding }, GATHER_MS)
      // Only a silence is stale or covered.
      return recorded as ReportFate
    },
    recordSilence: (serverId) => batches.record({ kind: 'silence', serverId }, 0),
    close: batches.close,
  }
}

function asReportedNow(finding: ServerFinding, now: Date): ServerFinding {
  return finding.kind === 'report' ? { ...finding, receivedAt: now } : finding
}
