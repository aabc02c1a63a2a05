import type { Alert } from '../core/alerting/alert.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import type { IncidentKind } from '../core/monitors/incidents/incident-kind.ts'
import type { FailingAnswer } from '../core/probing/failing-answer.ts'
import type { Message } from './text/message.ts'

/** One attempt to deliver one alert to one contact. */
export type Sending<Config> = {
  /** Identifies the delivery and stays the same across retries, so that receivers can drop duplicates. */
  messageId: string
  /** The delivery that this one answers: for a recovery, the delivery that reported the outage to the same contact. */
  inReplyTo: string | null
  /** The receiver's own name of that delivery's message; null if it gave none. */
  firstReceipt: string | null
  alert: Alert
  /** The message that tells several alerts together; `alert` is the worst of them. */
  group?: Message
  /** Names the group that this message is of, or that the first alert of its incident was in; null: that went alone. */
  groupId: string | null
  /** The incident of the alert's subject; null if it belongs to none. */
  incidentId: number | null
  /** All that this contact need not be called for any more: incidents, and the groups of which nothing is left. */
  ended?: { incidents: { type: IncidentKind; id: number }[]; groups: string[] }
  /** Where this contact acknowledges the incident without signing in; a secret. */
  acknowledgeUrl?: string
  /** The first line of the diagnosis of the incident, where it is there by now: no alert waits for it. */
  diagnosis?: string
  /** The answer of the target that failed the check which opened the incident; null where none is kept. */
  answer?: () => Promise<FailingAnswer | null>
  /** The zone of the IANA database in which the text gives times; null for UTC. */
  timeZone: string | null
  config: Config
  /** The team's secret: `whsec_` and base64. */
  signingSecret: string
  /** The time of this attempt. */
  sentAt: Date
  signal: AbortSignal
}

/** A way to deliver alerts: one attempt, bounded in time, with expected failures as data. */
export type Channel<Config> = (sending: Sending<Config>) => Promise<DeliveryOutcome>
