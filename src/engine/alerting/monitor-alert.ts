import type { Alert, MonitorEvent } from '../../core/alerting/alert.ts'
import { formatInstant } from '../../core/instant.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { notesInAlerts } from '../../core/monitors/notes.ts'
import { serverOfTarget } from '../../core/monitors/server-of-target.ts'
import type { Subject } from '../../store/monitors/recording.ts'

/** The alert about a monitor; `resolved` is the incident that its recovery ended. */
export function monitorAlert(
  event: MonitorEvent,
  subject: Subject,
  occurredAt: Date,
  result: CheckResult,
  resolved: { startedAt: Date; resolvedAt: Date; cause: string | null } | null,
): Alert {
  return {
    event,
    type: 'monitor',
    id: subject.monitorId,
    name: subject.name,
    target: subject.url,
    ...(subject.sealedUrl !== null && { sealedTarget: subject.sealedUrl }),
    occurredAt: formatInstant(occurredAt),
    cause: event === 'monitor.recovery' ? (resolved?.cause ?? null) : result.errorMessage,
    downSeconds: resolved ? secondsBetween(resolved.startedAt, resolved.resolvedAt) : null,
    teamName: subject.teamName,
    ...(subject.language && { language: subject.language }),
    teamId: subject.teamId,
    ...(event !== 'monitor.recovery' && forResponders(subject)),
    ...(event === 'monitor.down' && serverOf(subject)),
  }
}

function serverOf({ url, downServers }: Subject): Pick<Alert, 'server'> {
  const server = serverOfTarget(url, downServers ?? [])
  return server === null ? {} : { server }
}

function forResponders({ runbookUrl, notes }: Subject): Pick<Alert, 'runbook' | 'notes'> {
  return {
    ...(runbookUrl !== null && { runbook: runbookUrl }),
    ...(notes !== null && { notes: notesInAlerts(notes) }),
  }
}
