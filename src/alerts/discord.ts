import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS, secondsOf } from './response-details.ts'
import type { Dialect } from './text/layout.ts'
import { writeBody, writeTitle } from './text/layout.ts'
import { secretPath } from './text/log-text.ts'
import { escapeDiscord } from './text/markup.ts'
import type { Message, Tone } from './text/message.ts'
import { compose, oneLine } from './text/message.ts'

const MAX_CONTENT_LENGTH = 2_000
const MAX_DESCRIPTION_LENGTH = 4_096
const COLORS = {
  bad: 0xd92d20,
  good: 0x12b76a,
  warning: 0xf79009,
  neutral: 0x667085,
} as const satisfies Record<Tone, number>
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
      postJson(sender, { method, url, body: JSON.stringify(payload), secrets, read: readDiscord }, signal)
    const outcome = await ask('POST', placeOf(config.webhook_url), discordPayload(message))
    if (outcome.kind === 'sent' && firstReceipt !== null && alert.event.endsWith('.recovery')) {
      const { username: _, ...over } = discordPayload({
        ...message,
        title: oneLine(message.t('{name} was down', { name: alert.name })),
      })
      // The reader of the news needs no second attempt at this.
      await ask('PATCH', placeOf(config.webhook_url, firstReceipt), over)
    }
    return outcome
  }
}

/** The address of the webhook, or of one of its messages. With `wait` Discord answers with the message. */
function placeOf(webhookUrl: string, message?: string): string {
  const { origin, pathname, search } = new URL(webhookUrl)
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
  return {
    username: 'Upbeat',
    content: writeTitle(message, discordDialect, MAX_CONTENT_LENGTH),
    embeds: [
      {
        description: `${writeBody(message, discordDialect, MAX_DESCRIPTION_LENGTH - link.length)}${link}`,
        color: COLORS[message.tone],
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

/** The body gives seconds more precisely than the header. */
function readDiscord(body: unknown): ResponseDetails {
  const id = memberOf(body, 'id')
  if (typeof id === 'string' && /^\d+$/.test(id))
    return { ...NO_DETAILS, detail: `message ${id}`, receipt: id }
  return { ...NO_DETAILS, retryAfterSeconds: secondsOf(memberOf(body, 'retry_after')) }
}
