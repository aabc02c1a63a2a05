import { addressees } from '../../core/alerting/alert-routing.ts'
import { conditionKey, isOfProcesses } from '../../core/servers/condition.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import {
  openServerIncident,
  resolveServerIncident,
  type ServerSubject,
} from '../../store/servers/recording.ts'
import { serverAlert } from './server-alert.ts'

type Consequences = {
  server: ServerSubject
  hostName: string | null
  top: TopProcess[]
  at: Date
}

/**
 * Writes the incidents that a judgement ends and begins, with their deliveries. IDs of new ones go into their conditions,
 * which is why this comes before the state is written.
 */
export async function writeJudgement(
  client: Connection,
  { begins, ends }: Pick<ServerJudgement, 'begins' | 'ends'>,
  { server, hostName, top, at }: Consequences,
): Promise<void> {
  if (begins.length === 0 && ends.length === 0) return
  const { serverId, teamId } = server
  const subject = { kind: 'server', id: serverId } as const
  const contacts = await readRecipients(client, subject, teamId)
  const about = { server, hostName, processes: [] as TopProcess[], resolved: null }

  for (const { condition, cause } of ends) {
    const incidentId = condition.incident_id
    const resolved = incidentId === null ? null : await resolveServerIncident(client, incidentId, at)
    if (!resolved) continue
    const event = 'server.recovery'
    const alert = serverAlert(event, { ...about, cause, occurredAt: at, resolved })
    const recipients = addressees(contacts, event)
    await insertDeliveries(client, {
      teamId,
      subject,
      incidentId,
      event,
      alert: JSON.stringify(alert),
      recipients,
    })
  }
  for (const { condition, cause, startedAt } of begins) {
    const processes = isOfProcesses(condition) ? top : []
    const incidentId = await openServerIncident(client, {
      teamId,
      serverId,
      condition: conditionKey(condition),
      warnsOnly: condition.warns_only,
      startedAt,
      cause,
      processes,
    })
    condition.incident_id = incidentId
    const event = condition.warns_only ? 'server.degraded' : 'server.down'
    const alert = serverAlert(event, { ...about, cause, processes, occurredAt: startedAt })
    const recipients = addressees(contacts, event)
    await insertDeliveries(client, {
      teamId,
      subject,
      incidentId,
      event,
      alert: JSON.stringify(alert),
      recipients,
    })
  }
}
