import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import { incomingWebhook } from './incoming-webhook.ts'
import type { JsonSender } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import { fitPlain, linksOf, plainDialect, UNLIMITED, writeTitle } from './text/layout.ts'
import type { Message, Tone } from './text/message.ts'
import { allLines } from './text/message.ts'

/** In UTF-16 units, of at most three bytes each: with its links a card stays below the 28 kB that Teams takes. */
const MAX_TITLE_LENGTH = 600
const MAX_LINE_LENGTH = 900
/** A message about a group takes this much of the 28 kB. */
const MAX_GROUP_BYTES = 27_000
const COLORS: Record<Tone, string> = {
  bad: 'Attention',
  good: 'Good',
  warning: 'Warning',
  neutral: 'Default',
}

/** Posts an Adaptive Card to a workflow of Teams, which answers 202 before it has shown the card. */
export function teamsChannel(sender: JsonSender, siteUrl: string): Channel<ContactConfigs['teams']> {
  return incomingWebhook(sender, siteUrl, { payloadOf: teamsPayload, read: readTeams })
}

/** Text runs, unlike text blocks, know no Markdown. */
export function teamsPayload(message: Message) {
  const limit = message.names ? UNLIMITED : MAX_LINE_LENGTH
  const title = run(writeTitle(message, plainDialect, MAX_TITLE_LENGTH))
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      paragraph({ ...title, size: 'Large', weight: 'Bolder', color: COLORS[message.tone] }),
      ...(message.text ? [paragraph(run(message.text))] : []),
      ...allLines(message).map(([label, value]) =>
        paragraph(
          ...(label === '' ? [] : [{ ...run(`${label}: `), weight: 'Bolder' }]),
          run(fitPlain(value, limit)),
        ),
      ),
    ],
    actions: linksOf(message).map(([title, url]) => ({ type: 'Action.OpenUrl', title, url })),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}

export const teamsCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => Buffer.byteLength(JSON.stringify(teamsPayload(message))) <= MAX_GROUP_BYTES,
}

type Run = { type: 'TextRun'; text: string; size?: string; weight?: string; color?: string }

function run(text: string): Run {
  return { type: 'TextRun', text }
}

function paragraph(...inlines: Run[]) {
  return { type: 'RichTextBlock', inlines }
}

/** A workflow that was turned off, deleted or asked too often says so in words. */
function readTeams(body: unknown): ResponseDetails {
  const message = memberOf(memberOf(body, 'error'), 'message')
  return typeof message === 'string' ? { ...NO_DETAILS, detail: message } : NO_DETAILS
}
