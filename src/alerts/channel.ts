import type { Alert } from '../core/alerting/alert.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'

/** One attempt to tell one contact about one alert. */
export type Sending<Config> = {
  /** Names the delivery and stays the same over its retries, so that a receiver can drop repeats. */
  messageId: string
  /** Names the delivery that this one answers: of a recovery, what told the same contact of the outage. */
  inReplyTo: string | null
  alert: Alert
  config: Config
  /** The team's, `whsec_` and base64. */
  signingSecret: string
  /** The time of this attempt. */
  sentAt: Date
  signal: AbortSignal
}

/** A way to tell: one attempt, bounded in time, with expected failure as data. */
export type Channel<Config> = (sending: Sending<Config>) => Promise<DeliveryOutcome>
