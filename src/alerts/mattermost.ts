import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import { incomingWebhook } from './incoming-webhook.ts'
import type { JsonSender } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import type { Dialect } from './text/layout.ts'
import { linksOf, TONE_COLORS, UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import { escapeMattermost, escapeMattermostTitle } from './text/markup.ts'
import type { Message } from './text/message.ts'

/** A title is cut well below the 16,383 characters that a post may have. */
const MAX_TITLE_LENGTH = 3_000
const MAX_BODY_LENGTH = 12_000
/** The text about a group, with its links. */
const MAX_GROUP_LENGTH = 16_000
const titleDialect: Dialect = { escape: escapeMattermostTitle, bold: (escaped) => `**${escaped}**` }
const bodyDialect: Dialect = { escape: escapeMattermost, bold: (escaped) => `**${escaped}**` }

/** Posts to an incoming webhook of Mattermost. */
export function mattermostChannel(
  sender: JsonSender,
  siteUrl: string,
): Channel<ContactConfigs['mattermost']> {
  return incomingWebhook(sender, siteUrl, {
    payloadOf: (message) => mattermostPayload(message),
    read: readMattermost,
  })
}

export function mattermostPayload(message: Message, limit = message.names ? UNLIMITED : MAX_BODY_LENGTH) {
  const title = writeTitle(message, titleDialect, MAX_TITLE_LENGTH)
  const links = linksOf(message).map(([label, url]) => `[${label}](${url})`)
  const text = `${writeBody(message, bodyDialect, limit)}\n${links.join(' · ')}`
  const color = `#${TONE_COLORS[message.tone].toString(16)}`
  return { text: title, attachments: [{ color, fallback: title, text }] }
}

export const mattermostCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) =>
    mattermostPayload(message).attachments.every(({ text }) => text.length <= MAX_GROUP_LENGTH),
}

function readMattermost(body: unknown): ResponseDetails {
  const message = memberOf(body, 'message')
  return typeof message === 'string' ? { ...NO_DETAILS, detail: message } : NO_DETAILS
}
