import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS, secondsOf } from './response-details.ts'
import type { Dialect } from './text/layout.ts'
import { linksOf, plainDialect, writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import { escapeHtml } from './text/markup.ts'
import type { Message } from './text/message.ts'
import { compose } from './text/message.ts'

/** In UTF-16 units: an event may have 65,536 bytes, and has the text twice. */
const MAX_TITLE_LENGTH = 2_000
const MAX_BODY_LENGTH = 6_000
const htmlDialect: Dialect = { escape: escapeHtml, bold: (escaped) => `<strong>${escaped}</strong>` }

/**
 * Sends to a room of Matrix, in the clear. The delivery's message ID is that of the transaction: a homeserver takes a
 * message once, however often it is sent.
 */
export function matrixChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['matrix']> {
  return (sending) => {
    const { alert, config, firstReceipt, messageId, signal } = sending
    const [room, transaction] = [config.room_id, messageId].map(encodeURIComponent)
    const server = config.homeserver_url.replace(/\/+$/, '')
    return postJson(
      sender,
      {
        method: 'PUT',
        url: `${server}/_matrix/client/v3/rooms/${room}/send/m.room.message/${transaction}`,
        body: JSON.stringify({
          ...matrixEvent(compose(alert, siteUrl, sending)),
          ...answering(firstReceipt, config.room_id),
        }),
        headers: { authorization: `Bearer ${config.access_token}` },
        secrets: [config.access_token, ...secretPath(config.homeserver_url)],
        read: (answer) => readMatrix(answer, config.room_id),
      },
      signal,
    )
  }
}

export function matrixEvent(message: Message) {
  const links = linksOf(message)
  const plain = [
    writeTitle(message, plainDialect, MAX_TITLE_LENGTH),
    writeBody(message, plainDialect, MAX_BODY_LENGTH),
    ...links.map(([label, url]) => `${label}: ${url}`),
  ]
  const html = [
    writeTitle(message, htmlDialect, MAX_TITLE_LENGTH),
    writeBody(message, htmlDialect, MAX_BODY_LENGTH).replaceAll('\n', '<br>'),
    links.map(([label, url]) => `<a href="${Array.from(url, escapeHtml).join('')}">${label}</a>`).join(' · '),
  ]
  return {
    // Clients are silent about notices, which bots use otherwise.
    msgtype: 'm.text',
    body: plain.join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: html.join('<br>'),
    // No one is mentioned, whatever the text says.
    'm.mentions': {},
  }
}

/** Makes a message the answer to the first one about the incident, unless the contact had another room then. */
function answering(firstReceipt: string | null, roomId: string) {
  const [room, event] = firstReceipt?.split(' ') ?? []
  if (room !== roomId || event === undefined) return {}
  return { 'm.relates_to': { 'm.in_reply_to': { event_id: event } } }
}

function readMatrix(body: unknown, roomId: string): ResponseDetails {
  const [code, error, id] = ['errcode', 'error', 'event_id'].map((name) => memberOf(body, name))
  if (typeof code !== 'string') {
    return typeof id === 'string' ? { ...NO_DETAILS, detail: id, receipt: `${roomId} ${id}` } : NO_DETAILS
  }
  const waitMs = memberOf(body, 'retry_after_ms')
  const retryAfterSeconds = typeof waitMs === 'number' ? secondsOf(waitMs / 1_000) : null
  return { ...NO_DETAILS, detail: `${code}: ${error}`, retryAfterSeconds }
}
