import * as z from 'zod'
import { FLAPS } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import { said } from '../language/said.ts'
import { RecordId } from '../record-id.ts'
import type { FieldError } from '../validation.ts'
import { MonitorBrief } from './status.ts'

export const DAYS_OF_ROW = 30

/** A monitor in a list. Shares are of time (core/history/uptime.ts), 0 to 1; null if nothing was judged. */
export const MonitorRow = MonitorBrief.extend({
  ...FLAPS,
  last_checked_at: Instant.nullable(),
  interval_seconds: z.int(),
  /** The times of a heartbeat, in place of its interval. */
  schedule: z.string().nullable(),
  /** The cause of the open incident. */
  cause: z.string().nullable(),
  /** Uptime of each of the last 30 days (UTC), oldest first, today last. */
  days: z.array(z.number().nullable()).length(DAYS_OF_ROW),
  /** Seconds of each of these days that were maintenance. */
  maintenance_days: z.array(z.int().min(0)).length(DAYS_OF_ROW),
  uptime_30d: z.number().nullable(),
  /** Response times of the last 24 hours. */
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
  contacts_count: z.int(),
  /** Sorted. */
  tags: z.array(z.string()),
})
export type MonitorRow = z.infer<typeof MonitorRow>

const MAX_AT_ONCE = 500

export const BulkAction = z.enum(['pause', 'resume', 'delete', 'attach', 'detach'])
export type BulkAction = z.infer<typeof BulkAction>

/** One action on many monitors; `attach` and `detach` also name a contact. */
export const BulkChange = z.object({
  action: BulkAction,
  monitor_ids: z.array(RecordId).min(1).max(MAX_AT_ONCE),
  notification_contact_id: RecordId.nullable().default(null),
})
export type BulkChange = z.infer<typeof BulkChange>

/** Requires a contact for attaching and detaching. */
export function bulkRules({ action, notification_contact_id }: Partial<BulkChange>): FieldError[] {
  const needsContact = action === 'attach' || action === 'detach'
  if (!needsContact || (notification_contact_id ?? null) !== null) return []
  const message =
    action === 'attach' ? said('is required to attach a contact') : said('is required to detach a contact')
  return [{ field: 'notification_contact_id', message }]
}

/** The number of monitors changed; those already in that state, or deleted, do not count. */
export const BulkOutcome = z.object({ changed: z.int() })
export type BulkOutcome = z.infer<typeof BulkOutcome>
