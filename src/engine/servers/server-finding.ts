import type { MachineReport } from '../../core/servers/machine-report.ts'
import type { ReportFate } from '../../core/servers/placing.ts'

/** News of a server: a report of its machine, or that none came. */
export type ServerFinding = ReportFinding | { kind: 'silence'; serverId: number }
type ReportFinding = { kind: 'report'; tokenHash: Buffer; report: MachineReport; receivedAt: Date }

/**
 * `stale`: a silence that is over, or not due by the database's clock. `covered`: one inside a maintenance window, to be
 * looked at again.
 */
export type RecordedServer = {
  kind: ReportFate['kind'] | 'stale' | 'covered'
  wantsTop: boolean
  /** When a silence that is stale is due, unless a report comes before. */
  dueAt: Date | null
}

/** Each resolves once the finding and all that follows from it are durable. */
export type ServerRecorder = {
  recordReport(finding: Omit<ReportFinding, 'kind'>): Promise<ReportFate>
  recordSilence(serverId: number): Promise<Pick<RecordedServer, 'kind' | 'dueAt'>>
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}
