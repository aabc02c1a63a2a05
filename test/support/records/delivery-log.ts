import assert from 'node:assert/strict'
import { TOO_BUSY } from '../../../src/core/monitors/cause.ts'
import { DELIVERIES_CHANNEL } from '../../../src/store/news.ts'
import type { Received, Receiver } from '../servers/receivers.ts'
import type { AskedService } from '../services/asked-service.ts'
import { until } from '../until.ts'

/** The error of an attempt that hit its deadline, ours or that of the mail library. */
const LATE = new RegExp(`^no answer within|${TOO_BUSY}|timeout|^Greeting never`, 'i')

export type LoggedDelivery = {
  messageId: string
  contactId: number | null
  incidentId: number | null
  event: string
  state: 'pending' | 'sent' | 'failed'
  attempts: number
  nextAttemptAt: Date
}

export type LoggedAttempt = {
  attemptedAt: Date
  outcome: string
  statusCode: number | null
  detail: string
}

/** The delivery log of a monitor, oldest first. */
export async function deliveriesOf(service: AskedService, monitorId: number): Promise<LoggedDelivery[]> {
  const { rows } = await service.services.db.pool.query<LoggedDelivery>(
    `SELECT message_id AS "messageId", contact_id AS "contactId", team_incident_id AS "incidentId", event, state,
            attempts, next_attempt_at AS "nextAttemptAt"
     FROM deliveries WHERE kind = 'monitor' AND subject_id = $1 ORDER BY id`,
    [monitorId],
  )
  return rows
}

export async function attemptsOf(service: AskedService, monitorId: number): Promise<LoggedAttempt[]> {
  const { rows } = await service.services.db.pool.query<LoggedAttempt>(
    `SELECT a.attempted_at AS "attemptedAt", a.outcome, a.status_code AS "statusCode", a.detail
     FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
     WHERE d.kind = 'monitor' AND d.subject_id = $1 ORDER BY d.id, a.attempt`,
    [monitorId],
  )
  return rows
}

/** That the attempt was ended by its deadline, which a slow machine may not keep. */
export const isLate = ({ detail }: LoggedAttempt): boolean => LATE.test(detail)

/** That nothing was sent twice, but for what was sent so late that nobody here waited for the answer any more. */
export function assertSentOnce(attempts: LoggedAttempt[]): void {
  const failed = attempts.filter(({ outcome }) => outcome !== 'sent')
  assert.deepEqual(
    failed.filter((attempt) => !isLate(attempt)),
    [],
  )
}

/** The monitor's deliveries once there are so many, none of them waiting to be sent. */
export function untilDelivered(
  service: AskedService,
  monitorId: number,
  count: number,
): Promise<LoggedDelivery[]> {
  return until(`${count} deliveries about monitor ${monitorId}`, async () => {
    const deliveries = await deliveriesOf(service, monitorId)
    return deliveries.length >= count && deliveries.every(({ state }) => state !== 'pending') && deliveries
  })
}

/** Has what waits for its next attempt tried in `ms`; returns when that will be. */
export async function hurryDelivery(service: AskedService, messageId: string, ms = 0): Promise<Date> {
  const { rows } = await service.services.db.pool.query<{ at: Date }>(
    `UPDATE deliveries SET next_attempt_at = now() + $2 * interval '1 ms' WHERE message_id = $1
     RETURNING date_trunc('milliseconds', next_attempt_at) AS at, pg_notify('${DELIVERIES_CHANNEL}', '')`,
    [messageId, ms],
  )
  if (!rows[0]) throw new Error(`there is no delivery ${messageId}`)
  return rows[0].at
}

/**
 * The messages received for each delivery, in order of first arrival: one whose answer came too late, for want
 * of a processor, comes again.
 */
export function messagesOf({ requests }: Receiver): Map<string, Received[]> {
  return Map.groupBy(requests, ({ headers }) => String(headers['webhook-id']))
}
