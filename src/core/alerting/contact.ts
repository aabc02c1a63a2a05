import * as z from 'zod'
import { RecordId } from '../record-id.ts'
import { keysOf, pick, withoutDefaults } from '../shape.ts'
import { MASK, maskUrl } from '../teams/access.ts'
import { label, MAX_NAME_LENGTH, text } from '../text.ts'
import { describe, type Parsed, parseFields } from '../validation.ts'

export const ContactType = z
  .enum(['email', 'slack', 'discord', 'telegram', 'webhook'])
  .describe('How the contact is told.')
export type ContactType = z.infer<typeof ContactType>

const MAX_URL = 2_048
const MAX_EMAIL = 254

const HTTP_URL = /^[hH][tT][tT][pP][sS]?:\/\//
const BOT_TOKEN = /^\d{1,20}:[A-Za-z0-9_-]+$/
const CHAT_ID = /^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/

const ReceiverUrl = text(MAX_URL)
  .superRefine((value, context) => {
    const url = URL.parse(value)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these silently
    const clean = !/[\u0000-\u0020\u007f]/.test(value)
    if (!url || !clean || !HTTP_URL.test(value)) {
      context.addIssue(`must be an http or https URL, got ${describe(value)}`)
    } else if (url.username || url.password) {
      context.addIssue('must not contain credentials')
    }
  })
  .meta({ pattern: HTTP_URL.source })

export const EmailAddress = text(MAX_EMAIL).pipe(z.email()).meta({ format: 'email' })

const BotToken = text(255)
  .superRefine((value, context) => {
    if (!BOT_TOKEN.test(value)) {
      context.addIssue('must be a bot token as BotFather gives it, such as 123456789:AAE…')
    }
  })
  .meta({ pattern: BOT_TOKEN.source })

/** A numeric id, as a number or its text, or the @name of a channel. */
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

/** How much of a value of a config is shown to those who may not see secrets; of all others nothing is. */
const shown = z.registry<{ as: 'whole' | 'host' }>()

/** What each type of contact needs; keys that are not listed are dropped. A key that is not `shown` is a secret. */
export const ContactConfigs = {
  email: z.object({ email: EmailAddress.describe('Address to alert.').register(shown, { as: 'whole' }) }),
  slack: z.object({
    webhook_url: ReceiverUrl.describe('URL of an incoming webhook.').register(shown, { as: 'host' }),
  }),
  discord: z.object({
    webhook_url: ReceiverUrl.describe("URL of a channel's webhook.").register(shown, { as: 'host' }),
  }),
  telegram: z.object({
    bot_token: BotToken.describe('Token of the bot, as BotFather gives it.'),
    chat_id: ChatId.describe('A numeric chat ID, or the @name of a channel.').register(shown, {
      as: 'whole',
    }),
  }),
  webhook: z.object({
    url: ReceiverUrl.describe('Receiver of a JSON POST for each alert.').register(shown, { as: 'host' }),
  }),
} as const satisfies Record<ContactType, z.ZodType>

export type ContactConfigs = { [Type in ContactType]: z.output<(typeof ContactConfigs)[Type]> }
export type ContactConfig = ContactConfigs[ContactType]

/** Judges a config by the contact's type; the errors are named `config.…`, and only the type's keys are kept. */
export function parseConfig(type: ContactType, config: unknown): Parsed<ContactConfig> {
  const parsed = parseFields(ContactConfigs[type], config)
  if (parsed.ok) return parsed
  const errors = Object.entries(parsed.errors).map(([field, messages]) => [
    `config.${field}`,
    messages.map((message) => `config.${message}`),
  ])
  return { ok: false, errors: Object.fromEntries(errors) }
}

/** Every setting, in the order of documents and flags; a POST may leave out what has a default. */
const sent = {
  name: label(MAX_NAME_LENGTH).describe('Name of the contact.'),
  type: ContactType,
  config: z.record(z.string(), z.unknown()).describe('What the type needs; other keys are dropped.'),
  notify_on_down: z.boolean().describe('Alert when a monitor goes down.').default(true),
  notify_on_recovery: z.boolean().describe('Alert when a monitor recovers.').default(true),
}
const { type, ...settings } = withoutDefaults(sent)

export const ContactCreate = z.object({
  ...sent,
  attach_to_existing: z
    .boolean()
    .default(false)
    .describe(
      'Also adds the contact to all that have contacts of their own; those with none are left alone.',
    ),
})
export type ContactCreate = z.infer<typeof ContactCreate>

export const ContactPatch = z.object({ type, ...settings }).partial()
export type ContactPatch = z.infer<typeof ContactPatch>

/** What is kept of a contact as it was sent, secrets in the clear. */
export const ContactSettings = z.object(sent)
export type ContactSettings = Omit<z.infer<typeof ContactSettings>, 'config'> & { config: ContactConfig }

/** A contact as every answer shows it, in this order (specification, section 2.2). */
export const Contact = z.object({
  id: RecordId,
  name: settings.name,
  type,
  config: z
    .record(z.string().max(64), z.string().max(MAX_URL))
    .describe(
      `What the type needs. A viewer's token sees URLs as scheme and host with \`/${MASK}\`, tokens as \`${MASK}\`.`,
    ),
  notify_on_down: settings.notify_on_down,
  notify_on_recovery: settings.notify_on_recovery,
} satisfies Record<keyof ContactSettings, z.ZodType> & Record<string, z.ZodType>)
export type Contact = z.infer<typeof Contact>

export type ContactRecord = ContactSettings & { id: number }

export function presentContact(record: ContactRecord, showSecrets: boolean): Contact {
  const config = showSecrets ? record.config : maskConfig(record.config, [record.type])
  return pick({ ...record, config }, keysOf(Contact.shape))
}

/** A config as viewers see it. Where its type is not known, a key is shown as little as any of the types shows it. */
export function maskConfig(
  config: Record<string, string>,
  types: readonly ContactType[] = ContactType.options,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const ways = new Set(types.flatMap((type) => wayToShow(type, key)))
      if (ways.size === 0 || ways.has('not')) return [key, MASK]
      return [key, ways.has('host') ? maskUrl(value) : value]
    }),
  )
}

function wayToShow(type: ContactType, key: string): ('whole' | 'host' | 'not')[] {
  const schema = (ContactConfigs[type].shape as Record<string, z.ZodType>)[key]
  return schema ? [shown.get(schema)?.as ?? 'not'] : []
}
