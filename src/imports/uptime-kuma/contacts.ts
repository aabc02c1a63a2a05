import type { ContactFacts, Draft } from '../draft.ts'
import { entryOf, type Fields, isFields, isOn, numberOf, parseJson, textOf } from '../fields.ts'
import { anotherJson, isOwnTelegram, OWN_TELEGRAM } from '../reasons.ts'

/** Drafts contacts for notifications. Returns the names of the contacts by notification ID. */
export function draftNotifications(draft: Draft, notifications: Fields[]): Map<number, string[]> {
  return new Map(
    notifications.map((notification) => {
      const id = numberOf(notification.id) ?? Number.NaN
      return [id, draftNotification(draft, notification)]
    }),
  )
}

function draftNotification(draft: Draft, notification: Fields): string[] {
  const parsed =
    typeof notification.config === 'string' ? parseJson(notification.config) : notification.config
  const config = isFields(parsed) ? parsed : {}
  const kind = textOf(config.type)
  const name = textOf(notification.name, config.name) || kind || 'notification'
  const what = `notification ${name}`
  const read = entryOf(READERS, kind)
  if (!isOn(notification.active, true)) draft.skip(what, 'is switched off')
  else if (!read) draft.skip(what, `there is no contact of the kind ${kind || 'that it has'}`)
  else {
    const { contacts, fault, notes } = read(config, name)
    if (fault) draft.skip(what, fault)
    const names = contacts.flatMap((contact) => draft.contact(contact) ?? [])
    const all = isOn(notification.is_default ?? notification.isDefault)
      ? [...notes, ATTACHED_BY_DEFAULT]
      : notes
    for (const contact of names) for (const note of all) draft.note(contact, note)
    return names
  }
  return []
}

type Read = { contacts: ContactFacts[]; fault?: string; notes: string[] }

const ATTACHED_BY_DEFAULT =
  'was attached to each new monitor by itself: here a new monitor without contacts alerts every contact'
const CUSTOM_TEXT = 'had custom texts or a custom look: here every alert looks the same'
const STARTS_WITH_TEXT = 'began its messages with a mention or text of its own: here they have none'
const SILENT = 'sent its messages without a sound: here they make one'

const READERS: Record<string, (config: Fields, name: string) => Read> = {
  smtp(config, name) {
    const addresses = [config.smtpTo, config.smtpCC, config.smtpBCC]
      .flatMap((list) => textOf(list).split(/[,;]/))
      .map((address) => bareAddress(address))
      .filter((address) => address !== '')
    const contacts = addresses.map((email) => ({
      name: addresses.length > 1 ? `${name} (${email})` : name,
      type: 'email' as const,
      config: { email },
    }))
    const fault = contacts.length === 0 ? 'has no address to send to' : undefined
    const notes = ['its mail server is not imported: e-mails go through SMTP_URL of this service']
    if (textOf(config.customSubject, config.customBody)) notes.push(CUSTOM_TEXT)
    return { contacts, notes, ...(fault && { fault }) }
  },
  slack(config, name) {
    const settings = { webhook_url: textOf(config.slackwebhookURL) }
    const notes = isOn(config.slackUseTemplate) || textOf(config.slackchannel) ? [CUSTOM_TEXT] : []
    if (isOn(config.slackchannelnotify)) notes.push(STARTS_WITH_TEXT)
    return { contacts: [{ name, type: 'slack', config: settings }], notes }
  },
  discord(config, name) {
    if (textOf(config.discordChannelType) !== '' && config.discordChannelType !== 'channel') {
      return {
        contacts: [],
        fault: 'posts to a thread or a forum: contacts here post to a channel',
        notes: [],
      }
    }
    const notes = isOn(config.discordUseMessageTemplate) ? [CUSTOM_TEXT] : []
    if (textOf(config.discordPrefixMessage)) notes.push(STARTS_WITH_TEXT)
    if (isOn(config.discordSuppressNotifications)) notes.push(SILENT)
    return {
      contacts: [{ name, type: 'discord', config: { webhook_url: textOf(config.discordWebhookUrl) } }],
      notes,
    }
  },
  telegram(config, name) {
    if (isOwnTelegram(textOf(config.telegramServerUrl))) {
      return { contacts: [], fault: OWN_TELEGRAM, notes: [] }
    }
    const settings = { bot_token: textOf(config.telegramBotToken), chat_id: textOf(config.telegramChatID) }
    const notes = isOn(config.telegramUseTemplate) ? [CUSTOM_TEXT] : []
    if (isOn(config.telegramSendSilently)) notes.push(SILENT)
    if (isOn(config.telegramProtectContent))
      notes.push('forbade to forward its messages: here it may be done')
    if (textOf(config.telegramMessageThreadID))
      notes.push('posted to a topic of its chat: here it posts to the chat itself')
    return { contacts: [{ name, type: 'telegram', config: settings }], notes }
  },
  webhook(config, name) {
    if (textOf(config.httpMethod).toLowerCase() === 'get') {
      return { contacts: [], fault: 'is a GET request: webhooks here are POST requests', notes: [] }
    }
    const notes = [anotherJson('Uptime Kuma')]
    if (textOf(config.webhookAdditionalHeaders)) notes.push('is sent without its additional headers')
    return { contacts: [{ name, type: 'webhook', config: { url: textOf(config.webhookURL) } }], notes }
  },
}

/** Extracts the address from `Ann <ann@example.com>`. */
function bareAddress(text: string): string {
  return /<([^<>]+)>/.exec(text)?.[1]?.trim() ?? text.trim()
}
