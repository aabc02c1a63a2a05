import type { Contact } from '../core/alerting/contact.ts'
import { formatDuration } from '../core/duration.ts'
import type { Check } from '../core/monitors/check.ts'
import type { Incident } from '../core/monitors/incident.ts'
import type { Monitor } from '../core/monitors/monitor.ts'
import { liveStatus } from '../core/monitors/status.ts'
import type { Row } from './output.ts'

/** The row of each kind of record in lists. */
export const ROWS = {
  monitors: (monitor: Monitor): Row => ({
    id: monitor.id,
    status: liveStatus(monitor),
    name: monitor.name,
    type: monitor.type,
    target: monitor.url ?? monitor.heartbeat_url,
    every: every(monitor),
    checked: time(monitor.last_checked_at),
  }),
  contacts: (contact: Contact): Row => ({
    id: contact.id,
    name: contact.name,
    type: contact.type,
    address: Object.values(contact.config).at(-1) ?? null,
    'tells of': alertedEvents(contact),
  }),
  incidents: (incident: Incident): Row => ({
    id: incident.id,
    started: time(incident.started_at),
    lasted: incident.duration_seconds === null ? 'open' : formatDuration(incident.duration_seconds),
    cause: incident.cause,
  }),
  checks: (check: Check): Row => ({
    checked: time(check.checked_at),
    status: check.status,
    ms: check.response_time_ms,
    http: check.http_status_code,
    region: check.region,
    message: check.error_message,
  }),
}

/** Every field of a record, one per line. */
export function fieldsRow(record: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, valueText(value)]))
}

function valueText(value: unknown): string | number | null {
  if (value === null || typeof value === 'number') return value
  if (Array.isArray(value)) return value.length > 0 ? value.map(entryText).join(', ') : 'none'
  if (typeof value === 'object') {
    const pairs = Object.entries(value as object).filter(([, each]) => each !== null)
    return pairs.map(([name, each]) => `${name}: ${nestedText(each)}`).join(', ')
  }
  return String(value)
}

function nestedText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function entryText(entry: unknown): string {
  const { id, name } = Object(entry) as { id?: number; name?: string }
  return name === undefined ? String(entry) : `${name} (${id})`
}

function every({ check_interval_seconds: seconds, check_interval_minutes: minutes }: Monitor): string {
  return seconds === null ? `${minutes} min` : `${seconds} s`
}

function alertedEvents({ notify_on_down: down, notify_on_recovery: recovery }: Contact): string {
  return [down && 'down', recovery && 'recovery'].filter(Boolean).join(', ') || 'nothing'
}

/** In UTC, to the second. */
function time(instant: string | null): string | null {
  return instant && `${instant.slice(0, 10)} ${instant.slice(11, 19)}Z`
}
