import * as z from 'zod'
import { CheckStatus } from './check.ts'
import { Contact } from './contact.ts'
import { Incident } from './incident.ts'
import { Instant } from './instant.ts'
import { RequestHeaders } from './request-headers.ts'
import { label, text } from './text.ts'

export const MonitorType = z.enum(['http', 'ssl', 'heartbeat', 'keyword', 'tcp', 'icmp'])
export type MonitorType = z.infer<typeof MonitorType>

export const HttpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type HttpMethod = z.infer<typeof HttpMethod>

const CHECK_INTERVALS_MINUTES = [1, 5, 15, 30, 60] as const
const LONGEST_INTERVAL_SECONDS = 31_536_000
const MAX_STATUS_CODES = 50
const MAX_CONTACTS = 500

const StatusCodes = z
  .array(z.int().min(100).max(599))
  .min(1)
  .max(MAX_STATUS_CODES)
  .superRefine((codes, context) => {
    codes.forEach((code, index) => {
      if (codes.indexOf(code) < index) {
        context.addIssue({ code: 'custom', message: `must not repeat ${code}`, path: [index] })
      }
    })
  })

/** A user name that is empty is none. */
const Username = text(255)
  .nullable()
  .transform((value) => value || null)

/** The settings a client may send, each defined once; POST and PATCH differ in what may be missing. */
const settings = {
  name: label(255),
  url: text(500).nullable(),
  check_interval_minutes: z.literal(CHECK_INTERVALS_MINUTES),
  check_interval_seconds: z.int().min(1).max(LONGEST_INTERVAL_SECONDS).nullable(),
  is_active: z.boolean(),
  http_method: HttpMethod,
  expected_status_codes: StatusCodes,
  expected_keyword: text(255).nullable(),
  port: z.int().min(1).max(65_535).nullable(),
  request_timeout_seconds: z.int().min(1).max(60),
  request_headers: RequestHeaders.nullable(),
  username: Username,
  password: text(255).nullable(),
  ssl_expiry_warning_days: z.int().min(1).max(90),
  notification_contact_ids: z.array(z.int()).max(MAX_CONTACTS).nullable(),
}

export const MonitorCreate = z.object({
  name: settings.name,
  type: MonitorType,
  url: settings.url.default(null),
  check_interval_minutes: settings.check_interval_minutes,
  check_interval_seconds: settings.check_interval_seconds.default(null),
  is_active: settings.is_active.default(true),
  http_method: settings.http_method.default('GET'),
  expected_status_codes: settings.expected_status_codes.default([200]),
  expected_keyword: settings.expected_keyword.default(null),
  port: settings.port.default(null),
  request_timeout_seconds: settings.request_timeout_seconds.default(30),
  request_headers: settings.request_headers.default(null),
  username: settings.username.default(null),
  password: settings.password.default(null),
  ssl_expiry_warning_days: settings.ssl_expiry_warning_days.default(14),
  notification_contact_ids: settings.notification_contact_ids.default(null),
})
export type MonitorCreate = z.infer<typeof MonitorCreate>

export const MonitorPatch = z.object({ type: MonitorType, ...settings }).partial()
export type MonitorPatch = z.infer<typeof MonitorPatch>

/** A monitor as every answer shows it, in this order (specification, section 2.1). */
export const Monitor = z.object({
  id: z.int(),
  name: z.string(),
  type: MonitorType,
  url: z.string().nullable(),
  status: CheckStatus,
  is_active: z.boolean(),
  check_interval_minutes: z.literal(CHECK_INTERVALS_MINUTES),
  check_interval_seconds: z.int().nullable(),
  http_method: HttpMethod,
  expected_status_codes: z.array(z.int()),
  expected_keyword: z.string().nullable(),
  port: z.int().nullable(),
  request_timeout_seconds: z.int(),
  request_headers: z.record(z.string(), z.string()).nullable(),
  username: z.string().nullable(),
  has_password: z.boolean(),
  ssl_expiry_warning_days: z.int(),
  last_checked_at: Instant.nullable(),
  ssl_days_remaining: z.int().nullable(),
  ssl_expires_at: Instant.nullable(),
  heartbeat_token: z.uuid().nullable(),
  heartbeat_url: z.url().nullable(),
  open_incident: Incident.nullable(),
  notification_contacts: z.array(Contact),
  created_at: Instant,
})
export type Monitor = z.infer<typeof Monitor>
