import type { Alert } from '../../core/alerting/alert.ts'
import { addressees } from '../../core/alerting/alert-routing.ts'
import { conditionKey } from '../../core/servers/condition.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { ServerJudgement } from '../../core/servers/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import { openIncident, resolveIncident } from '../../store/incidents/recording.ts'
import type { ServerSubject } from '../../store/servers/recording.ts'
import { culpritsOf, serverRecovery, serverTrouble } from '../alerting/server-alert.ts'
import { closeEscalation, NOTHING_TOLD, withAcknowledgement } from '../on-call/close-escalation.ts'
import { openEscalation } from '../on-call/open-escalation.ts'

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
  const subject = { kind: 'server', id: serverId } as const
  const contacts = await readRecipients(client, subject, teamId)
  const tell = (incidentId: number, alert: Alert, told = NOTHING_TOLD) =>
    insertDeliveries(client, {
      teamId,
      subject,
      incidentId,
      event: alert.event,
      alert: JSON.stringify(withAcknowledgement(alert, told)),
      recipients: addressees(contacts, alert.event, told.escalatedTo),
    })

  for (const ended of ends) {
    const incidentId = ended.condition.incident_id
    if (incidentId === null) continue
    const ref = { kind: 'server', id: incidentId } as const
    const resolved = await resolveIncident(client, ref, at)
    if (!resolved) continue
    const told = await closeEscalation(client, ref)
    await tell(incidentId, serverRecovery(alerted, ended, resolved, judgement), told)
  }
  for (const begun of begins) {
    const { condition, cause, startedAt } = begun
    const processes = culpritsOf(condition, top)
    const incidentId = await openIncident(client, {
      kind: 'server',
      teamId,
      subjectId: serverId,
      condition: conditionKey(condition),
      warnsOnly: condition.warns_only,
      startedAt,
      cause,
      processes,
    })
    condition.incident_id = incidentId
    const alert = serverTrouble(alerted, begun, processes)
    await tell(incidentId, alert)
    // A warning wakes nobody.
    if (condition.warns_only) continue
    await openEscalation(client, subject, { teamId, incidentId, alert: JSON.stringify(alert) })
  }
}
