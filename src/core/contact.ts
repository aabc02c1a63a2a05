import * as z from 'zod'
import { MASK, maskUrl } from './access.ts'
import { label, text } from './text.ts'
import { describe, type Parsed, parseFields } from './validation.ts'

export const ContactType = z.enum(['email', 'slack', 'discord', 'telegram', 'webhook'])
export type ContactType = z.infer<typeof ContactType>

const MAX_URL = 2_048
const MAX_EMAIL = 254

const ReceiverUrl = text(MAX_URL).superRefine((value, context) => {
  const url = URL.parse(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these silently
  const clean = !/[\u0000-\u0020\u007f]/.test(value)
  if (!url || !clean || !/^https?:\/\//i.test(value)) {
    context.addIssue(`must be an http or https URL, got ${describe(value)}`)
  } else if (url.username || url.password) {
    context.addIssue('must not contain credentials')
  }
})

export const EmailAddress = text(MAX_EMAIL).pipe(z.email())

const BotToken = text(255).superRefine((value, context) => {
  if (!/^\d{1,20}:[A-Za-z0-9_-]+$/.test(value)) {
    context.addIssue('must be a bot token as BotFather gives it, such as 123456789:AAE…')
  }
})

/** A numeric id, as a number or its text, or the @name of a channel. */
const ChatId = z
  .union([z.int(), z.string()], { error: ({ input }) => chatIdFault(input) })
  .transform((value, context) => {
    const chatId = String(value)
    if (/^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/.test(chatId)) return chatId
    context.addIssue(chatIdFault(value))
    return z.NEVER
  })

function chatIdFault(value: unknown): string {
  if (value === undefined) return 'is required'
  return `must be a numeric chat ID or a channel such as @status, got ${describe(value)}`
}

/** What each type of contact needs; keys that are not listed are dropped. */
export const ContactConfigs = {
  email: z.object({ email: EmailAddress }),
  slack: z.object({ webhook_url: ReceiverUrl }),
  discord: z.object({ webhook_url: ReceiverUrl }),
  telegram: z.object({ bot_token: BotToken, chat_id: ChatId }),
  webhook: z.object({ url: ReceiverUrl }),
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

const settings = {
  name: label(255),
  config: z.record(z.string(), z.unknown()),
  notify_on_down: z.boolean(),
  notify_on_recovery: z.boolean(),
}

export const ContactCreate = z.object({
  name: settings.name,
  type: ContactType,
  config: settings.config,
  notify_on_down: settings.notify_on_down.default(true),
  notify_on_recovery: settings.notify_on_recovery.default(true),
  attach_to_existing: z.boolean().default(false),
})
export type ContactCreate = z.infer<typeof ContactCreate>

export const ContactPatch = z.object({ type: ContactType, ...settings }).partial()
export type ContactPatch = z.infer<typeof ContactPatch>

/** A contact as every answer shows it, in this order (specification, section 2.2). */
export const Contact = z.object({
  id: z.int(),
  name: z.string(),
  type: ContactType,
  config: z.record(z.string(), z.string()),
  notify_on_down: z.boolean(),
  notify_on_recovery: z.boolean(),
})
export type Contact = z.infer<typeof Contact>

export type ContactRecord = {
  id: number
  name: string
  type: ContactType
  config: ContactConfig
  notifyOnDown: boolean
  notifyOnRecovery: boolean
}

export function presentContact(record: ContactRecord, showSecrets: boolean): Contact {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    config: showSecrets ? record.config : maskConfig(record.config),
    notify_on_down: record.notifyOnDown,
    notify_on_recovery: record.notifyOnRecovery,
  }
}

function maskConfig(config: ContactConfig): Record<string, string> {
  const masked: Record<string, string> = { ...config }
  if (masked.url) masked.url = maskUrl(masked.url)
  if (masked.webhook_url) masked.webhook_url = maskUrl(masked.webhook_url)
  if (masked.bot_token) masked.bot_token = MASK
  return masked
}
