import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS, secondsOf } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import type { Dialect } from './text/layout.ts'
import { TONE_COLORS, writeBlocks, writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import { escapeDiscord } from './text/markup.ts'
import type { Message } from './text/message.ts'
import { compose, oneLine } from './text/message.ts'

const MAX_CONTENT_LENGTH = 2_000
const MAX_DESCRIPTION_LENGTH = 4_096
/** All embeds of a message together have this many characters at most. */
const MAX_EMBEDS_LENGTH = 6_000
const discordDialect: Dialect = { escape: escapeDiscord, bold: (escaped) => `**${escaped}**` }

/**
 * Posts to a webhook of a Discord channel. A recovery also edits the first message about the incident, so that what is
 * red there is still down.
 */
export function discordChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['discord']> {
  return async (sending) => {
    const { alert, config, firstReceipt, signal } = sending
    const message = compose(alert, siteUrl, sending)
    const secrets = secretPath(config.webhook_url)
    const ask = (method: 'POST' | 'PATCH', url: string, payload: object) =>
      postJson(
        sender,
        { kind: 'contact', method, url, body: JSON.stringify(payload), secrets, read: readDiscord },
        signal,
      )
    const outcome = await ask('POST', placeOf(config), discordPayload(message))
    if (sending.group) return withoutReceipt(outcome)
    if (outcome.kind === 'sent' && firstReceipt !== null && alert.event.endsWith('.recovery')) {
      const { username: _, ...over } = discordPayload({
        ...message,
        title: oneLine(
          message.t(alert.flapping ? '{name} was flapping' : '{name} was down', { name: alert.name }),
        ),
      })
      // The reader of the news needs no second attempt at this.
      await ask('PATCH', placeOf(config, firstReceipt), over)
    }
    return outcome
  }
}

/** The message of a group stays as it is when one of its incidents ends. */
function withoutReceipt(outcome: DeliveryOutcome): DeliveryOutcome {
  if (outcome.kind !== 'sent') return outcome
  const { receipt: _, ...sent } = outcome
  return sent
}

/** The address of the webhook, or of one of its messages. With `wait` Discord answers with the message. */
function placeOf({ webhook_url, thread_id }: ContactConfigs['discord'], message?: string): string {
  const url = new URL(webhook_url)
  if (thread_id) url.searchParams.set('thread_id', thread_id)
  const { origin, pathname, search } = url
  const more = message === undefined ? 'wait=true' : ''
  const query = [search.slice(1), more].filter(Boolean).join('&')
  const path = message === undefined ? '' : `/messages/${message}`
  return `${origin}${pathname.replace(/\/$/, '')}${path}${query && `?${query}`}`
}

/**
 * The headline goes into the content, because phone notifications show that and not the embed. The link is plain text:
 * Discord rejects a whole message over an embed `url` such as http://localhost:3000.
 */
export function discordPayload(message: Message) {
  const runbook = message.runbook ? `\n**${message.t('Runbook')}:** ${message.runbook}` : ''
  const acknowledge = message.acknowledgeUrl
    ? `\n**${message.t('Acknowledge')}:** ${message.acknowledgeUrl}`
    : ''
  const link = `${runbook}${acknowledge}\n${message.link}`
  const room = MAX_DESCRIPTION_LENGTH - link.length
  const blocks = message.names
    ? writeBlocks(message, discordDialect, room)
    : [writeBody(message, discordDialect, room)]
  return {
    username: 'Upbeat',
    content: writeTitle(message, discordDialect, MAX_CONTENT_LENGTH),
    embeds: (blocks.length > 0 ? blocks : ['']).map((block, index) => ({
      description: `${block}${index >= blocks.length - 1 ? link : ''}`,
      color: TONE_COLORS[message.tone],
    })),
    allowed_mentions: { parse: [] },
  }
}

export const discordCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => {
    const { embeds } = discordPayload(message)
    return embeds.reduce((sum, { description }) => sum + description.length, 0) <= MAX_EMBEDS_LENGTH
  },
}

/** The body gives seconds more precisely than the header. */
function readDiscord(body: unknown): ResponseDetails {
  const id = memberOf(body, 'id')
  if (typeof id === 'string' && /^\d+$/.test(id))
    return { ...NO_DETAILS, detail: `message ${id}`, receipt: id }
  return { ...NO_DETAILS, retryAfterSeconds: secondsOf(memberOf(body, 'retry_after')) }
}
