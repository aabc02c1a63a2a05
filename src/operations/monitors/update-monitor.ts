import { Refusal } from '../../core/errors.ts'
import { deadline } from '../../core/monitors/heartbeat.ts'
import { MonitorPatch } from '../../core/monitors/monitor.ts'
import { changesProbe, patchRules } from '../../core/monitors/monitor-rules.ts'
import { intervalSeconds } from '../../core/probing/schedule.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { replaceMonitorContacts } from '../../store/alerting/contacts.ts'
import {
  lockMonitors,
  updateState,
  updateMonitor as writeMonitor,
} from '../../store/monitors/monitor-changes.ts'
import { findMonitor, type MonitorRecord, type MonitorSettings } from '../../store/monitors/monitors.ts'
import { readHeartbeatDueAt } from '../../store/probing/schedule.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { pauseMonitors, resumeMonitors, startAnew } from './monitor-activity.ts'
import { presentMonitor } from './present-monitor.ts'

export const updateMonitor: Implementation<'updateMonitor'> = {
  validate(services, { actor, record }, body) {
    const rules = patchRules(record.type, {
      plan: services.plans[actor.plan],
      planName: actor.plan,
      refuseAddress: services.refuseAddress,
    })
    const { url, ...rest } = body as Record<string, unknown>
    // A heartbeat has no URL: one that is sent is ignored, whatever it is.
    return parseFields(MonitorPatch, record.type === 'heartbeat' ? rest : body, rules)
  },

  async perform(services, { actor, record, body }) {
    return { body: { data: await change(services, actor, record.id, () => body) } }
  },
}

export const toggleMonitor: Implementation<'toggleMonitor'> = {
  async perform(services, { actor, record }) {
    return {
      body: { data: await change(services, actor, record.id, ({ isActive }) => ({ is_active: !isActive })) },
    }
  },
}

/** Reads, changes and writes one monitor while nobody else does; `patchOf` sees it as it is then. */
async function change(
  services: Services,
  actor: Actor,
  monitorId: number,
  patchOf: (current: MonitorRecord) => MonitorPatch,
) {
  const { db, vault } = services
  const changed = await db.query.transaction().execute(async (query) => {
    await lockMonitors(query, actor.teamId, [monitorId])
    const current = await findMonitor(query, vault, actor.teamId, monitorId)
    if (!current) throw new Refusal('notFound')
    await apply(services, query, actor.teamId, current, patchOf(current))
    return (await findMonitor(query, vault, actor.teamId, monitorId)) as MonitorRecord
  })
  return presentMonitor(services, changed, actor.role)
}

async function apply(
  services: Services,
  query: Query,
  teamId: number,
  current: MonitorRecord,
  patch: MonitorPatch,
): Promise<void> {
  const { vault } = services
  const settings = merge(current, patch)
  await refuseUnknownContacts(query, teamId, patch.notification_contact_ids)
  await writeMonitor(query, vault, teamId, current.id, settings)
  if (patch.notification_contact_ids !== undefined) {
    await replaceMonitorContacts(query, current.id, patch.notification_contact_ids ?? [])
  }
  if (settings.url !== current.url) await updateState(query, current.id, { sslExpiresAt: null })

  const otherInterval = intervalSeconds(settings) !== intervalSeconds(current)
  if (otherInterval && settings.type === 'heartbeat') await moveHeartbeat(query, current, settings)

  const isActive = patch.is_active ?? current.isActive
  if (isActive && !current.isActive) {
    await resumeMonitors(services, query, teamId, [{ ...settings, id: current.id }])
  } else if (!isActive && current.isActive) await pauseMonitors(services, query, teamId, [current.id])
  else if (otherInterval || changesProbe(patch)) await startAnew(query, [current.id])
}

/** The deadline counts from when the job was last heard of, with the new interval. */
async function moveHeartbeat(query: Query, current: MonitorRecord, settings: MonitorSettings): Promise<void> {
  const dueAt = await readHeartbeatDueAt(query, current.id)
  if (!dueAt) return
  const heartbeatDueAt = deadline(dueAt, intervalSeconds(settings) - intervalSeconds(current))
  await updateState(query, current.id, { heartbeatDueAt })
}

/** Fields that were not sent keep their values. Activity is changed apart, as for a selection of monitors. */
function merge(current: MonitorRecord, patch: MonitorPatch): MonitorSettings {
  const username = patch.username === undefined ? current.username : patch.username
  return {
    name: patch.name ?? current.name,
    type: current.type,
    url: patch.url ?? current.url,
    isActive: current.isActive,
    checkIntervalMinutes: patch.check_interval_minutes ?? current.checkIntervalMinutes,
    checkIntervalSeconds: mergeSeconds(current, patch),
    httpMethod: patch.http_method ?? current.httpMethod,
    expectedStatusCodes: patch.expected_status_codes ?? current.expectedStatusCodes,
    expectedKeyword: patch.expected_keyword === undefined ? current.expectedKeyword : patch.expected_keyword,
    port: patch.port === undefined ? current.port : patch.port,
    requestTimeoutSeconds: patch.request_timeout_seconds ?? current.requestTimeoutSeconds,
    requestHeaders: patch.request_headers === undefined ? current.requestHeaders : patch.request_headers,
    username,
    // Removing the user name removes basic auth; an empty password keeps the stored one.
    password: patch.username === null ? null : patch.password || current.password,
    sslExpiryWarningDays: patch.ssl_expiry_warning_days ?? current.sslExpiryWarningDays,
    heartbeatToken: current.heartbeatToken,
  }
}

/** Minutes that are sent clear the exact seconds, unless those are sent, too. */
function mergeSeconds(current: MonitorRecord, patch: MonitorPatch): number | null {
  if (patch.check_interval_seconds !== undefined) return patch.check_interval_seconds
  return patch.check_interval_minutes !== undefined ? null : current.checkIntervalSeconds
}
