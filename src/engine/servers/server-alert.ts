import type { Alert, ServerEvent } from '../../core/alerting/alert.ts'
import { formatInstant } from '../../core/instant.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerSubject } from '../../store/servers/recording.ts'

type About = {
  /** The subject, with the name that its machine gives itself. */
  server: ServerSubject
  hostName: string | null
  cause: string
  processes: TopProcess[]
  occurredAt: Date
  /** The incident that a recovery ended. */
  resolved: { startedAt: Date; resolvedAt: Date } | null
}

/** The alert about a condition of a server. */
export function serverAlert(event: ServerEvent, about: About): Alert {
  const { server, hostName, cause, processes, occurredAt, resolved } = about
  return {
    event,
    type: 'server',
    id: server.serverId,
    name: server.name,
    target: hostName,
    occurredAt: formatInstant(occurredAt),
    cause,
    downSeconds: resolved ? secondsBetween(resolved.startedAt, resolved.resolvedAt) : null,
    teamName: server.teamName,
    teamId: server.teamId,
    ...(processes.length > 0 && { processes: processes.map(({ name }) => name) }),
  }
}
