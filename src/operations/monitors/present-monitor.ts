import { describeAlerted } from '../../core/alerting/alerted.ts'
import { presentContact } from '../../core/alerting/contact.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { daysRemaining } from '../../core/monitors/certificate.ts'
import { nextDueAt } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import { Monitor, termsOf } from '../../core/monitors/monitor.ts'
import { toldAt } from '../../core/monitors/monitor-types.ts'
import { inOrderOfSchemas } from '../../core/monitors/options/monitor-options.ts'
import { shownOptions } from '../../core/monitors/options/secret-options.ts'
import type { SecretSetting } from '../../core/monitors/secret-settings.ts'
import { keysOf } from '../../core/shape.ts'
import { MASK, type Role, seesSecrets } from '../../core/teams/access.ts'
import { listAlerted } from '../../store/alerting/alerted.ts'
import type { MonitorRecord } from '../../store/monitors/monitors.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Only the fields of the schema, in its order. */
const copy = copierOf<Monitor>(keysOf(Monitor.shape))

/** A monitor in answers to this role. */
export function presentMonitor(
  { siteUrl, now }: Pick<Services, 'siteUrl' | 'now'>,
  record: MonitorRecord,
  role: Role,
): Monitor {
  const showSecrets = seesSecrets(role)
  const { heartbeat_token: token, ssl_expires_at: expiresAt } = record
  return copy(record, {
    ...(!showSecrets && maskSecrets(record)),
    has_password: record.password !== null,
    last_checked_at: formatInstantOrNull(record.last_checked_at),
    ssl_days_remaining: expiresAt && daysRemaining(expiresAt, now()),
    ssl_expires_at: formatInstantOrNull(expiresAt),
    heartbeat_url: token && `${siteUrl}${toldAt(record.type)}/${token}`,
    open_incident: record.open_incident && presentIncident(record.open_incident),
    notification_contacts: record.contacts.map((contact) => presentContact(contact, showSecrets)),
    created_at: formatInstant(record.created_at),
    options: presentOptions(record, role),
  })
}

/** A job with a schedule says when it is due; a paused one is not. */
function presentOptions(record: MonitorRecord, role: Role): MonitorRecord['options'] {
  // Most monitors have none, and lists have hundreds of monitors.
  if (record.options === null) return null
  const shown = shownOptions(record.options, role)
  const dueAt = record.is_active ? nextDueAt(termsOf(record), record.heartbeat_due_at) : null
  return inOrderOfSchemas(dueAt === null ? shown : { ...shown, next_due_at: formatInstant(dueAt) })
}

/** The secrets that answers hold, as viewers see them. A new one does not compile until it is masked here. */
function maskSecrets({ request_headers }: MonitorRecord): Pick<Monitor, Exclude<SecretSetting, 'password'>> {
  return { request_headers: maskValues(request_headers) }
}

function maskValues(headers: Record<string, string> | null): Record<string, string> | null {
  return headers && Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]))
}

/** A note that says whom the monitor alerts; for AI clients, which cannot see the warnings of the dashboard. */
export async function noteOfAlerted(
  { db, hasMail, opensSignUp }: Services,
  { door, teamId }: Actor,
  monitorId: number,
): Promise<{ note?: string }> {
  if (door !== 'mcp') return {}
  const contacts = await listAlerted(db.query, teamId, monitorId)
  // A service that only its operator opens asks no address to agree.
  const judged = contacts.map((contact) => ({
    ...contact,
    awaitsAgreement: opensSignUp && contact.awaitsAgreement,
  }))
  return { note: describeAlerted(judged, hasMail) }
}

/** The keys that a record has as they are shown. */
type Unchanged<R, Shown> = { [K in keyof R & keyof Shown]: R[K] extends Shown[K] ? K : never }[keyof R &
  keyof Shown]

/**
 * Makes copies of large records with the given keys, in their order; `changed` replaces some of the values. Each copy
 * begins with all keys, as the engine is much faster with objects whose keys it knows beforehand.
 */
function copierOf<Shown extends object>(keys: readonly (keyof Shown & string)[]) {
  const empty = { ...Object.fromEntries(keys.map((key) => [key, null])) }
  return <R extends object>(record: R, changed: Omit<Shown, Unchanged<R, Shown>> & Partial<Shown>): Shown => {
    const copy: Record<string, unknown> = { ...empty }
    const known = record as Record<string, unknown>
    for (const key of keys) copy[key] = known[key]
    return Object.assign(copy, changed) as Shown
  }
}
