import * as z from 'zod'
import { Contact } from '../alerting/contact.ts'
import { Instant } from '../instant.ts'
import { issueAt, said } from '../language/said.ts'
import { intervalSecondsOf } from '../probing/schedule.ts'
import { MAX_RECORD_ID, RecordId } from '../record-id.ts'
import { withoutSchemaDefaults } from '../shape.ts'
import { MASK } from '../teams/access.ts'
import { label, MAX_NAME_LENGTH, text } from '../text.ts'
import { CheckStatus } from './check.ts'
import { Incident } from './incident.ts'
import { MONITOR_TYPES, MonitorType, schemesOf, TYPES_BY_PLACE, usesHostOnly } from './monitor-types.ts'
import { MonitorOptions, SentOptions } from './options/monitor-options.ts'
import { HttpMethod } from './options/request.ts'
import { RESERVED_HEADERS, RequestHeaders, ShownHeaders } from './request-headers.ts'
// Says which of these settings no message repeats.
import './secret-settings.ts'

export { MonitorType }

export const CHECK_INTERVALS_MINUTES = [1, 5, 15, 30, 60] as const
/** Those of what has no interval. */
export const LONGEST_MINUTES = 60
export type IntervalMinutes = (typeof CHECK_INTERVALS_MINUTES)[number]
export const MAX_INTERVAL_SECONDS = 31_536_000
export const MAX_STATUS_CODES = 50
export const MIN_STATUS_CODE = 100
export const MAX_STATUS_CODE = 599
export const MAX_TIMEOUT_SECONDS = 60
export const MAX_WARNING_DAYS = 90
export const MAX_CONTACTS = 500
export const DEFAULT_METHOD = 'GET'
export const DEFAULT_STATUS_CODES: readonly number[] = [200]

const StatusCodes = z
  .array(z.int().min(MIN_STATUS_CODE).max(MAX_STATUS_CODE))
  .min(1)
  .max(MAX_STATUS_CODES)
  .superRefine((codes, context) => {
    codes.forEach((code, index) => {
      if (codes.indexOf(code) < index) {
        context.addIssue(issueAt([index], said('must not repeat {code}', { code })))
      }
    })
  })
  .meta({ uniqueItems: true })

/** An empty user name is stored as null. */
const Username = text(255)
  .nullable()
  .transform((value) => value || null)

/** The fields that a client may send, in the order of the documentation and of CLI flags. A POST may omit those with a default. */
const sent = {
  name: label(MAX_NAME_LENGTH).describe('Name shown in the dashboard and in alerts.'),
  type: MonitorType,
  url: text(500)
    .nullable()
    .describe(
      `Full URL that is checked, scheme included, without user name and password: ${urlsInWords()}. Null for a heartbeat, a group and a manual monitor.`,
    )
    .default(null),
  check_interval_minutes: z
    .literal(CHECK_INTERVALS_MINUTES)
    .describe(
      "Minutes between checks. At least the plan's `min_interval_minutes` when it is sent. A group or manual monitor has none: it may be left out, and says nothing.",
    ),
  check_interval_seconds: z
    .int()
    .min(1)
    .max(MAX_INTERVAL_SECONDS)
    .nullable()
    .describe(
      "Exact interval in seconds, which overrides the minutes. At least the plan's `min_interval_seconds` when it is sent.",
    )
    .default(null),
  is_active: z.boolean().describe('False pauses the monitor.').default(true),
  http_method: HttpMethod.default(DEFAULT_METHOD),
  expected_status_codes: StatusCodes.describe('HTTP status codes that count as up.').default([
    ...DEFAULT_STATUS_CODES,
  ]),
  expected_keyword: text(255)
    .nullable()
    .describe('Text that the body of a `keyword` monitor must contain.')
    .default(null),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .describe('Port that a `tcp` monitor connects to.')
    .default(null),
  request_timeout_seconds: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_SECONDS)
    .describe('Seconds a check waits before it counts as down.')
    .default(30),
  request_headers: RequestHeaders.nullable()
    .describe(
      `Extra request headers, name to value. None is null. A check sets these itself: ${RESERVED_HEADERS.join(', ')}.`,
    )
    .default(null),
  username: Username.describe(
    'User name that checks sign in with, over HTTP by basic authentication. Null removes it, and the password with it.',
  ).default(null),
  password: text(255)
    .nullable()
    .describe('Its password, stored encrypted. Empty or null keeps the stored one.')
    .default(null),
  ssl_expiry_warning_days: z
    .int()
    .min(1)
    .max(MAX_WARNING_DAYS)
    .describe('Days before the certificate expires at which to warn.')
    .default(14),
  notification_contact_ids: z
    .array(z.int().meta({ minimum: 1, maximum: MAX_RECORD_ID }))
    .max(MAX_CONTACTS)
    .nullable()
    .describe("IDs of the team's contacts to alert. Null or none: every contact of the team is alerted.")
    .default(null),
  options: SentOptions.nullable()
    .describe('Further settings, by type. Null removes one, or all.')
    .default(null),
}
const { type, ...settings } = withoutSchemaDefaults(sent)

export const MonitorCreate = z.object(sent)
export type MonitorCreate = z.infer<typeof MonitorCreate>

export const MonitorPatch = z.object({ type, ...settings }).partial()
export type MonitorPatch = z.infer<typeof MonitorPatch>

/** The stored settings of a monitor, with secrets in the clear. Contacts are attached in a table of their own. */
export const MonitorSettings = MonitorCreate.omit({ notification_contact_ids: true }).extend({
  options: MonitorOptions.nullable().default(null),
})
export type MonitorSettings = z.infer<typeof MonitorSettings>

const {
  name,
  url,
  is_active: _isActive,
  password: _password,
  ssl_expiry_warning_days,
  notification_contact_ids: _contacts,
  options: _options,
  ...shown
} = settings

/**
 * A monitor in answers, with its fields in order (specification, section 2.1). `has_password` stands for the password; other
 * settings are shown as they are sent.
 */
export const Monitor = z.object({
  id: RecordId,
  name,
  type,
  url,
  status: CheckStatus,
  is_active: z.boolean().describe('False while paused.'),
  ...shown,
  request_headers: ShownHeaders.nullable().describe(
    `Extra request headers, name to value. A viewer's token sees each value as \`${MASK}\`.`,
  ),
  username: text(255).nullable().describe('User name that checks sign in with.'),
  has_password: z.boolean().describe('Whether a password is stored. The password is never returned.'),
  ssl_expiry_warning_days,
  last_checked_at: Instant.nullable().describe('Time of the last check; null before the first.'),
  ssl_days_remaining: z
    .int()
    .nullable()
    .describe('Whole days until the certificate expires, negative once it has; null until one was read.'),
  ssl_expires_at: Instant.nullable().describe('When the certificate expires.'),
  heartbeat_token: z
    .uuid()
    .max(36)
    .nullable()
    .describe('Token of a heartbeat or manual monitor. It is a secret.'),
  heartbeat_url: z
    .url()
    .max(2_048)
    .nullable()
    .describe('What the job of a heartbeat monitor requests; of a manual one, `/up` or `/down` is appended.'),
  open_incident: Incident.nullable().describe('The open incident; null while the status is not `down`.'),
  notification_contacts: z
    .array(Contact)
    .max(MAX_CONTACTS)
    .describe('Contacts alerted for this monitor, in name order.'),
  created_at: Instant.describe('When the monitor was created.'),
  options: MonitorOptions.nullable().describe(
    'The further settings that are set, by the type; null without any.',
  ),
})
export type Monitor = z.infer<typeof Monitor>

/** The settings of a heartbeat that say when it is late. */
export function termsOf(
  monitor: Parameters<typeof intervalSecondsOf>[0] & Pick<MonitorSettings, 'options'>,
): { intervalSeconds: number; options: MonitorSettings['options'] } {
  return { intervalSeconds: intervalSecondsOf(monitor), options: monitor.options }
}

/** The URLs that each type accepts, as a sentence for the documents. */
function urlsInWords(): string {
  const code = (word: string) => `\`${word}\``
  const types = TYPES_BY_PLACE.filter((type) => MONITOR_TYPES[type].url !== null)
  const groups = Map.groupBy(types, (type) => schemesOf(type)?.map(code).join(' or ') ?? 'any scheme')
  const said = [...groups].map(([schemes, group]) => {
    const rest = group.every(usesHostOnly) ? ', which use only its host' : ''
    return `${schemes} for ${group.map(code).join(' and ')}${rest}`
  })
  return said.join(', ')
}
