import type * as z from 'zod'
import type { Contact, ContactCreate } from '../../core/alerting/contact.ts'
import { CONTACT_TYPES, ContactType } from '../../core/alerting/contact-types.ts'
import type { Check } from '../../core/monitors/check.ts'
import type { Incident } from '../../core/monitors/incident.ts'
import type { Monitor, MonitorCreate, MonitorPatch } from '../../core/monitors/monitor.ts'
import { MONITOR_TYPES, TYPES_BY_PLACE } from '../../core/monitors/monitor-types.ts'
import type { Team } from '../../core/teams/team.ts'

const contact: Contact = {
  id: 7,
  name: 'On call',
  type: 'webhook',
  config: { url: 'https://alerts.example.com/upbeat' },
  notify_on_down: true,
  notify_on_recovery: true,
}

const incident: Incident = {
  id: 311,
  started_at: '2026-11-21T09:30:00.123000Z',
  resolved_at: '2026-11-21T09:34:30.456000Z',
  duration_seconds: 270,
  cause: 'HTTP 503 (expected 200)',
  resolved: true,
}

const newMonitor: Monitor = {
  id: 42,
  name: 'Shop',
  type: 'http',
  url: 'https://shop.example.com/',
  status: 'pending',
  is_active: true,
  check_interval_minutes: 1,
  check_interval_seconds: null,
  http_method: 'GET',
  expected_status_codes: [200],
  expected_keyword: null,
  port: null,
  request_timeout_seconds: 30,
  request_headers: null,
  username: null,
  has_password: false,
  ssl_expiry_warning_days: 14,
  last_checked_at: null,
  ssl_days_remaining: null,
  ssl_expires_at: null,
  heartbeat_token: null,
  heartbeat_url: null,
  open_incident: null,
  notification_contacts: [contact],
  created_at: '2026-11-21T09:00:00.000000Z',
  options: null,
}

const monitor: Monitor = {
  ...newMonitor,
  status: 'down',
  last_checked_at: incident.started_at,
  ssl_days_remaining: 64,
  ssl_expires_at: '2027-01-25T12:00:00.000000Z',
  open_incident: { ...incident, resolved_at: null, duration_seconds: null, resolved: false },
}

const team: Team = {
  id: 1,
  name: 'My team',
  plan: 'pro',
  max_monitors: 200,
  monitors_count: 12,
  can_add_monitor: true,
  min_interval_minutes: 1,
  min_interval_seconds: 30,
  check_history_days: 90,
  members_count: 3,
  notification_contacts_count: 2,
  created_at: '2026-11-01T08:00:00.000000Z',
}

const checks: Check[] = [
  {
    checked_at: incident.started_at,
    status: 'down',
    response_time_ms: 118,
    http_status_code: 503,
    region: 'lon',
    error_message: 'HTTP 503 (expected 200)',
  },
  {
    checked_at: '2026-11-21T09:29:00.123000Z',
    status: 'up',
    response_time_ms: 96,
    http_status_code: 200,
    region: 'lon',
    error_message: null,
  },
  {
    checked_at: '2026-11-21T02:10:00.123000Z',
    status: 'maintenance',
    response_time_ms: 4,
    http_status_code: 502,
    region: 'lon',
    error_message: 'HTTP 502 (expected 200)',
  },
]

/** One body for each monitor type. */
const monitorBodies = Object.fromEntries(
  TYPES_BY_PLACE.map((type) => {
    const { name, ...settings } = MONITOR_TYPES[type].example
    return [type, { name, type, ...settings }]
  }),
) as Record<string, z.input<typeof MonitorCreate>>

const monitorPatches = {
  pause: { is_active: false },
  'check every 30 seconds': { check_interval_seconds: 30 },
  'alert other contacts': { notification_contact_ids: [7] },
  'try three times': { options: { attempts: 3, retry_seconds: 30 } },
} satisfies Record<string, z.input<typeof MonitorPatch>>

const contactBodies: Record<string, z.input<typeof ContactCreate>> = Object.fromEntries(
  ContactType.options.map((type) => {
    const { name, config } = CONTACT_TYPES[type].example
    return [type, { name, type, config }]
  }),
)

/** The examples of the documentation. A test validates each with its schema. */
export const examples = {
  contact,
  incident,
  newMonitor,
  monitor,
  team,
  checks,
  monitorBodies,
  monitorPatches,
  contactBodies,
}
