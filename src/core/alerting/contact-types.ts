import * as z from 'zod'
import { text } from '../text.ts'
import { describe } from '../validation.ts'

export const MAX_CONFIG_VALUE_LENGTH = 2_048
const MAX_EMAIL = 254

const HTTP_URL = /^[hH][tT][tT][pP][sS]?:\/\//
const HTTPS_URL = /^[hH][tT][tT][pP][sS]:\/\//
const BOT_TOKEN = /^\d{1,20}:[A-Za-z0-9_-]+$/
/** 65 and 16 bytes; that the key is a point of the curve shows when it is used. */
const PUBLIC_KEY = /^B[A-Za-z0-9_-]{86}$/
const AUTH_SECRET = /^[A-Za-z0-9_-]{22}$/
const CHAT_ID = /^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/

/** How much of a config's value viewers see. A key that is not registered here is a secret. */
const shown = z.registry<{ as: 'whole' | 'host' }>()

/** Keys whose value is the address of a receiver, which the operator's policy may refuse. */
const receivers = z.registry<{ isReceiver: true }>()

export const ReceiverUrl = receiverUrl(HTTP_URL, 'an http or https URL')
/** Push services are reached by https only (RFC 8030, section 8). */
const PushEndpoint = receiverUrl(HTTPS_URL, 'an https URL')

function receiverUrl(pattern: RegExp, words: string) {
  return text(MAX_CONFIG_VALUE_LENGTH)
    .superRefine((value, context) => {
      const url = URL.parse(value)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these silently
      const clean = !/[\u0000-\u0020\u007f]/.test(value)
      if (!url || !clean || !pattern.test(value)) {
        context.addIssue(`must be ${words}, got ${describe(value)}`)
      } else if (url.username || url.password) {
        context.addIssue('must not contain credentials')
      }
    })
    .meta({ pattern: pattern.source })
    .register(receivers, { isReceiver: true })
}

export const EmailAddress = text(MAX_EMAIL).pipe(z.email()).meta({ format: 'email' })

const BotToken = text(255)
  .superRefine((value, context) => {
    if (!BOT_TOKEN.test(value)) {
      context.addIssue('must be a bot token as BotFather gives it, such as 123456789:AAE…')
    }
  })
  .meta({ pattern: BOT_TOKEN.source })

/** Bytes in base64url without padding, as browsers give them; the value is a secret and stays out of the message. */
function keyText(pattern: RegExp, words: string) {
  return text(255)
    .superRefine((value, context) => {
      if (!pattern.test(value)) context.addIssue(`must be ${words} in base64url`)
    })
    .meta({ pattern: pattern.source })
}

/** A numeric ID, as a number or text, or the @name of a channel. */
const ChatId = z
  .union([z.int(), z.string().meta({ maxLength: 65, pattern: CHAT_ID.source })], {
    error: ({ input }) => chatIdFault(input),
  })
  .transform((value, context) => {
    const chatId = String(value)
    if (CHAT_ID.test(chatId)) return chatId
    context.addIssue(chatIdFault(value))
    return z.NEVER
  })

function chatIdFault(value: unknown): string {
  if (value === undefined) return 'is required'
  return `must be a numeric chat ID or a channel such as @status, got ${describe(value)}`
}

/** The form's texts for one key. */
type KeyText = {
  label: string
  placeholder: string
  hint?: string
  input?: { type: 'url' | 'email'; inputMode: 'url' | 'email'; autoComplete?: string }
}

type Kind<Shape extends z.ZodRawShape> = {
  /** The name in lists and forms. */
  word: string
  /** The name within a sentence. */
  wordInside: string
  /** One sentence that tells the type from the others, on its card in the form. */
  sentence: string
  /** A name from dashboard/parts/icons.ts. */
  icon: string
  /** The keys of the config; others are dropped. A key that is not `shown` is a secret. */
  config: z.ZodObject<Shape>
  texts: { [Key in keyof Shape]: KeyText }
  /** The key that says where alerts go. */
  destination: keyof Shape & string
  /** The names that other services use in their exports. Imports skip a type that has no name here. */
  importNames: Partial<Record<'healthchecks' | 'uptimerobot', readonly string[]>>
  /** A browser of one person: made there, and gone when the person leaves the team or the browser ends it. */
  isOfBrowser?: true
  /** The request body in the documents, without its type. */
  example: { name: string; config: { [Key in keyof Shape]: string } }
}

/** Lets the type checker compare texts, destination and example with the keys of the config. */
function entry<Shape extends z.ZodRawShape, const Icon extends string>(kind: Kind<Shape> & { icon: Icon }) {
  return kind
}

const URL_INPUT = { type: 'url', inputMode: 'url' } as const

/**
 * Every difference between the types of contacts, except the code that sends an alert (src/alerts). Documents, masks,
 * forms and imports derive from this table. Its order is the order of the API's enumeration.
 */
export const CONTACT_TYPES = {
  email: entry({
    word: 'E-mail',
    wordInside: 'e-mail',
    sentence: 'An e-mail to an address.',
    icon: 'mail',
    config: z.object({
      email: EmailAddress.describe('Address to alert.').register(shown, { as: 'whole' }),
    }),
    texts: {
      email: {
        label: 'E-mail address',
        placeholder: 'on-call@example.com',
        input: { type: 'email', inputMode: 'email', autoComplete: 'email' },
      },
    },
    destination: 'email',
    importNames: { healthchecks: ['email'], uptimerobot: ['email', '2'] },
    example: { name: 'Operations', config: { email: 'ops@example.com' } },
  }),
  slack: entry({
    word: 'Slack',
    wordInside: 'Slack',
    sentence: 'A post in a channel.',
    icon: 'hash',
    config: z.object({
      webhook_url: ReceiverUrl.describe('URL of an incoming webhook.').register(shown, { as: 'host' }),
    }),
    texts: {
      webhook_url: {
        label: 'Webhook URL',
        placeholder: 'https://hooks.slack.com/services/…',
        hint: 'In Slack: your app → Incoming webhooks → Add new webhook to workspace, then copy its URL.',
        input: URL_INPUT,
      },
    },
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
    sentence: 'A post in a channel.',
    icon: 'message-circle',
    config: z.object({
      webhook_url: ReceiverUrl.describe("URL of a channel's webhook.").register(shown, { as: 'host' }),
    }),
    texts: {
      webhook_url: {
        label: 'Webhook URL',
        placeholder: 'https://discord.com/api/webhooks/…',
        hint: 'In Discord: channel settings → Integrations → Webhooks → New webhook, then copy its URL.',
        input: URL_INPUT,
      },
    },
    destination: 'webhook_url',
    importNames: { healthchecks: ['discord'], uptimerobot: ['discord', '23'] },
    example: { name: 'Server', config: { webhook_url: 'https://discord.com/api/webhooks/1/XXXX' } },
  }),
  telegram: entry({
    word: 'Telegram',
    wordInside: 'Telegram',
    sentence: 'A message from your bot to a chat.',
    icon: 'send',
    config: z.object({
      bot_token: BotToken.describe('Token of the bot, as BotFather gives it.'),
      chat_id: ChatId.describe('A numeric chat ID, or the @name of a channel.').register(shown, {
        as: 'whole',
      }),
    }),
    texts: {
      bot_token: {
        label: 'Bot token',
        placeholder: '123456789:AAE…',
        hint: 'In Telegram: send /newbot to @BotFather to get the token.',
      },
      chat_id: {
        label: 'Chat ID',
        placeholder: '-1001234567890 or @status',
        hint: 'Add the bot to the chat first. For a public channel, you can use its @name.',
      },
    },
    destination: 'chat_id',
    importNames: { healthchecks: ['telegram'] },
    example: { name: 'Group', config: { bot_token: '123456789:AAExampleToken', chat_id: '@status' } },
  }),
  webhook: entry({
    word: 'Webhook',
    wordInside: 'webhook',
    sentence: 'A signed JSON request to your program.',
    icon: 'webhook',
    config: z.object({
      url: ReceiverUrl.describe('Receiver of a JSON POST for each alert.').register(shown, { as: 'host' }),
    }),
    texts: {
      url: {
        label: 'URL',
        placeholder: 'https://example.com/alerts',
        hint: 'Receives a JSON POST per alert, signed per Standard Webhooks; the signing secret is on the Team page.',
        input: URL_INPUT,
      },
    },
    destination: 'url',
    importNames: { healthchecks: ['webhook'], uptimerobot: ['webhook', '5'] },
    example: { name: 'On call', config: { url: 'https://alerts.example.com/upbeat' } },
  }),
  webpush: entry({
    word: 'Browser',
    wordInside: 'browser',
    sentence: 'A notification on this phone or computer.',
    icon: 'smartphone',
    config: z.object({
      endpoint: PushEndpoint.describe("Address that the browser's push service gave it.").register(shown, {
        as: 'host',
      }),
      p256dh: keyText(PUBLIC_KEY, 'a public key of 65 bytes').describe("The browser's public key."),
      auth: keyText(AUTH_SECRET, 'a secret of 16 bytes').describe("The browser's secret for messages."),
    }),
    texts: {
      endpoint: { label: 'Push address', placeholder: 'https://push.example.com/…', input: URL_INPUT },
      p256dh: { label: 'Public key', placeholder: 'BCVxsr7N…' },
      auth: { label: 'Secret', placeholder: 'BTBZMqHH…' },
    },
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
export type ContactConfigs = { [Type in ContactType]: z.output<Types[Type]['config']> }
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

/** Whether contacts of the type are browsers, each of one person. */
export function isOfBrowser(type: ContactType): boolean {
  const kind: { isOfBrowser?: true } = CONTACT_TYPES[type]
  return kind.isOfBrowser === true
}

/** The destination of a contact's alerts, of a browser its push service; masked if the config is masked. */
export function destinationOf({
  type,
  config,
}: {
  type: ContactType
  config: Record<string, string>
}): string {
  const destination = config[CONTACT_TYPES[type].destination] ?? ''
  return isOfBrowser(type) ? (URL.parse(destination)?.host ?? destination) : destination
}

function schemaOf(type: ContactType, key: string): z.ZodType | undefined {
  return (ContactConfigs[type].shape as Record<string, z.ZodType>)[key]
}
