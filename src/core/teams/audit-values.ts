import * as z from 'zod'
import type { ContactPatch } from '../alerting/contact.ts'
import { ofEachField } from '../maintenance/subject-kind.ts'
import type { MaintenanceWindow } from '../maintenance/window.ts'
import type { MonitorPatch } from '../monitors/monitor.ts'
import {
  changedOptions,
  type MonitorOptions,
  mergeOptions,
  type SentOptions,
} from '../monitors/options/monitor-options.ts'
import { maskedOptions } from '../monitors/options/secret-options.ts'
import type { PolicySettings } from '../on-call/policy.ts'
import type { Schedule } from '../on-call/schedule.ts'
import type { ReportSettings } from '../reports/report.ts'
import type { ServerSettings } from '../servers/server.ts'
import type { SiteSettings } from '../sites/site.ts'
import type { StatusPage } from '../status-pages/status-page.ts'

/** A field with its values before and after a change, as text; null for nothing. */
export const AuditChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type AuditChange = z.infer<typeof AuditChange>

const OF_SUBJECT = ['policy_id', 'tags'] as const
const OF_INCIDENT = ['note', 'text'] as const
const OF_OVERRIDE = ['participant', 'starts_at', 'ends_at'] as const
const OF_UPDATE = ['body', 'impacts'] as const

/**
 * Whether the audit log keeps the values of a field, for each field that operations take, by the record that they are about: the one
 * in their path, or the one that they create; by their own name where there is none.
 * Left out are addresses, which may hold secrets, names of contacts, which may be about people, and texts.
 */
export const LOGGED_VALUES = {
  monitor: {
    ...kept('name', 'type', 'is_active', 'check_interval_minutes', 'check_interval_seconds', 'http_method'),
    ...kept('expected_status_codes', 'port', 'request_timeout_seconds', 'ssl_expiry_warning_days', 'options'),
    ...kept(...OF_SUBJECT),
    ...left('url', 'expected_keyword', 'request_headers', 'username', 'password', 'notification_contact_ids'),
    ...left('runbook_url', 'notes'),
    ...kept('state'),
    ...left('message'),
  },
  server: kept('name', 'is_active', 'thresholds', 'contact_ids', ...OF_SUBJECT),
  site: {
    ...kept('name', 'is_active', 'home_interval_seconds', 'max_pages', 'checks_foreign_links'),
    ...kept('domain_expires_on', 'areas_off', 'contact_ids', ...OF_SUBJECT),
    ...left('url', 'ignored_patterns', 'area', 'until', 'reason'),
  },
  siteFinding: left('reason'),
  notificationContact: {
    ...kept('type', 'notify_on_down', 'notify_on_recovery', 'quiet_hours', 'time_zone'),
    ...left('name', 'config', 'attach_to_existing'),
  },
  member: kept('role'),
  invitation: { ...kept('role'), ...left('email') },
  apiToken: { ...kept('name', 'is_read_only', 'expires_in_days'), ...left('old_works_hours') },
  incident: left(...OF_INCIDENT),
  serverIncident: left(...OF_INCIDENT),
  siteIncident: left(...OF_INCIDENT),
  drill: left('note'),
  maintenanceWindow: {
    ...kept('name', 'all_subjects'),
    ...ofEachField('_ids', () => true),
    ...left('kind', 'note', 'shows_on_pages', 'public_name', 'tags', 'starts_at', 'ends_at', 'local_start'),
    ...left('time_zone', 'duration_minutes', 'rule', 'exceptions', 'max_minutes', 'ends_when_passing'),
    // For how long it begins now, or goes on.
    ...left('minutes'),
  },
  escalationPolicy: { ...kept('name', 'repeats', 'repeat_every_minutes'), ...left('steps', 'tags') },
  schedule: { ...kept('name', 'time_zone'), ...left('participants', 'layers', ...OF_OVERRIDE) },
  report: {
    ...kept('name', 'time_zone', 'all_subjects'),
    ...ofEachField('_ids', () => true),
    ...left('tags', 'email'),
  },
  statusPage: {
    ...kept('name', 'slug', 'visibility', 'language', 'theme', 'days'),
    ...left('description', 'networks', 'accent_color', 'home_url', 'support_url', 'posts', 'template_id'),
    ...left('allows_subscribers', 'items', 'password', 'logo', 'domain'),
    // The rest is sent for posts on it.
    ...left(
      'kind',
      'title',
      'scheduled_for',
      'scheduled_until',
      'is_draft',
      'update',
      'window_id',
      'starts_at',
    ),
  },
  statusPost: {
    ...kept('phase', 'scheduled_for', 'scheduled_until'),
    ...left('title', 'notifies', 'at', ...OF_UPDATE),
  },
  statusUpdate: { ...kept('phase', 'at'), ...left(...OF_UPDATE) },
  statusTemplate: { ...kept('name', 'phase'), ...left('title', 'body') },
  updateTeam: kept('name'),
  updateTeamConfirmation: kept('confirmations', 'recovery_checks'),
  updateTeamLanguage: kept('language', 'time_zone'),
  updateOnCallSettings: kept('reminder_minutes', 'flapping'),
  maintainMonitors: { ...kept('minutes'), ...ofEachField('_ids', () => true), ...left('name') },
  changeMonitors: kept('action', 'monitor_ids', 'notification_contact_id'),
  changeTags: kept('kind', 'ids', 'add', 'remove'),
  restoreRecord: { ...kept('kind'), ...left('id') },
  testMonitorSettings: {
    ...kept('type'),
    ...left('name', 'url', 'check_interval_minutes', 'check_interval_seconds', 'is_active', 'http_method'),
    ...left('expected_status_codes', 'expected_keyword', 'port', 'request_timeout_seconds', 'options'),
    ...left('request_headers', 'username', 'password', 'ssl_expiry_warning_days', 'monitor_id'),
    ...left('notification_contact_ids'),
  },
} satisfies { [Name in keyof Sent]: Record<FieldOf<Sent[Name]>, boolean> } & Decided

type Decided = Record<string, Readonly<Record<string, boolean>>>

/** The bodies that change these records as a whole. */
type Sent = {
  monitor: MonitorPatch
  server: ServerSettings
  site: SiteSettings
  notificationContact: ContactPatch
  member: { role: unknown }
  maintenanceWindow: MaintenanceWindow
  escalationPolicy: PolicySettings
  schedule: Schedule
  report: ReportSettings
  statusPage: StatusPage
}
type FieldOf<Body> = Body extends unknown ? keyof Body & string : never

function kept<Field extends string>(...fields: Field[]): Record<Field, boolean> {
  return Object.fromEntries(fields.map((field) => [field, true])) as Record<Field, boolean>
}

function left<Field extends string>(...fields: Field[]): Record<Field, boolean> {
  return Object.fromEntries(fields.map((field) => [field, false])) as Record<Field, boolean>
}

/** Longer values are no use to a reader of the log. */
const MAX_VALUE_LENGTH = 200

const KEPT = new Map(
  Object.entries(LOGGED_VALUES as Decided).map(([record, fields]) => [
    record,
    Object.keys(fields).filter((field) => fields[field]),
  ]),
)

/** The fields of a record, or of an operation without one, whose values are kept. */
export function loggedFields(record: string): readonly string[] {
  return KEPT.get(record) ?? []
}

/**
 * The logged values that differ. `after`: the body, of which `fields` were sent, or the answer where nothing was. `before`:
 * null where there was nothing before.
 */
export function changesOf(
  record: string,
  before: unknown,
  after: unknown,
  fields: readonly string[] | null = null,
): AuditChange[] {
  if (!isObject(after) || !(before === null || isObject(before))) return []
  const logged = loggedFields(record).filter(
    (field) => fields?.includes(field) ?? Object.hasOwn(after, field),
  )
  return logged.flatMap((field) => {
    if (before !== null && !Object.hasOwn(before, field)) return []
    const [from, to] = [before?.[field] ?? null, after[field]]
    if (field === 'options') return optionDiffs(from as MonitorOptions | null, to as SentOptions | null)
    return diff(field, before === null && isObject(to) ? {} : from, to)
  })
}

/** Each option by itself: what was sent changes some, and secrets are masked. */
function optionDiffs(before: MonitorOptions | null, sent: SentOptions | null): AuditChange[] {
  const after = mergeOptions(before, sent)
  const [from, to] = [maskedOptions(before), maskedOptions(after)]
  return changedOptions(before, after).map((name) => ({
    field: `options ${name}`,
    before: textOf(from?.[name]),
    after: textOf(to?.[name]),
  }))
}

/** The parts of an object are compared one by one. */
function diff(field: string, before: unknown, after: unknown): AuditChange[] {
  if (isObject(before) && isObject(after)) {
    const parts = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...parts].flatMap((part) => diff(`${field} ${part}`, before[part] ?? null, after[part] ?? null))
  }
  const [from, to] = [textOf(before), textOf(after)]
  return from === to ? [] : [{ field, before: from, after: to }]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const text = Array.isArray(value) ? listed(value) : plain(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}

/** Ids stand in their order, which says nothing. */
function listed(values: unknown[]): string {
  const isOfNumbers = values.every((one) => typeof one === 'number')
  const inOrder = isOfNumbers ? values.toSorted((a, b) => a - b) : values
  return inOrder.map((one) => textOf(one) ?? '').join(', ')
}

function plain(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
