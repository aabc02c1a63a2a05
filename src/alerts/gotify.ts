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

const MAX_TITLE_LENGTH = 500
const MAX_TEXT_LENGTH = 5_000
/** A message about a group stays well below the 65,535 bytes that MySQL keeps of a text, since an app shows all of it. */
const MAX_GROUP_BYTES = 20_000
/** From 8 on a phone makes a sound and vibrates, from 4 on it makes a sound. */
const PRIORITIES = { bad: 8, good: 5, warning: 5, neutral: 5 } as const satisfies Record<Tone, number>

/** Sends as an application of a Gotify server. */
export function gotifyChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['gotify']> {
  return (sending) => {
    const { alert, config, signal } = sending
    const url = `${config.server_url.replace(/\/+$/, '')}/message`
    const body = JSON.stringify(gotifyMessage(compose(alert, siteUrl, sending)))
    const headers = { 'x-gotify-key': config.app_token }
    const secrets = [config.app_token, ...secretPath(config.server_url)]
    const post = { url, body, headers, secrets, terms: termsOf(config), read: readGotify }
    return postJson(sender, { kind: 'contact', ...post }, signal)
  }
}

/** Gotify has no buttons: what else to press stands in the text. */
export function gotifyMessage(message: Message, limit = message.names ? UNLIMITED : MAX_TEXT_LENGTH) {
  const { acknowledgeUrl, runbook, link, t } = message
  const lines = [
    writeBody(message, plainDialect, limit),
    acknowledgeUrl && `${t('Acknowledge')}: ${acknowledgeUrl}`,
    runbook && `${t('Runbook')}: ${runbook}`,
  ]
  return {
    title: writeTitle(message, plainDialect, MAX_TITLE_LENGTH),
    message: lines.filter(Boolean).join('\n'),
    // One message of a group makes a sound.
    priority: message.follows ? PRIORITIES.neutral : PRIORITIES[message.tone],
    extras: {
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: link } },
    },
  }
}

export const gotifyCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => Buffer.byteLength(gotifyMessage(message).message) <= MAX_GROUP_BYTES,
}

/** An accepted message is repeated in full. */
function readGotify(body: unknown): ResponseDetails {
  const [id, description] = [memberOf(body, 'id'), memberOf(body, 'errorDescription')]
  if (typeof description === 'string') return { ...NO_DETAILS, detail: description }
  return typeof id === 'number' ? { ...NO_DETAILS, detail: `message ${id}` } : NO_DETAILS
}
