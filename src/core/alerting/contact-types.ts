import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { MASK } from '../teams/access.ts'
import {
  DISCORD_ADVICE,
  EMAIL_ADVICE,
  SLACK_ADVICE,
  TELEGRAM_ADVICE,
  WEBHOOK_ADVICE,
  WEBPUSH_ADVICE,
} from './advice.ts'
import { CHAT_TYPES } from './chat-types.ts'
import { entry, URL_INPUT, VERIFY_TLS_TEXT } from './contact-kind.ts'
import {
  BotToken,
  ChatId,
  EmailAddress,
  PushEndpoint,
  PushKey,
  PushSecret,
  ReceiverUrl,
  receivers,
  SlackChannel,
  shown,
  ThreadId,
  VerifyTls,
} from './contact-values.ts'
import { PAGER_TYPES } from './pager-types.ts'

/**
 * Every difference between the types of contacts, except the code that sends an alert (src/alerts). Documents, masks,
 * forms and imports derive from this table. Its order is the order of the API's enumeration.
 */
export const CONTACT_TYPES = {
  email: entry({
    word: phrase('E-mail'),
    wordInside: phrase('e-mail'),
    sentence: phrase('An e-mail to an address.'),
    icon: 'mail',
    config: z.object({
      email: EmailAddress.describe('Address to alert.').register(shown, { as: 'whole' }),
    }),
    texts: {
      email: {
        label: phrase('E-mail address'),
        placeholder: 'on-call@example.com',
        input: { type: 'email', inputMode: 'email', autoComplete: 'email' },
      },
    },
    advice: EMAIL_ADVICE,
    destination: 'email',
    importNames: { healthchecks: ['email'], uptimerobot: ['email', '2'] },
    example: { name: 'Operations', config: { email: 'ops@example.com' } },
  }),
  slack: entry({
    word: 'Slack',
    wordInside: 'Slack',
    sentence: phrase('A post in a channel.'),
    icon: 'hash',
    config: z.object({
      webhook_url: ReceiverUrl.describe('URL of an incoming webhook.').register(shown, { as: 'host' }),
      channel: SlackChannel.describe('Posts there instead, where the webhook allows it.').register(shown, {
        as: 'whole',
      }),
    }),
    texts: {
      webhook_url: {
        label: phrase('Webhook URL'),
        placeholder: 'https://hooks.slack.com/services/…',
        hint: phrase(
          'In Slack: your app → Incoming webhooks → Add new webhook to workspace, then copy its URL.',
        ),
        input: URL_INPUT,
      },
      channel: {
        label: phrase('Channel'),
        placeholder: '#incidents',
        hint: phrase(
          "Optional. Only webhooks of Slack's old “Incoming WebHooks” integration can post to another channel.",
        ),
      },
    },
    advice: SLACK_ADVICE,
    destination: 'webhook_url',
    importNames: { healthchecks: ['slack'], uptimerobot: ['slack', '11'] },
    example: {
      name: 'Channel',
      config: { webhook_url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
    },
  }),
  discord: entry({
    word: 'Discord',
    wordInside: 'Discord',
    sentence: phrase('A post in a channel.'),
    icon: 'message-circle',
    config: z.object({
      webhook_url: ReceiverUrl.describe("URL of a channel's webhook.").register(shown, { as: 'host' }),
      thread_id: ThreadId.describe('ID of a thread of the channel.').register(shown, { as: 'whole' }),
    }),
    texts: {
      webhook_url: {
        label: phrase('Webhook URL'),
        placeholder: 'https://discord.com/api/webhooks/…',
        hint: phrase(
          'In Discord: channel settings → Integrations → Webhooks → New webhook, then copy its URL.',
        ),
        input: URL_INPUT,
      },
      thread_id: {
        label: phrase('Thread ID'),
        placeholder: '1094358301924859904',
        hint: phrase(
          'Optional. With developer mode on: right-click the thread, or the post of a forum → Copy thread ID.',
        ),
      },
    },
    advice: DISCORD_ADVICE,
    destination: 'webhook_url',
    importNames: { healthchecks: ['discord'], uptimerobot: ['discord', '23'] },
    example: { name: 'Server', config: { webhook_url: 'https://discord.com/api/webhooks/1/XXXX' } },
  }),
  telegram: entry({
    word: 'Telegram',
    wordInside: 'Telegram',
    sentence: phrase('A message from your bot to a chat.'),
    icon: 'send',
    config: z.object({
      bot_token: BotToken.describe('Token of the bot, as BotFather gives it.'),
      chat_id: ChatId.describe('A numeric chat ID, or the @name of a channel.').register(shown, {
        as: 'whole',
      }),
      message_thread_id: ThreadId.describe('ID of a topic of the chat.').register(shown, { as: 'whole' }),
    }),
    texts: {
      bot_token: {
        label: phrase('Bot token'),
        placeholder: '123456789:AAE…',
        hint: phrase('In Telegram: send /newbot to @BotFather to get the token.'),
      },
      chat_id: {
        label: phrase('Chat ID'),
        placeholder: phrase('-1001234567890 or @status'),
        hint: phrase('Add the bot to the chat first. For a public channel, you can use its @name.'),
      },
      message_thread_id: {
        label: phrase('Topic ID'),
        placeholder: '7',
        hint: phrase('Optional. The second-to-last number in the link to a message in the topic.'),
      },
    },
    advice: TELEGRAM_ADVICE,
    destination: 'chat_id',
    importNames: { healthchecks: ['telegram'] },
    example: { name: 'Group', config: { bot_token: '123456789:AAExampleToken', chat_id: '@status' } },
  }),
  webhook: entry({
    word: phrase('Webhook'),
    wordInside: phrase('webhook'),
    sentence: phrase('A signed JSON request to your program.'),
    icon: 'webhook',
    config: z.object({
      url: ReceiverUrl.describe('Receiver of a JSON POST for each alert.').register(shown, { as: 'host' }),
      verify_tls: VerifyTls,
    }),
    texts: {
      url: {
        label: 'URL',
        placeholder: 'https://example.com/alerts',
        hint: phrase(
          'Receives a JSON POST per alert, signed per Standard Webhooks; the signing secret is on the Team page.',
        ),
        input: URL_INPUT,
      },
      verify_tls: VERIFY_TLS_TEXT,
    },
    advice: WEBHOOK_ADVICE,
    destination: 'url',
    isForPrograms: true,
    importNames: { healthchecks: ['webhook'], uptimerobot: ['webhook', '5'] },
    example: { name: 'On call', config: { url: 'https://alerts.example.com/upbeat' } },
  }),
  webpush: entry({
    word: phrase('Browser'),
    wordInside: phrase('browser'),
    sentence: phrase('A notification on this phone or computer.'),
    icon: 'smartphone',
    config: z.object({
      endpoint: PushEndpoint.describe("Address that the browser's push service gave it.").register(shown, {
        as: 'host',
      }),
      p256dh: PushKey.describe("The browser's public key."),
      auth: PushSecret.describe("The browser's secret for messages."),
    }),
    texts: {
      endpoint: {
        label: phrase('Push address'),
        placeholder: 'https://push.example.com/…',
        input: URL_INPUT,
      },
      p256dh: { label: phrase('Public key'), placeholder: 'BCVxsr7N…' },
      auth: { label: phrase('Secret'), placeholder: 'BTBZMqHH…' },
    },
    advice: WEBPUSH_ADVICE,
    destination: 'endpoint',
    importNames: {},
    isOfBrowser: true,
    // The example of RFC 8291.
    example: {
      name: 'Ada, Chrome on Android',
      config: {
        endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  }),
  ...PAGER_TYPES,
  ...CHAT_TYPES,
} as const

type Types = typeof CONTACT_TYPES

export const ContactType = z
  .enum(Object.keys(CONTACT_TYPES) as (keyof Types)[])
  .describe('How the contact is told.')
export type ContactType = z.infer<typeof ContactType>

/** The schema of each type's config. */
export const ContactConfigs = Object.fromEntries(
  ContactType.options.map((type) => [type, CONTACT_TYPES[type].config]),
) as { [Type in ContactType]: Types[Type]['config'] }
export type ContactConfigs = { [Type in ContactType]: Present<z.output<Types[Type]['config']>> }
/** Keys that may be left out are not there then. */
type Present<Config> = { [Key in keyof Config]: Exclude<Config[Key], undefined> }
export type ContactConfig = ContactConfigs[ContactType]

/** The part of a value that viewers see: nothing, unless its key is registered as shown. */
export type Visibility = 'whole' | 'host' | 'nothing'

/** Undefined if the type has no such key. */
export function visibilityOf(type: ContactType, key: string): Visibility | undefined {
  const schema = schemaOf(type, key)
  return schema && (shown.get(schema)?.as ?? 'nothing')
}

/** The keys of a type whose values are addresses of receivers. */
export function receiverKeysOf(type: ContactType): string[] {
  const keys = Object.keys(ContactConfigs[type].shape)
  return keys.filter((key) => receivers.get(schemaOf(type, key) as z.ZodType)?.isReceiver === true)
}

/** Whether a program takes the alerts, and not a person who reads them. */
export function isForPrograms(type: ContactType): boolean {
  const kind: { isForPrograms?: true } = CONTACT_TYPES[type]
  return kind.isForPrograms === true
}

/** The types whose receivers are told that somebody has an incident. */
export function typesThatTakeAcknowledgements(): ContactType[] {
  const kinds: [string, { takesAcknowledgements?: true }][] = Object.entries(CONTACT_TYPES)
  return kinds.flatMap(([type, kind]) => (kind.takesAcknowledgements ? [type as ContactType] : []))
}

/** Whether contacts of the type are browsers, each of one person. */
export function isOfBrowser(type: ContactType): boolean {
  const kind: { isOfBrowser?: true } = CONTACT_TYPES[type]
  return kind.isOfBrowser === true
}

/** The destination of a contact's alerts, of a browser its push service; masked if it is a secret, or the config is masked. */
export function destinationOf({
  type,
  config,
}: {
  type: ContactType
  config: Record<string, string>
}): string {
  const key = CONTACT_TYPES[type].destination
  if (visibilityOf(type, key) === 'nothing') return MASK
  const destination = config[key] ?? ''
  return isOfBrowser(type) ? (URL.parse(destination)?.host ?? destination) : destination
}

function schemaOf(type: ContactType, key: string): z.ZodType | undefined {
  return (ContactConfigs[type].shape as Record<string, z.ZodType>)[key]
}
