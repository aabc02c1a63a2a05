import { isAcknowledgement } from '../core/alerting/alert.ts'
import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel, Sending } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import { groupKey, incidentKey, keyOfIncident } from './text/incident-key.ts'
import { plainDialect, UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import type { Message, Tone } from './text/message.ts'
import { compose } from './text/message.ts'

const MAX_TITLE_LENGTH = 250
const MAX_MESSAGE_LENGTH = 1_024
const MAX_URL_LENGTH = 512
/** 2 is an emergency, which comes again until somebody takes note of it; 1 ignores quiet hours. */
const PRIORITIES = { bad: 2, good: 0, warning: 1, neutral: 0 } as const satisfies Record<Tone, number>
const EMERGENCY = 2
const QUIET = -1
const REPEAT_SECONDS = 60
const REPEATED_FOR_SECONDS = 3_600

/**
 * Sends as an application to a user or group of Pushover. A recovery stops the repeats of its outage, and so does an
 * acknowledgement, which is not told.
 */
export function pushoverChannel(
  sender: JsonSender,
  apiUrl: string,
  siteUrl: string,
): Channel<ContactConfigs['pushover']> {
  return async (sending) => {
    const { alert, config, signal } = sending
    const post = (path: string, form: Record<string, string | number>) => {
      const body = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]))
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const secrets = [config.app_token, config.user_key]
      const request = { url: `${apiUrl}/1/${path}`, body: body.toString(), headers, secrets }
      return postJson(sender, { kind: 'vendor API', ...request, read: readPushover }, signal)
    }
    const { app_token: token, user_key: user } = config
    const tag = sending.group ? groupKey(sending.messageId, siteUrl) : incidentKey(sending, siteUrl)
    const isTaken = isAcknowledgement(alert)
    for (const ended of isTaken || alert.event.endsWith('.recovery') ? endedTags(sending, siteUrl) : []) {
      const stopped = await post(`receipts/cancel_by_tag/${encodeURIComponent(ended)}.json`, { token })
      // A recovery is news, whatever it says.
      if (isTaken && stopped.kind !== 'sent') return stopped
    }
    if (isTaken) return { kind: 'sent', statusCode: null, detail: 'its emergency is no longer repeated' }
    const message = pushoverMessage(compose(alert, siteUrl, sending), tag)
    const timestamp = Math.floor(Date.parse(alert.occurredAt) / 1_000)
    return post('messages.json', { token, user, timestamp, ...message })
  }
}

/** The tags of the emergencies that need not be repeated any more. */
function endedTags(sending: Sending<unknown>, siteUrl: string): string[] {
  const { ended } = sending
  if (!ended) return [incidentKey(sending, siteUrl)]
  return [
    ...ended.incidents.map(({ type, id }) => keyOfIncident(type, id, siteUrl)),
    ...ended.groups.map((group) => groupKey(group, siteUrl)),
  ]
}

/** There is one link of its own: what else to press stands in the text. */
export function pushoverMessage(message: Message, tag: string, limit = MAX_MESSAGE_LENGTH) {
  const { acknowledgeUrl, runbook, link, tone, t } = message
  const pressed = [
    acknowledgeUrl && `${t('Acknowledge')}: ${acknowledgeUrl}`,
    runbook && `${t('Runbook')}: ${runbook}`,
  ]
  const below = pressed
    .flatMap((line) => (line && line.length <= MAX_URL_LENGTH ? [`\n${line}`] : []))
    .join('')
  // One message of a group makes a sound.
  const priority = message.follows ? QUIET : PRIORITIES[tone]
  return {
    title: writeTitle(message, plainDialect, MAX_TITLE_LENGTH),
    message: `${writeBody(message, plainDialect, limit - below.length)}${below}`,
    priority,
    ...(priority === EMERGENCY && { retry: REPEAT_SECONDS, expire: REPEATED_FOR_SECONDS, tags: tag }),
    ...(link.length <= MAX_URL_LENGTH && { url: link, url_title: t('Open Upbeat') }),
  }
}

export const pushoverCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => [...pushoverMessage(message, '', UNLIMITED).message].length <= MAX_MESSAGE_LENGTH,
}

function readPushover(body: unknown): ResponseDetails {
  const [errors, request] = [memberOf(body, 'errors'), memberOf(body, 'request')]
  if (Array.isArray(errors)) return { ...NO_DETAILS, detail: errors.join('; ') }
  return typeof request === 'string' ? { ...NO_DETAILS, detail: `request ${request}` } : NO_DETAILS
}
