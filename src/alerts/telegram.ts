import type { ContactConfigs } from '../core/alerting/contact.ts'
import type { Channel } from './channel.ts'
import type { JsonSender } from './json-post.ts'
import { postJson } from './json-post.ts'
import type { ResponseDetails } from './response-details.ts'
import { memberOf, NO_DETAILS, secondsOf } from './response-details.ts'
import { type Capacity, MAX_GROUP_MESSAGES } from './text/group.ts'
import type { Dialect } from './text/layout.ts'
import { UNLIMITED, writeBody, writeTitle } from './text/layout.ts'
import { escapeTelegram } from './text/markup.ts'
import type { Message } from './text/message.ts'
import { compose } from './text/message.ts'

const MAX_TEXT_LENGTH = 4_096
const MAX_TITLE_LENGTH = 1_500
const telegramDialect: Dialect = { escape: escapeTelegram, bold: (escaped) => `<b>${escaped}</b>` }

/** Posts to a chat as a bot, through the Bot API at `apiUrl`. */
export function telegramChannel(
  sender: JsonSender,
  apiUrl: string,
  siteUrl: string,
): Channel<ContactConfigs['telegram']> {
  return (sending) => {
    const { alert, config, firstReceipt, signal } = sending
    const url = `${apiUrl}/bot${encodeURIComponent(config.bot_token).replaceAll('%3A', ':')}/sendMessage`
    const body = JSON.stringify({
      chat_id: config.chat_id,
      ...(config.message_thread_id && { message_thread_id: Number(config.message_thread_id) }),
      text: telegramText(compose(alert, siteUrl, sending)),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      ...answering(firstReceipt, config.chat_id),
    })
    const read = (answer: unknown) => readTelegram(answer, config.chat_id)
    return postJson(
      sender,
      { kind: 'vendor API', url, body, secrets: secretsOf(config.bot_token), read },
      signal,
    )
  }
}

/** A token consists of the bot's id and its key. */
function secretsOf(botToken: string): string[] {
  return [botToken, botToken.slice(botToken.indexOf(':') + 1)]
}

export const telegramCapacity: Capacity = {
  messages: MAX_GROUP_MESSAGES,
  holds: (message) => telegramText(message, UNLIMITED).length <= MAX_TEXT_LENGTH,
}

export function telegramText(message: Message, limit = MAX_TEXT_LENGTH): string {
  const title = writeTitle(message, telegramDialect, MAX_TITLE_LENGTH)
  const runbook = message.runbook
    ? `\n\n<b>${escaped(message.t('Runbook'))}:</b> ${escaped(message.runbook)}`
    : ''
  const { acknowledgeUrl } = message
  const acknowledge = acknowledgeUrl
    ? `\n\n<b>${escaped(message.t('Acknowledge'))}:</b> ${escaped(acknowledgeUrl)}`
    : ''
  const link = `${runbook}${acknowledge}\n\n${escaped(message.link)}`
  const room = limit - title.length - link.length - 2
  return `${title}\n\n${writeBody(message, telegramDialect, room)}${link}`
}

function escaped(url: string): string {
  return Array.from(url, escapeTelegram).join('')
}

/** Makes a message the answer to the first one about the incident, unless the contact had another chat then. */
function answering(firstReceipt: string | null, chatId: string) {
  const [chat, message] = firstReceipt?.split(' ') ?? []
  if (chat !== chatId || message === undefined) return {}
  return { reply_parameters: { message_id: Number(message), allow_sending_without_reply: true } }
}

/** A refusal carries its own code and reason; otherwise the HTTP status decides. */
function readTelegram(body: unknown, chatId: string): ResponseDetails {
  const code = memberOf(body, 'error_code')
  if (memberOf(body, 'ok') !== false || typeof code !== 'number') {
    const message = memberOf(memberOf(body, 'result'), 'message_id')
    return Number.isSafeInteger(message) ? { ...NO_DETAILS, receipt: `${chatId} ${message}` } : NO_DETAILS
  }
  const parameters = memberOf(body, 'parameters')
  const movedTo = memberOf(parameters, 'migrate_to_chat_id')
  const reason = String(memberOf(body, 'description') ?? '')
  const isKnown = Number.isSafeInteger(movedTo)
  return {
    statusCode: code,
    detail: isKnown ? `${reason} (the chat's id is now ${movedTo})` : reason,
    ...(isKnown && { moved: { chat_id: String(movedTo) } }),
    retryAfterSeconds: secondsOf(memberOf(parameters, 'retry_after')),
  }
}
