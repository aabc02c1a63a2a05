import { type PlannedDeadline, waitedSince } from '../../core/maintenance/deadline.ts'
import { type Maintenance, maintenanceAt as maintenanceOf } from '../../core/maintenance/maintenance-at.ts'
import { MAX_BACK_MS } from '../../core/maintenance/team-cover.ts'
import { needsWarning, standingWarnings } from '../../core/monitors/certificate.ts'
import { waitBefore } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import type { Connection } from '../../postgres/database.ts'
import type { StateRow, Subject } from '../../store/monitors/recording.ts'
import type { CoverOf, KnownWindows } from '../maintenance/known-windows.ts'
import type { Finding } from './finding.ts'

type Known = { states: Map<number, StateRow>; subjects: Map<number, Subject> }

/** Reads the windows that findings of a batch are judged by; for most batches there is nothing to read. */
export async function readCovers(
  client: Connection,
  findings: Finding[],
  known: Known,
  windows: KnownWindows,
): Promise<CoverOf> {
  const asked = findings.filter((finding) => mattersTo(finding, known))
  if (asked.length === 0) return () => null
  const newestMs = Math.max(...asked.map(({ checkedAt }) => checkedAt.getTime()))
  const oldestMs = Math.min(...asked.map((finding) => lookedBackTo(finding, known).getTime()))
  const from = new Date(Math.max(oldestMs, newestMs - MAX_BACK_MS))
  return windows.read(client, 'monitor', [...new Set(asked.map(({ monitorId }) => monitorId))], from)
}

/** The meaning of windows for a finding that is to be judged by them. */
export function maintenanceAt(
  finding: Pick<Finding, 'monitorId' | 'checkedAt' | 'result'>,
  before: StateRow,
  coverOf: CoverOf,
): Maintenance {
  const { monitorId, checkedAt, result } = finding
  const cover = isSilentlyFine(result?.status) ? null : coverOf(monitorId)
  return maintenanceOf(cover, monitorId, checkedAt, before)
}

function mattersTo(finding: Finding, { states, subjects }: Known): boolean {
  const { monitorId, checkedAt, heartbeat, result, assertions } = finding
  const state = states.get(monitorId)
  // The checks before may yet make it a failure.
  if (state && result && assertions) return true
  if (!state || isSilentlyFine(result?.status)) return false
  if (heartbeat === 'silence') {
    const subject = subjects.get(monitorId)
    return state.heartbeatDueAt !== null && subject !== undefined && state.heartbeatDueAt <= subject.readAt
  }
  if (result?.status === 'degraded' && !result.unmet && result.certificate)
    return needsWarning(standingWarnings(state, checkedAt), result.certificate)
  return true
}

/** Neither passes with a warning nor fails. */
function isSilentlyFine(status: string | undefined): boolean {
  return status !== 'down' && status !== 'degraded'
}

function lookedBackTo({ monitorId, checkedAt, heartbeat }: Finding, { states, subjects }: Known): Date {
  const planned = heartbeat === 'silence' ? plannedOf(states.get(monitorId), subjects.get(monitorId)) : null
  if (!planned) return checkedAt
  return new Date(Math.min(checkedAt.getTime(), waitedSince(planned).getTime()))
}

/** Null for a monitor that has no deadline. */
export function plannedOf(state: StateRow | undefined, subject: Subject | undefined): PlannedDeadline | null {
  if (!state?.heartbeatDueAt || !subject) return null
  const { monitorId, heartbeatDueAt: dueAt, status, statusSince, lastCheckedAt } = state
  const heardAt = status === 'pending' ? statusSince : lastCheckedAt
  return { monitorId, dueAt, ...waitBefore(subject, heardAt) }
}
