import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson, termsOf } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS, secondsOf } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import type { Dialect } from './text/layout.ts'
import { linksOf, plainDialect, UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import { escapeHtml } from './text/markup.ts'
import type { Message } from './text/message.ts'
import { compose } from './text/message.ts'

/** In UTF-16 units: an event may have 65,536 bytes, and has the text twice. */
const MAX_TITLE_LENGTH = 2_000
const MAX_BODY_LENGTH = 6_000
/** The content of an event about a group; servers add some more to it. */
const MAX_GROUP_BYTES = 50_000
const htmlDialect: Dialect = { escape: escapeHtml, bold: (escaped) => `<strong>${escaped}</strong>` }

/**
 * Sends to a room of Matrix, in the clear. The delivery's message ID is that of the transaction: a homeserver takes a
 * message once, however often it is sent.
 */
export function matrixChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['matrix']> {
  return async (sending) => {
    const { alert, config, firstReceipt, messageId, signal } = sending
    const [room, transaction] = [config.room_id, messageId].map(encodeURIComponent)
    const ask: AskMatrix = (method, path, body, read) =>
      postJson(
        sender,
        {
          kind: 'contact',
          method,
          url: `${config.homeserver_url.replace(/\/+$/, '')}/_matrix/client/v3/${path}`,
          body: body === undefined ? '' : JSON.stringify(body),
          headers: { authorization: `Bearer ${config.access_token}` },
          secrets: [config.access_token, ...secretPath(config.homeserver_url)],
          terms: termsOf(config),
          read,
        },
        signal,
      )
    const event = {
      ...matrixEvent(compose(alert, siteUrl, sending)),
      ...answering(firstReceipt, config.room_id),
    }
    const outcome = await ask('PUT', `rooms/${room}/send/m.room.message/${transaction}`, event, (answer) =>
      readMatrix(answer, config.room_id),
    )
    return outcome.kind === 'rejected' && outcome.statusCode === 403
      ? follow(outcome, config.room_id, ask)
      : outcome
  }
}

type AskMatrix = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body: object | undefined,
  read: (answer: unknown) => ResponseDetails,
) => Promise<DeliveryOutcome>

/** In a room that was upgraded, only its administrators may write: what it says of its successor leads there. */
async function follow(refused: DeliveryOutcome, roomId: string, ask: AskMatrix): Promise<DeliveryOutcome> {
  let successor: unknown
  await ask('GET', `rooms/${encodeURIComponent(roomId)}/state/m.room.tombstone/`, undefined, (answer) => {
    successor = memberOf(answer, 'replacement_room')
    return NO_DETAILS
  })
  if (typeof successor !== 'string' || successor === '' || successor === roomId) return refused
  const joined = await ask('POST', `join/${encodeURIComponent(successor)}`, {}, () => NO_DETAILS)
  const detail = `${refused.detail} (the room was upgraded to ${successor}`
  return joined.kind === 'sent'
    ? { ...refused, kind: 'moved', detail: `${detail})`, config: { room_id: successor } }
    : { ...refused, detail: `${detail}, which the account could not join)` }
}

export function matrixEvent(message: Message, limit = message.names ? UNLIMITED : MAX_BODY_LENGTH) {
  const links = linksOf(message)
  const plain = [
    writeTitle(message, plainDialect, MAX_TITLE_LENGTH),
    writeBody(message, plainDialect, limit),
    ...links.map(([label, url]) => `${label}: ${url}`),
  ]
  const html = [
    writeTitle(message, htmlDialect, MAX_TITLE_LENGTH),
    writeBody(message, htmlDialect, limit).replaceAll('\n', '<br>'),
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

export const matrixCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => Buffer.byteLength(JSON.stringify(matrixEvent(message))) <= MAX_GROUP_BYTES,
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
