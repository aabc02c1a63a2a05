import { presentContact } from '../../core/alerting/contact.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { daysRemaining } from '../../core/monitors/certificate.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import { MASK, type Role, seesSecrets } from '../../core/teams/access.ts'
import type { MonitorRecord } from '../../store/monitors/monitors.ts'
import type { Services } from '../services.ts'

/** A monitor as the API shows it to this role. */
export function presentMonitor(
  { siteUrl, now }: Pick<Services, 'siteUrl' | 'now'>,
  record: MonitorRecord,
  role: Role,
): Monitor {
  const showSecrets = seesSecrets(role)
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    url: record.url,
    status: record.status,
    is_active: record.isActive,
    check_interval_minutes: record.checkIntervalMinutes as Monitor['check_interval_minutes'],
    check_interval_seconds: record.checkIntervalSeconds,
    http_method: record.httpMethod,
    expected_status_codes: record.expectedStatusCodes,
    expected_keyword: record.expectedKeyword,
    port: record.port,
    request_timeout_seconds: record.requestTimeoutSeconds,
    request_headers: showSecrets ? record.requestHeaders : maskValues(record.requestHeaders),
    username: record.username,
    has_password: record.password !== null,
    ssl_expiry_warning_days: record.sslExpiryWarningDays,
    last_checked_at: formatInstantOrNull(record.lastCheckedAt),
    ssl_days_remaining: record.sslExpiresAt && daysRemaining(record.sslExpiresAt, now()),
    ssl_expires_at: formatInstantOrNull(record.sslExpiresAt),
    heartbeat_token: record.heartbeatToken,
    heartbeat_url: record.heartbeatToken && `${siteUrl}/ping/${record.heartbeatToken}`,
    open_incident: record.openIncident && presentIncident(record.openIncident),
    notification_contacts: record.contacts.map((contact) => presentContact(contact, showSecrets)),
    created_at: formatInstant(record.createdAt),
  }
}

function maskValues(headers: Record<string, string> | null): Record<string, string> | null {
  return headers && Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]))
}
