import type { Alert } from '../../core/alerting/alert.ts'
import { addressees } from '../../core/alerting/alert-routing.ts'
import { conditionKey } from '../../core/servers/condition.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import {
  openServerIncident,
  resolveServerIncident,
  type ServerSubject,
} from '../../store/servers/recording.ts'
import { culpritsOf, serverRecovery, serverTrouble } from '../alerting/server-alert.ts'

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
  judgement: Pick<ServerJudgement, 'begins' | 'ends' | 'conditions'>,
  { server, hostName, top, at }: Consequences,
): Promise<void> {
  const { begins, ends } = judgement
  if (begins.length === 0 && ends.length === 0) return
  const { serverId, teamId } = server
  const alerted = { ...server, hostName }
  const contacts = await readRecipients(client, { kind: 'server', id: serverId }, teamId)
  const tell = (incidentId: number, alert: Alert) =>
    insertDeliveries(client, {
      teamId,
      subject: { kind: 'server', id: serverId },
      incidentId,
      event: alert.event,
      alert: JSON.stringify(alert),
      recipients: addressees(contacts, alert.event),
    })

  for (const ended of ends) {
    const incidentId = ended.condition.incident_id
    const resolved = incidentId === null ? null : await resolveServerIncident(client, incidentId, at)
    if (incidentId !== null && resolved)
      await tell(incidentId, serverRecovery(alerted, ended, resolved, judgement))
  }
  for (const begun of begins) {
    const { condition, cause, startedAt } = begun
    const processes = culpritsOf(condition, top)
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
    await tell(incidentId, serverTrouble(alerted, begun, processes))
  }
}
