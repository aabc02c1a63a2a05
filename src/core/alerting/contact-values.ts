import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { issueOf, type Said, said, saidOf } from '../language/said.ts'
import { optionalLabel, text, unreadableFault } from '../text.ts'
import { describe } from '../validation.ts'

export const MAX_CONFIG_VALUE_LENGTH = 2_048
const MAX_EMAIL = 254

const HTTP_URL = /^[hH][tT][tT][pP][sS]?:\/\//
const HTTPS_URL = /^[hH][tT][tT][pP][sS]:\/\//
const THREAD_ID = /^([1-9]\d{0,19})?$/
const THREAD_ID_FAULT = phrase('must be the ID of a thread, which is a number, got {got}')
const SLACK_CHANNEL = /^([#@]?[^\s#@]{1,80})?$/
const SLACK_CHANNEL_FAULT = phrase('must be a channel such as #ops, or a person such as @ann, got {got}')
const CHAT_ID = /^(-?\d{1,20}|@[A-Za-z0-9_]{1,64})$/

/** How much of a config's value viewers see. A key that is not registered here is a secret. */
export const shown = z.registry<{ as: 'whole' | 'host' }>()

/** Keys whose value is the address of a receiver, which the operator's policy may refuse. */
export const receivers = z.registry<{ isReceiver: true }>()

export const ReceiverUrl = receiverUrl(HTTP_URL, phrase('must be an http or https URL, got {got}'))
/** Push services are reached by https only (RFC 8030, section 8). */
export const PushEndpoint = receiverUrl(HTTPS_URL, phrase('must be an https URL, got {got}'))

/** A topic of an ntfy server: what follows the last slash is its name. */
export const TopicUrl = receiverUrl(
  HTTP_URL,
  phrase('must be an http or https URL, got {got}'),
  ({ pathname, search, hash }) =>
    /\/[-_A-Za-z0-9]{1,64}$/.test(pathname) && !search && !hash
      ? null
      : said('must end in the name of a topic, such as https://ntfy.sh/my-alerts'),
)

/** A workflow of Microsoft Teams. Connectors of Office 365 were retired, and their addresses with them. */
export const WorkflowUrl = receiverUrl(
  HTTP_URL,
  phrase('must be an http or https URL, got {got}'),
  ({ hostname }) =>
    /(^|\.)(webhook|outlook)\.office\.com$/.test(hostname)
      ? said('must be the URL of a workflow: Microsoft has retired connectors, which have this one')
      : null,
)

/** `faultOf` says what else is wrong with a URL; null if nothing is. */
function receiverUrl(pattern: RegExp, fault: string, faultOf: (url: URL) => Said | null = () => null) {
  return text(MAX_CONFIG_VALUE_LENGTH)
    .superRefine((value, context) => {
      const url = URL.parse(value)
      const clean = unreadableFault(value) === null
      if (!url || !clean || !pattern.test(value)) {
        context.addIssue(issueOf(saidOf(fault, { got: describe(value) })))
      } else if (url.username || url.password) {
        context.addIssue(issueOf(said('must not contain credentials')))
      } else {
        const other = faultOf(url)
        if (other !== null) context.addIssue(issueOf(other))
      }
    })
    .meta({ pattern: pattern.source })
    .register(receivers, { isReceiver: true })
}

export const EmailAddress = text(MAX_EMAIL).pipe(z.email()).meta({ format: 'email' })

/** Text that the pattern describes; the value is a secret and stays out of the message. */
export function secretText(pattern: RegExp, fault: string, limit = 255) {
  return text(limit)
    .superRefine((value, context) => {
      if (!pattern.test(value)) context.addIssue(issueOf(saidOf(fault)))
    })
    .meta({ pattern: pattern.source })
}

/** Text that the pattern describes and everybody may read. */
export function plainText(pattern: RegExp, fault: string) {
  return text(255)
    .superRefine((value, context) => {
      if (!pattern.test(value)) context.addIssue(issueOf(saidOf(fault, { got: describe(value) })))
    })
    .meta({ pattern: pattern.source })
}

/** E.164: a plus, the country and the rest, 7 to 15 digits in all. */
export const PhoneNumber = plainText(
  /^\+[1-9]\d{6,14}$/,
  phrase('must be a number such as +15558675310, got {got}'),
)
const MAX_WRITTEN_PHONE = 60
/** A number as people write it, with spaces, dashes, brackets, and the zero that is dialled within the country alone. */
export const WrittenPhoneNumber = text(MAX_WRITTEN_PHONE)
  .transform((written) => written.replace('(0)', '').replace(/[\s()[\]./\p{Dash}]/gu, ''))
  .pipe(PhoneNumber)

export const BotToken = secretText(
  /^\d{1,20}:[A-Za-z0-9_-]+$/,
  phrase('must be a bot token as BotFather gives it, such as 123456789:AAE…'),
)
/** 65 and 16 bytes; that the key is a point of the curve shows when it is used. */
export const PushKey = secretText(
  /^B[A-Za-z0-9_-]{86}$/,
  phrase('must be a public key of 65 bytes in base64url'),
)
export const PushSecret = secretText(
  /^[A-Za-z0-9_-]{22}$/,
  phrase('must be a secret of 16 bytes in base64url'),
)

/** The ID of a topic or thread, as a number or text. */
export const ThreadId = orNone(
  z
    .union([z.int(), z.string().meta({ maxLength: 20, pattern: THREAD_ID.source })], {
      error: () => THREAD_ID_FAULT,
    })
    .transform((value, context) => {
      if (THREAD_ID.test(String(value))) return String(value)
      context.addIssue(issueOf(saidOf(THREAD_ID_FAULT, { got: describe(value) })))
      return z.NEVER
    }),
)

/** The name of a channel of Slack, or of a person. */
export const SlackChannel = orNone(
  optionalLabel(81)
    .superRefine((value, context) => {
      if (!SLACK_CHANNEL.test(value)) {
        context.addIssue(issueOf(saidOf(SLACK_CHANNEL_FAULT, { got: describe(value) })))
      }
    })
    .meta({ pattern: SLACK_CHANNEL.source }),
)

const CHAT_ID_FAULT = phrase('must be a numeric chat ID or a channel such as @status, got {got}')

/** A numeric ID, as a number or text, or the @name of a channel. */
export const ChatId = z
  .union([z.int(), z.string().meta({ maxLength: 65, pattern: CHAT_ID.source })], {
    error: ({ input }) => (input === undefined ? 'is required' : CHAT_ID_FAULT),
  })
  .transform((value, context) => {
    const chatId = String(value)
    if (CHAT_ID.test(chatId)) return chatId
    context.addIssue(issueOf(saidOf(CHAT_ID_FAULT, { got: describe(value) })))
    return z.NEVER
  })

/** Whether a receiver with a certificate that nothing vouches for is refused, which it is unless the config says `no`. */
export const VerifyTls = z
  .enum(['yes', 'no'])
  .default('yes')
  .transform((value) => (value === 'no' ? value : undefined))
  .optional()
  .describe("Whether the receiver's certificate is verified.")
  .register(shown, { as: 'whole' })

/** Turns the empty text, which forms send where nothing is chosen, into a key that the config does not have. */
function orNone<Input>(value: z.ZodType<string, Input>) {
  return value.transform((text): string | undefined => text || undefined).optional()
}
