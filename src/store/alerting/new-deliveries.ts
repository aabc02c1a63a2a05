import type { AlertEvent } from '../../core/alerting/alert.ts'
import type { Addressee } from '../../core/alerting/alert-routing.ts'
import type { ContactType } from '../../core/alerting/contact.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Connection } from '../../postgres/database.ts'
import { DELIVERIES_CHANNEL, DELIVERY_NOTIFICATION } from '../news.ts'

/** Named statements of the recorder: what it has to tell to whom. */

export type Recipient = Addressee & { name: string; type: ContactType }

/** All contacts of the team; `attached` marks those of the subject. */
export async function readRecipients(
  client: Connection,
  { kind, id }: SubjectRef,
  teamId: number,
): Promise<Recipient[]> {
  const { rows } = await client.query<Recipient>({
    name: 'read-recipients',
    text: `SELECT c.id AS "contactId", c.name, c.type, c.notify_on_down AS "notifyOnDown",
                  c.notify_on_recovery AS "notifyOnRecovery", sc.contact_id IS NOT NULL AS attached
           FROM contacts c
           LEFT JOIN subject_contacts sc ON sc.contact_id = c.id AND sc.kind = $1 AND sc.subject_id = $2
           WHERE c.team_id = $3 ORDER BY c.id FOR KEY SHARE OF c`,
    values: [kind, id, teamId],
  })
  return rows
}

export type NewDelivery = {
  teamId: number
  /** Null for a drill. */
  subject: SubjectRef | null
  /** The incident of the subject; null for an event without one. */
  incidentId: number | null
  event: AlertEvent
  alert: string
  recipients: Recipient[]
  /** The row of escalation_steps that makes it; 0 for the first alert. */
  step?: number
}

/** An incident tells a contact of an event once a step. */
export async function insertDeliveries(client: Connection, delivery: NewDelivery): Promise<void> {
  const { teamId, subject, incidentId, event, alert, recipients, step = 0 } = delivery
  if (recipients.length === 0) return
  await client.query({
    name: 'insert-deliveries',
    text: `INSERT INTO deliveries AS d (team_id, kind, subject_id, team_incident_id, event, alert, step, created_at,
                                        contact_id, contact_name, contact_type)
           SELECT $1, $2, $3, $4, $5, $6::jsonb, $7, now(), c.* FROM unnest($8::int[], $9::text[], $10::text[]) AS c
           ON CONFLICT DO NOTHING
           RETURNING ${DELIVERY_NOTIFICATION}`,
    values: [
      teamId,
      subject?.kind ?? null,
      subject?.id ?? null,
      incidentId,
      event,
      alert,
      step,
      recipients.map(({ contactId }) => contactId),
      recipients.map(({ name }) => name),
      recipients.map(({ type }) => type),
    ],
  })
  await client.query(`NOTIFY ${DELIVERIES_CHANNEL}`)
}
