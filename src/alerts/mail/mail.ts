import type { SendMailOptions } from 'nodemailer'
import type { ContactConfigs } from '../../core/alerting/contact.ts'
import type { FailingAnswer } from '../../core/probing/failing-answer.ts'
import { cut } from '../../core/text.ts'
import type { Sending } from '../channel.ts'
import type { Capacity } from '../text/group.ts'
import { escapeHtml } from '../text/markup.ts'
import type { Message, Tone } from '../text/message.ts'
import { allLines, compose, oneLine, plainLine } from '../text/message.ts'

const MAX_SUBJECT_CODE_POINTS = 300
const MAX_ANSWER_LINES = 20
const MAX_ANSWER_CODE_POINTS = 1_000
/** Legible on both white and black backgrounds. */
const COLORS = {
  bad: '#d92d20',
  good: '#0e9384',
  warning: '#c4670a',
  neutral: '#667085',
} as const satisfies Record<Tone, string>

/** The look of what is pressed: white on a color is legible on both backgrounds. */
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#175cd3;color:#fff;font-weight:600;text-decoration:none'

/** The edge holds the answer apart on both backgrounds. */
const ANSWER =
  'margin:0;padding:8px 12px;border-left:3px solid #667085;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px'

/** Composes the whole mail. Retries share a Message-ID, so that servers and mail clients can drop duplicates. */
export function composeMail(
  sending: Sending<ContactConfigs['email']>,
  from: string,
  siteUrl: string,
  answer: FailingAnswer | null = null,
): SendMailOptions {
  const { messageId, inReplyTo, alert, incidentId, group, config, sentAt } = sending
  const message = { ...compose(alert, siteUrl, sending), ...(answer && { answer: beginningOf(answer) }) }
  const answered = inReplyTo === null ? null : messageIdOf(inReplyTo, from, siteUrl)
  const ofIncident =
    incidentId === null || group ? null : messageIdOf(`${alert.type}-incident-${incidentId}`, from, siteUrl)
  const references = [ofIncident, answered].filter((id) => id !== null)
  return {
    ...mailHeaders({ messageId, address: config.email, sentAt }, from, siteUrl),
    subject: subjectOf(message.title),
    // Mail clients build threads from either one (RFC 5322, section 3.6.4). No mail has the ID of the incident, which all
    // of its mails share: a reminder joins the thread of somebody who did not get the first.
    ...(references.length > 0 && { references }),
    ...(answered !== null && { inReplyTo: answered }),
    text: mailText(message),
    html: mailHtml(message),
  }
}

/** The status line, and as much of the body as a person reads in a mail: the page of the incident shows the rest. */
function beginningOf({ status_line, body }: FailingAnswer): string {
  if (body.kind !== 'text') return status_line
  const lines = body.text.split('\n', MAX_ANSWER_LINES + 1)
  const beginning = cut(lines.slice(0, MAX_ANSWER_LINES).join('\n'), MAX_ANSWER_CODE_POINTS)
  const isWhole = !body.is_cut && beginning === body.text
  return `${status_line}\n\n${beginning}${isWhole || beginning.endsWith('…') ? '' : '\n…'}`
}

/** Headers that all our mails share. */
export function mailHeaders(
  { messageId, address, sentAt }: { messageId: string; address: string; sentAt: Date },
  from: string,
  siteUrl: string,
): SendMailOptions {
  return {
    from,
    // An object, because a string would be parsed and could contain several addresses.
    to: { name: '', address },
    messageId: messageIdOf(messageId, from, siteUrl),
    date: sentAt,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    xMailer: false,
  }
}

/** Mail clients would decode text that looks like an encoded word (RFC 2047); a word joiner prevents that. */
export function subjectOf(title: string): string {
  return cut(title, MAX_SUBJECT_CODE_POINTS).replaceAll('=?', '=\u2060?')
}

export function mailText(message: Message): string {
  const lines = allLines(message).map(plainLine)
  const runbook = message.runbook && `${message.t('Runbook')}: ${message.runbook}`
  const acknowledge = message.acknowledgeUrl && `${message.t('Acknowledge')}: ${message.acknowledgeUrl}`
  // Below two hundred names nobody would find what to press.
  const [above, below] = message.names ? [[runbook, acknowledge], []] : [[], [runbook, acknowledge]]
  const answer = message.answer && `${message.t('Answer')}:\n${message.answer}`
  return [message.title, message.text, ...above, lines.join('\n'), ...below, answer, message.link]
    .filter(Boolean)
    .join('\n\n')
}

/** Only the headline sets a color; the rest follows the client's light or dark theme. */
export function mailHtml(message: Message): string {
  const shown = message.names ? message.lines : allLines(message)
  const lines = shown.map(([label, value]) => `<b>${html(label)}:</b> ${html(value)}`)
  const link = html(message.link)
  const runbook = html(message.runbook ?? '')
  const acknowledgeUrl = html(message.acknowledgeUrl ?? '')
  const pressed = [
    ...(runbook ? [`<p><b>${html(message.t('Runbook'))}:</b> <a href="${runbook}">${runbook}</a></p>`] : []),
    ...(acknowledgeUrl
      ? [`<p><a href="${acknowledgeUrl}" style="${BUTTON}">${html(message.t('Acknowledge'))}</a></p>`]
      : []),
  ]
  const [above, below] = message.names ? [pressed, []] : [[], pressed]
  return [
    '<!doctype html>',
    `<html lang="${html(message.language)}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">`,
    `<title>${html(message.title)}</title></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h1 style="font-size:20px;color:${COLORS[message.tone]}">${html(message.title)}</h1>`,
    ...(message.text ? [`<p>${html(message.text)}</p>`] : []),
    ...above,
    ...namesOf(message),
    ...(lines.length > 0 ? [`<p>${lines.join('<br>\n')}</p>`] : []),
    ...below,
    ...(message.answer ? answerOf(message.answer, message.t) : []),
    `<p><a href="${link}">${html(message.t('Open Upbeat'))}</a></p>`,
    '</body></html>',
  ].join('\n')
}

/** In the font and the lines in which it came; long ones are wrapped. */
function answerOf(answer: string, t: Message['t']): string[] {
  return [`<p><b>${html(t('Answer'))}:</b></p>`, `<pre style="${ANSWER}">${html(answer)}</pre>`]
}

/** The names of a group, one a line. */
function namesOf({ names = [], more }: Message): string[] {
  const lists = names.map(([news, some]) => {
    const items = some.map((name) => `<li>${html(name)}</li>`).join('\n')
    return `<p><b>${html(news)}:</b></p>\n<ul>${items}</ul>`
  })
  return [...lists, ...(more === undefined ? [] : [`<p>${html(more)}</p>`])]
}

function html(text: string): string {
  return Array.from(text, escapeHtml).join('')
}

/** Mail servers take many times as much: it is what a person may still scroll through. */
const MAX_GROUP_LENGTH = 200_000

export const mailCapacity: Capacity = {
  messages: 1,
  holds: (message) => mailText(message).length <= MAX_GROUP_LENGTH,
}

/** Stays the same for all attempts to send one mail. */
export function messageIdOf(id: string, from: string, siteUrl: string): string {
  return `<${id.replace(/[^\w.-]/g, '')}@${domainOf(from, siteUrl)}>`
}

/** The sender's domain, which mail filters expect in a Message-ID. */
function domainOf(from: string, siteUrl: string): string {
  return /@([\w.-]+)>?\s*$/.exec(oneLine(from))?.[1] ?? new URL(siteUrl).hostname
}
