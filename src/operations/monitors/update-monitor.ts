import { Refusal } from '../../core/errors.ts'
import { isDueOtherwise, movedDeadline } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { MonitorPatch, type MonitorSettings, termsOf } from '../../core/monitors/monitor.ts'
import { patchRules } from '../../core/monitors/monitor-rules.ts'
import { hasInterval, MONITOR_TYPES } from '../../core/monitors/monitor-types.ts'
import { maskFaults, mergeOptions } from '../../core/monitors/options/monitor-options.ts'
import { changesProbe } from '../../core/monitors/probe-settings.ts'
import { intervalSecondsOf } from '../../core/probing/schedule.ts'
import { pick } from '../../core/shape.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { replaceContacts } from '../../store/alerting/attachments.ts'
import { askForGroups } from '../../store/monitors/groups.ts'
import {
  lockMonitors,
  updateState,
  updateMonitor as writeMonitor,
} from '../../store/monitors/monitor-changes.ts'
import { SETTING_COLUMNS } from '../../store/monitors/monitor-columns.ts'
import { findMonitor, type MonitorRecord } from '../../store/monitors/monitors.ts'
import { readHeartbeatDueAt } from '../../store/probing/schedule.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Actor, Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { holdForLinks, refuseParents } from './dependencies.ts'
import { refuseUnreadableOptions } from './expectations.ts'
import { isJudgedOtherwise, refuseLinks } from './groups/links.ts'
import { pauseMonitors, restartChecks, resumeMonitors } from './monitor-activity.ts'
import { noteOfAlerted, presentMonitor } from './present-monitor.ts'

export const updateMonitor: Implementation<'updateMonitor'> = {
  validate(services, { actor, record }, body) {
    const context = {
      plan: services.plans[actor.plan],
      planName: actor.plan,
      refuseAddress: (url: string) => services.refuseAddress('check', url),
    }
    const rules = patchRules(record.type, context, record)
    return parseFields(MonitorPatch, withoutUnused(record.type, body), (fields) => [
      ...rules(fields),
      ...maskFaults(fields.options, record.options),
    ])
  },

  async perform(services, { actor, record, body }) {
    await refuseUnreadableOptions(services, body.options, record.options)
    const data = await change(services, actor, record.id, () => body, body.options)
    return { ...(await noteOfAlerted(services, actor, record.id)), body: { data } }
  },
}

export const toggleMonitor: Implementation<'toggleMonitor'> = {
  async perform(services, { actor, record }) {
    return {
      body: {
        data: await change(services, actor, record.id, ({ is_active }) => ({ is_active: !is_active })),
      },
    }
  },
}

/** Some types have no URL, and some no interval either. A value that is sent is ignored, even if it is invalid. */
function withoutUnused(type: MonitorRecord['type'], body: unknown): unknown {
  const { url, check_interval_minutes, check_interval_seconds, ...rest } = body as Record<string, unknown>
  return {
    ...rest,
    ...(url !== undefined && MONITOR_TYPES[type].url !== null && { url }),
    ...(hasInterval(type) && {
      ...(check_interval_minutes !== undefined && { check_interval_minutes }),
      ...(check_interval_seconds !== undefined && { check_interval_seconds }),
    }),
  }
}

/** Locks and changes one monitor. `patchOf` gets its current state. */
async function change(
  services: Services,
  actor: Actor,
  monitorId: number,
  patchOf: (current: MonitorRecord) => MonitorPatch,
  options?: MonitorPatch['options'],
) {
  const { db, vault } = services
  const changed = await db.query.transaction().execute(async (query) => {
    await holdForLinks(query, actor.teamId, options)
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
  const links = { id: current.id, sent: patch.options, stored: current.options }
  await refuseParents(query, teamId, links)
  await refuseLinks(query, teamId, links)
  await writeMonitor(query, vault, teamId, current.id, settings)
  if (patch.notification_contact_ids !== undefined) {
    const subject = { kind: 'monitor', id: current.id } as const
    await replaceContacts(query, subject, patch.notification_contact_ids ?? [])
  }
  if (settings.url !== current.url) await updateState(query, current.id, { sslExpiresAt: null })

  const otherInterval = intervalSecondsOf(settings) !== intervalSecondsOf(current)
  if (settings.type === 'heartbeat' && isDueOtherwise(termsOf(current), termsOf(settings)))
    await moveHeartbeat(services, query, current, settings)

  if (isJudgedOtherwise(current.type, current.options, settings.options))
    await askForGroups(query, [current.id])
  const isActive = patch.is_active ?? current.is_active
  if (isActive && !current.is_active) {
    await resumeMonitors(services, query, teamId, [{ ...settings, id: current.id }])
  } else if (!isActive && current.is_active) await pauseMonitors(services, query, teamId, [current.id])
  else if (otherInterval || changesProbe(patch)) await restartChecks(query, [current.id])
}

/** Sets the deadline that the new settings give. */
async function moveHeartbeat(
  { now }: Pick<Services, 'now'>,
  query: Query,
  current: MonitorRecord,
  settings: MonitorSettings,
): Promise<void> {
  const heartbeatDueAt = movedDeadline(
    termsOf(current),
    termsOf(settings),
    await readHeartbeatDueAt(query, current.id),
    now(),
  )
  await updateState(query, current.id, { heartbeatDueAt })
}

/** Omitted fields keep their values. `is_active` changes separately, through the same functions as in bulk changes. */
function merge(current: MonitorRecord, patch: MonitorPatch): MonitorSettings {
  return {
    ...pick(current, SETTING_COLUMNS),
    ...pick({ ...patch, options: undefined }, SETTING_COLUMNS),
    options: mergeOptions(current.options, patch.options),
    is_active: current.is_active,
    check_interval_seconds: mergeSeconds(current, patch),
    // Removing the user name removes basic auth; an empty password keeps the stored one.
    password: patch.username === null ? null : patch.password || current.password,
  }
}

/** Minutes clear the exact seconds, unless both are sent. */
function mergeSeconds(current: MonitorRecord, patch: MonitorPatch): number | null {
  if (patch.check_interval_seconds !== undefined) return patch.check_interval_seconds
  return patch.check_interval_minutes !== undefined ? null : current.check_interval_seconds
}
