import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import { incomingWebhook } from './incoming-webhook.ts'
import type { JsonSender } from './json-post.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import type { Dialect } from './text/layout.ts'
import { fit, UNLIMITED, writeBlocks, writeBody, writeTitle } from './text/layout.ts'
import { escapeSlack } from './text/markup.ts'
import type { Message } from './text/message.ts'

const MAX_TEXT_LENGTH = 3_000
/** A message has this many blocks at most. */
const MAX_BLOCKS = 50
/** The names of a group, since Slack refuses blocks of about 13,000 characters in all, and counts more than their text. */
const MAX_NAMES_LENGTH = 9_000
/** Slack's limit for a header, which cannot contain markup. */
const MAX_HEADER_LENGTH = 150
const slackDialect: Dialect = { escape: escapeSlack, bold: (escaped) => `*${escaped}*` }
const plainDialect: Dialect = { escape: escapeSlack, bold: (escaped) => escaped }

/** Posts to a Slack incoming webhook. */
export function slackChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['slack']> {
  return incomingWebhook(sender, siteUrl, {
    payloadOf: (message, { channel }) => ({ ...(channel && { channel }), ...slackPayload(message) }),
  })
}

/** Slack shows `blocks`; `text` is for notifications and for receivers that do not support blocks. */
export function slackPayload(message: Message) {
  const title = writeTitle(message, plainDialect, MAX_TEXT_LENGTH)
  const { t, runbook, acknowledgeUrl } = message
  const said = [
    title,
    writeBody(message, plainDialect, message.names ? UNLIMITED : MAX_TEXT_LENGTH),
    runbook && `${t('Runbook')}: ${runbook}`,
  ]
  return {
    text: said.filter(Boolean).join('\n'),
    mrkdwn: false,
    blocks: [
      { type: title.length <= MAX_HEADER_LENGTH ? 'header' : 'section', text: plain(title) },
      ...bodyOf(message),
      ...(runbook ? [{ type: 'section', text: mrkdwn(`*${t('Runbook')}:* ${link(runbook, runbook)}`) }] : []),
      {
        type: 'context',
        elements: [
          ...(acknowledgeUrl ? [mrkdwn(link(acknowledgeUrl, t('Acknowledge')))] : []),
          mrkdwn(link(message.link, t('Open Upbeat'))),
        ],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  }
}

/** Names of a group are plain text, in which no character is markup. */
function bodyOf(message: Message) {
  return message.names
    ? writeBlocks(message, plainDialect, MAX_TEXT_LENGTH).map((text) => ({
        type: 'section',
        text: { ...plain(text), emoji: false },
      }))
    : [{ type: 'section', text: mrkdwn(writeBody(message, slackDialect, MAX_TEXT_LENGTH)) }]
}

export const slackCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => {
    const length = bodyOf(message).reduce((sum, { text }) => sum + text.text.length, 0)
    return length <= MAX_NAMES_LENGTH && slackPayload(message).blocks.length <= MAX_BLOCKS
  },
}

function link(url: string, words: string): string {
  const half = MAX_TEXT_LENGTH / 2 - 50
  return `<${fit(url, half, escapeSlack)}|${fit(words, half, escapeSlack)}>`
}

/** Plain text keeps a name's `*`, `_` and `~` as they are: in `mrkdwn` Slack has no way to escape them. */
function plain(text: string) {
  return { type: 'plain_text', text, emoji: true }
}

/** `verbatim` keeps Slack from detecting links, channels and people in plain words. */
function mrkdwn(text: string) {
  return { type: 'mrkdwn', text, verbatim: true }
}
