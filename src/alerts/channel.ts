import type { Alert } from '../core/alerting/alert.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'

/** One attempt to deliver one alert to one contact. */
export type Sending<Config> = {
  /** Identifies the delivery and stays the same across retries, so that receivers can drop duplicates. */
  messageId: string
  /** The delivery that this one answers: for a recovery, the delivery that reported the outage to the same contact. */
  inReplyTo: string | null
  /** The receiver's own name of that delivery's message; null if it gave none. */
  firstReceipt: string | null
  alert: Alert
  /** Several alerts in one message, oldest first; `alert` is the first of them. */
  together?: Alert[]
  /** The incident of the alert's monitor, server or site; null if it belongs to none. */
  incidentId: number | null
  /** Where this contact acknowledges the incident without signing in; a secret. */
  acknowledgeUrl?: string
  config: Config
  /** The team's secret: `whsec_` and base64. */
  signingSecret: string
  /** The time of this attempt. */
  sentAt: Date
  signal: AbortSignal
}

/** A way to deliver alerts: one attempt, bounded in time, with expected failures as data. */
export type Channel<Config> = (sending: Sending<Config>) => Promise<DeliveryOutcome>
