import * as z from 'zod'
import { changedOptions, type MonitorOptions, mergeOptions, type SentOptions } from '../monitors/options/monitor-options.ts'
import { maskedOptions } from '../monitors/options/secret-options.ts'

/** A field with its values before and after a change, as text; null for nothing. */
export const AuditChange = z.object({
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type AuditChange = z.infer<typeof AuditChange>

/**
 * The fields whose values the audit log keeps, by the record that an operation is about. It is closed by default: addresses may
 * hold secrets, and names of contacts and texts may be about people.
 */
export const LOGGED_VALUES: Readonly<Record<string, readonly string[]>> = {
  monitor: [
    ...['name', 'type', 'is_active', 'check_interval_minutes', 'check_interval_seconds'],
    ...['http_method', 'expected_status_codes', 'port', 'request_timeout_seconds', 'ssl_expiry_warning_days'],
    'options',
  ],
  server: ['name', 'is_active', 'thresholds', 'contact_ids'],
  site: [
    ...['name', 'is_active', 'home_interval_seconds', 'max_pages', 'checks_foreign_links'],
    ...['domain_expires_on', 'areas_off', 'contact_ids'],
  ],
  notificationContact: ['type', 'notify_on_down', 'notify_on_recovery'],
  member: ['role'],
  maintenanceWindow: ['name', 'all_subjects', 'monitor_ids', 'server_ids', 'site_ids'],
  escalationPolicy: ['name', 'repeats', 'repeat_every_minutes'],
  schedule: ['name', 'time_zone'],
  report: ['name', 'time_zone', 'all_subjects', 'monitor_ids', 'server_ids', 'site_ids'],
  statusPage: ['name', 'slug', 'visibility', 'language', 'theme', 'days'],
}

/** Longer values are no use to a reader of the log. */
const MAX_VALUE_LENGTH = 200

/** The logged values that differ. `after` has the fields that were sent, or those of the answer where nothing was. */
export function changesOf(record: string, before: unknown, after: unknown): AuditChange[] {
  if (!isObject(before) || !isObject(after)) return []
  return (LOGGED_VALUES[record] ?? []).flatMap((field) =>
    Object.hasOwn(before, field) && Object.hasOwn(after, field)
      ? field === 'options'
        ? optionDiffs(before[field] as MonitorOptions | null, after[field] as SentOptions | null)
        : diff(field, before[field], after[field])
      : [],
  )
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
