import type { Alert } from '../../core/alerting/alert.ts'
import { addressees } from '../../core/alerting/alert-routing.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import { NOTHING_TOLD, withAcknowledgement } from '../on-call/close-escalation.ts'
import { openEscalation } from '../on-call/open-escalation.ts'

export type Telling = {
  teamId: number
  subject: SubjectRef
  alert: Alert
  /** Null for what is no incident, such as a warning. */
  incidentId: number | null
  /** Whom a recovery owes an alert, and who had the incident. */
  told?: typeof NOTHING_TOLD
  /** Whether the incident just opened and its escalation begins. */
  opens?: boolean
}

/** Queues an alert for all whom it concerns, in the transaction that writes what it is about: for every kind of subject. */
export async function tell(
  client: Connection,
  { teamId, subject, alert, incidentId, told = NOTHING_TOLD, opens = false }: Telling,
): Promise<void> {
  const { event } = alert
  const contacts = await readRecipients(client, subject, teamId)
  const written = JSON.stringify(withAcknowledgement(alert, told))
  await insertDeliveries(client, {
    teamId,
    subject,
    incidentId,
    event,
    alert: written,
    recipients: addressees(contacts, event, told.escalatedTo),
  })
  if (opens && incidentId !== null)
    await openEscalation(client, subject, { teamId, incidentId, alert: written })
}
