import { type Alert, isAcknowledgement } from '../core/alerting/alert.ts'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel, Sending } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { incidentKey } from './text/incident-key.ts'
import { fitPlain, linksOf } from './text/layout.ts'
import type { Tone } from './text/message.ts'
import { compose } from './text/message.ts'

const MAX_SUMMARY_LENGTH = 1_024
const SEVERITIES = {
  bad: 'critical',
  good: 'info',
  warning: 'warning',
  neutral: 'info',
} as const satisfies Record<Tone, string>

/** The addresses of Events API v2 by the region of an account. */
export type PagerDutyUrls = Record<ContactConfigs['pagerduty']['region'], string>

/**
 * Opens and resolves incidents of a PagerDuty service. Its key names the incident, so that an alert that is sent again
 * opens no second one.
 */
export function pagerdutyChannel(
  sender: JsonSender,
  urls: PagerDutyUrls,
  siteUrl: string,
): Channel<ContactConfigs['pagerduty']> {
  return (sending) => {
    const { config, signal } = sending
    const url = `${urls[config.region]}/v2/enqueue`
    const body = JSON.stringify({ routing_key: config.routing_key, ...pagerdutyEvent(sending, siteUrl) })
    return postJson(
      sender,
      { kind: 'vendor API', url, body, secrets: [config.routing_key], read: readPagerDuty },
      signal,
    )
  }
}

type EventParts = Pick<Sending<unknown>, 'messageId' | 'alert' | 'incidentId' | 'acknowledgeUrl'>

export function pagerdutyEvent(sending: EventParts, siteUrl: string) {
  const { alert } = sending
  const message = compose(alert, siteUrl, sending)
  return {
    // A warning without an incident has a key that no recovery will have: it is closed by hand.
    dedup_key: incidentKey(sending, siteUrl),
    event_action: actionOf(alert),
    client: 'Upbeat',
    client_url: message.link,
    links: linksOf(message).map(([text, href]) => ({ text, href })),
    payload: {
      summary: fitPlain(message.title, MAX_SUMMARY_LENGTH),
      source: fitPlain(alert.target ?? alert.name, MAX_SUMMARY_LENGTH),
      severity: SEVERITIES[message.tone],
      timestamp: alert.occurredAt,
      class: alert.event,
      custom_details: Object.fromEntries(message.lines),
    },
  }
}

function actionOf(alert: Alert): 'trigger' | 'acknowledge' | 'resolve' {
  if (alert.event.endsWith('.recovery')) return 'resolve'
  return isAcknowledgement(alert) ? 'acknowledge' : 'trigger'
}

function readPagerDuty(body: unknown): ResponseDetails {
  const [message, errors] = [memberOf(body, 'message'), memberOf(body, 'errors')]
  if (typeof message !== 'string') return NO_DETAILS
  const reasons = Array.isArray(errors) ? errors.join('; ') : ''
  return { ...NO_DETAILS, detail: reasons ? `${message}: ${reasons}` : message }
}
