import { type Said, said } from '../../core/language/said.ts'
import type { ContactFacts } from '../draft.ts'
import { type Fields, isOn, textOf } from '../fields.ts'
import { anotherJson, isOwnTelegram, OWN_TELEGRAM } from '../reasons.ts'

/** Reads the settings of one kind of notification; a fault says why there is no contact. */
export type ChannelReader = (
  config: Fields,
  name: string,
) => { contacts: ContactFacts[]; fault?: Said; notes: Said[] }

export const CUSTOM_TEXT = said('had custom texts or a custom look: here every alert looks the same')
const STARTS_WITH_TEXT = said('began its messages with a mention or text of its own: here they have none')
const SILENT = said('sent its messages without a sound: here they make one')

/** Reads the settings of a notification by mail, in a chat or by a webhook. */
export const CHAT_READERS: Record<string, ChannelReader> = {
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
    const fault = contacts.length === 0 ? said('has no address to send to') : undefined
    const notes = [said('its mail server is not imported: e-mails go through SMTP_URL of this service')]
    if (textOf(config.customSubject, config.customBody)) notes.push(CUSTOM_TEXT)
    return { contacts, notes, ...(fault && { fault }) }
  },
  slack(config, name) {
    const settings = { webhook_url: textOf(config.slackwebhookURL), channel: textOf(config.slackchannel) }
    const notes = isOn(config.slackUseTemplate) ? [CUSTOM_TEXT] : []
    if (isOn(config.slackchannelnotify)) notes.push(STARTS_WITH_TEXT)
    return { contacts: [{ name, type: 'slack', config: settings }], notes }
  },
  discord(config, name) {
    const place = textOf(config.discordChannelType)
    if (place === 'createNewForumPost') {
      return {
        contacts: [],
        fault: said('opens a post of a forum for each message: contacts here post to a channel or a thread'),
        notes: [],
      }
    }
    const notes = isOn(config.discordUseMessageTemplate) ? [CUSTOM_TEXT] : []
    if (textOf(config.discordPrefixMessage)) notes.push(STARTS_WITH_TEXT)
    if (isOn(config.discordSuppressNotifications)) notes.push(SILENT)
    const settings = {
      webhook_url: textOf(config.discordWebhookUrl),
      thread_id: place === 'postToThread' ? textOf(config.threadId) : '',
    }
    return { contacts: [{ name, type: 'discord', config: settings }], notes }
  },
  telegram(config, name) {
    if (isOwnTelegram(textOf(config.telegramServerUrl))) {
      return { contacts: [], fault: OWN_TELEGRAM, notes: [] }
    }
    const settings = {
      bot_token: textOf(config.telegramBotToken),
      chat_id: textOf(config.telegramChatID),
      message_thread_id: textOf(config.telegramMessageThreadID),
    }
    const notes = isOn(config.telegramUseTemplate) ? [CUSTOM_TEXT] : []
    if (isOn(config.telegramSendSilently)) notes.push(SILENT)
    if (isOn(config.telegramProtectContent))
      notes.push(said('forbade to forward its messages: here it may be done'))
    return { contacts: [{ name, type: 'telegram', config: settings }], notes }
  },
  webhook(config, name) {
    if (textOf(config.httpMethod).toLowerCase() === 'get') {
      return { contacts: [], fault: said('is a GET request: webhooks here are POST requests'), notes: [] }
    }
    const notes = [anotherJson('Uptime Kuma')]
    if (textOf(config.webhookAdditionalHeaders)) notes.push(said('is sent without its additional headers'))
    return { contacts: [{ name, type: 'webhook', config: { url: textOf(config.webhookURL) } }], notes }
  },
  teams(config, name) {
    return {
      contacts: [{ name, type: 'teams', config: { webhook_url: textOf(config.webhookUrl) } }],
      notes: [],
    }
  },
  GoogleChat(config, name) {
    const settings = { webhook_url: textOf(config.googleChatWebhookURL) }
    const notes = isOn(config.googleChatUseTemplate) ? [CUSTOM_TEXT] : []
    return { contacts: [{ name, type: 'googlechat', config: settings }], notes }
  },
  mattermost(config, name) {
    const settings = { webhook_url: textOf(config.mattermostWebhookUrl) }
    const notes = textOf(config.mattermostchannel)
      ? [said('posted to a channel that it named: here to the one of its webhook')]
      : []
    return { contacts: [{ name, type: 'mattermost', config: settings }], notes }
  },
  matrix(config, name) {
    const settings = {
      homeserver_url: textOf(config.homeserverUrl),
      access_token: textOf(config.accessToken),
      room_id: textOf(config.internalRoomId),
    }
    const notes = isOn(config.matrixUseTemplate) ? [CUSTOM_TEXT] : []
    return { contacts: [{ name, type: 'matrix', config: settings }], notes }
  },
}

/** Extracts the address from `Ann <ann@example.com>`. */
function bareAddress(text: string): string {
  return /<([^<>]+)>/.exec(text)?.[1]?.trim() ?? text.trim()
}
