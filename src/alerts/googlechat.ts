import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import { threadKey } from './text/incident-key.ts'
import type { Dialect } from './text/layout.ts'
import { linksOf, plainDialect, UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import { escapeGoogleChat, escapeHtml } from './text/markup.ts'
import type { Message } from './text/message.ts'
import { compose } from './text/message.ts'

const MAX_TITLE_LENGTH = 1_000
/** In UTF-16 units, of at most three bytes each: a message may have 32,000 bytes. */
const MAX_BODY_LENGTH = 4_000
/** A message about a group; its thread and address want some more. */
const MAX_GROUP_BYTES = 31_000
const titleDialect: Dialect = { ...plainDialect, escape: escapeGoogleChat }
const cardDialect: Dialect = { escape: escapeHtml, bold: (escaped) => `<b>${escaped}</b>` }

/** Posts to a space of Google Chat. All messages about an incident are one thread. */
export function googlechatChannel(
  sender: JsonSender,
  siteUrl: string,
): Channel<ContactConfigs['googlechat']> {
  return (sending) => {
    const { alert, config, signal } = sending
    const payload = googlechatPayload(compose(alert, siteUrl, sending))
    const body = JSON.stringify({ ...payload, thread: { threadKey: threadKey(sending, siteUrl) } })
    const url = threaded(config.webhook_url)
    const headers = { 'content-type': 'application/json; charset=UTF-8' }
    const secrets = secretPath(config.webhook_url)
    return postJson(sender, { kind: 'contact', url, body, headers, secrets, read: readGoogleChat }, signal)
  }
}

/** Without this a webhook's message begins a thread of its own, whatever its key says. */
function threaded(webhookUrl: string): string {
  const { origin, pathname, search } = new URL(webhookUrl)
  const option = 'messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
  return `${origin}${pathname}${search ? `${search}&` : '?'}${option}`
}

/** Notifications show the text, and not the card. */
export function googlechatPayload(message: Message, limit = message.names ? UNLIMITED : MAX_BODY_LENGTH) {
  const buttons = linksOf(message).map(([text, url]) => ({ text, onClick: { openLink: { url } } }))
  const text = writeBody(message, cardDialect, limit).replaceAll('\n', '<br>')
  const widgets = [{ textParagraph: { text } }, { buttonList: { buttons } }]
  return {
    text: writeTitle(message, titleDialect, MAX_TITLE_LENGTH),
    cardsV2: [{ cardId: 'alert', card: { sections: [{ widgets }] } }],
  }
}

export const googlechatCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => Buffer.byteLength(JSON.stringify(googlechatPayload(message))) <= MAX_GROUP_BYTES,
}

/** An accepted message is repeated in full; its name is enough for the log. */
function readGoogleChat(body: unknown): ResponseDetails {
  const [name, error] = [memberOf(body, 'name'), memberOf(body, 'error')]
  const [status, message] = [memberOf(error, 'status'), memberOf(error, 'message')]
  if (typeof message === 'string') return { ...NO_DETAILS, detail: `${status}: ${message}` }
  return typeof name === 'string' ? { ...NO_DETAILS, detail: name } : NO_DETAILS
}
