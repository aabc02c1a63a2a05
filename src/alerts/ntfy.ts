import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson, termsOf } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import { plainDialect, UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import type { Message, Tone } from './text/message.ts'
import { compose } from './text/message.ts'

const MAX_TITLE_LENGTH = 250
/** In UTF-16 units, of at most three bytes each: a message over 4,096 bytes would arrive as a file. */
const MAX_TEXT_LENGTH = 1_300
const MAX_GROUP_BYTES = 4_096
/** 5 keeps a phone sounding and vibrating, 3 is the usual. */
const PRIORITIES = { bad: 5, good: 3, warning: 4, neutral: 3 } as const satisfies Record<Tone, number>

/** Publishes to a topic of an ntfy server, as JSON: headers could not hold every character of a name. */
export function ntfyChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['ntfy']> {
  return (sending) => {
    const { alert, config, signal } = sending
    const { server, topic } = partsOf(config.topic_url)
    const body = JSON.stringify({ topic, ...ntfyMessage(compose(alert, siteUrl, sending)) })
    const headers = config.token ? { authorization: `Bearer ${config.token}` } : {}
    const secrets = [topic, ...secretPath(config.topic_url), config.token]
    const post = { url: server, body, headers, secrets, terms: termsOf(config), read: readNtfy }
    return postJson(sender, { kind: 'contact', ...post }, signal)
  }
}

/** Messages as JSON go to the server itself, which may be below a path. */
function partsOf(topicUrl: string): { server: string; topic: string } {
  const url = new URL(topicUrl)
  const end = url.pathname.lastIndexOf('/') + 1
  return { server: `${url.origin}${url.pathname.slice(0, end)}`, topic: url.pathname.slice(end) }
}

export function ntfyMessage(message: Message, limit = message.names ? UNLIMITED : MAX_TEXT_LENGTH) {
  const { t, acknowledgeUrl, runbook, link } = message
  return {
    title: writeTitle(message, plainDialect, MAX_TITLE_LENGTH),
    message: writeBody(message, plainDialect, limit),
    // One message of a group makes a sound.
    priority: message.follows ? PRIORITIES.neutral : PRIORITIES[message.tone],
    click: link,
    actions: [
      ...(acknowledgeUrl ? [{ action: 'view', label: t('Acknowledge'), url: acknowledgeUrl }] : []),
      ...(runbook ? [{ action: 'view', label: t('Open runbook'), url: runbook }] : []),
    ],
  }
}

export const ntfyCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => Buffer.byteLength(ntfyMessage(message).message) <= MAX_GROUP_BYTES,
}

/** A refusal has a code of its own, such as 42908 for the quota of a day; what is accepted is repeated in full. */
function readNtfy(body: unknown): ResponseDetails {
  const [id, error, code] = [memberOf(body, 'id'), memberOf(body, 'error'), memberOf(body, 'code')]
  if (typeof error === 'string') return { ...NO_DETAILS, detail: `${error} (${code})` }
  return typeof id === 'string' ? { ...NO_DETAILS, detail: `message ${id}` } : NO_DETAILS
}
