import type { ReportFate } from '../../core/servers/placing.ts'
import { sizeOf } from '../../core/sharing/shared.ts'
import type { RecordingState } from '../recording/ability.ts'
import { type Batches, withoutPipelining } from '../recording/batches.ts'
import { overBatches, type RecorderDeps } from '../recording/over-batches.ts'
import { recordServers } from './record-reports.ts'
import type { RecordedServer, ServerFinding, ServerRecorder } from './server-finding.ts'

/** How long a report waits for others: an agent does not mind, and a transaction each would cost the most. */
const GATHER_MS = 20

/** Records reports and silences of servers: samples, states, incidents and deliveries together. */
export function createServerRecorder(...deps: RecorderDeps): ServerRecorder & RecordingState {
  return overBatches(
    deps,
    (windows) => ({
      recordBatch: withoutPipelining((client, findings) => recordServers(client, findings, windows)),
      asTrial: asReportedNow,
    }),
    (batches: Batches<ServerFinding, RecordedServer>): Omit<ServerRecorder, 'close'> => ({
      async recordReport(finding) {
        if (batches.waiting >= sizeOf('serverReports')) return { kind: 'busy', wantsTop: false }
        const recorded = await batches.record({ kind: 'report', ...finding }, GATHER_MS)
        // Only a silence is stale or covered.
        return recorded as ReportFate
      },
      recordSilence: (serverId) => batches.record({ kind: 'silence', serverId }, 0),
    }),
  )
}

function asReportedNow(finding: ServerFinding, now: Date): ServerFinding {
  return finding.kind === 'report' ? { ...finding, receivedAt: now } : finding
}
