import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { firstDeadline, type HeartbeatTerms } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { LONGEST_MINUTES, MonitorCreate, termsOf } from '../../core/monitors/monitor.ts'
import { createRules } from '../../core/monitors/monitor-rules.ts'
import {
  hasInterval,
  isGroup,
  MONITOR_TYPES,
  MonitorType,
  toldAt,
} from '../../core/monitors/monitor-types.ts'
import {
  type MonitorOptions,
  maskFaults,
  mergeOptions,
  type SentOptions,
} from '../../core/monitors/options/monitor-options.ts'
import { canAddMonitor, type PlanName } from '../../core/teams/plan.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { insertContacts } from '../../store/alerting/attachments.ts'
import { askForGroups } from '../../store/monitors/groups.ts'
import { findMonitor, insertMonitor, type MonitorRecord } from '../../store/monitors/monitors.ts'
import { countMonitors, lockTeam } from '../../store/teams/teams.ts'
import { refuseUnknownContacts } from '../alerting/contact-ids.ts'
import type { Implementation } from '../implementation.ts'
import { API_PATH, type Services } from '../services.ts'
import { holdForLinks, refuseUnknownParents } from './dependencies.ts'
import { refuseUnreadableOptions } from './expectations.ts'
import { refuseLinks } from './groups/links.ts'
import { noteOfAlerted, presentMonitor } from './present-monitor.ts'

export const createMonitor: Implementation<'createMonitor'> = {
  validate(services, { actor }, body) {
    const rules = createRules({
      plan: services.plans[actor.plan],
      planName: actor.plan,
      refuseAddress: (url) => services.refuseAddress('check', url),
      lacks: services.lacks,
    })
    return parseFields(MonitorCreate, withoutUnused(body), (fields) => [
      ...rules(fields),
      ...(fields.options ? maskFaults(fields.options, null) : []),
    ])
  },

  async perform(services, { actor, body }) {
    const { db, vault } = services
    const { teamId } = actor
    const contactIds = body.notification_contact_ids ?? []
    const options = body.options && (await readOptions(services, teamId, body.options))
    const isHeartbeat = body.type === 'heartbeat'
    const heartbeat_token = toldAt(body.type) === null ? null : randomUUID()
    const monitor = { ...body, options, heartbeat_token }
    const due = isHeartbeat ? firstDue(termsOf(monitor), services.now()) : {}
    const insert = (query: Query) => insertMonitor(query, vault, teamId, monitor, { ...due, announces: true })
    const links = isGroup(body.type)
    const record = await (contactIds.length === 0 && !links && !isLimited(services, actor.plan)
      ? insert(db.query)
      : db.transaction(async (query) => {
          await holdForLinks(query, teamId, body.options)
          await refuseLinks(query, teamId, { id: null, sent: body.options, stored: null })
          await refuseUnknownContacts(query, teamId, contactIds)
          await refuseOverLimit(services, query, teamId)
          const made = await insert(query)
          if (isGroup(made.type)) await askForGroups(query, [made.id])
          if (contactIds.length === 0) return made
          // Started together; the second one sees what the first one wrote.
          const attached = insertContacts(query, { kind: 'monitor', id: made.id }, contactIds)
          const [, found] = await Promise.all([attached, findMonitor(query, vault, teamId, made.id)])
          return found as MonitorRecord
        }))
    return {
      ...(await noteOfAlerted(services, actor, record.id)),
      body: { data: presentMonitor(services, record, actor.role) },
      headers: { location: `${services.siteUrl}${API_PATH}/monitors/${record.id}` },
    }
  },
}

/** The options as they are stored, once all that only the service can judge of them is well. */
async function readOptions(
  services: Services,
  teamId: number,
  sent: SentOptions,
): Promise<MonitorOptions | null> {
  await refuseUnreadableOptions(services, sent, null)
  if (sent.depends_on) await refuseUnknownParents(services.db.query, teamId, sent, null)
  return mergeOptions(null, sent)
}

/** An interval begins with the row, by the database's clock; a scheduled time is what it is. */
function firstDue(
  terms: HeartbeatTerms,
  now: Date,
): { heartbeatDueMs: number } | { heartbeatDueAt: Date | null } {
  if (terms.options?.schedule !== undefined) return { heartbeatDueAt: firstDeadline(terms, now) }
  return { heartbeatDueMs: firstDeadline(terms, new Date(0))?.getTime() ?? 0 }
}

/** Some types have no URL, and some no interval either. A value that is sent is ignored, even if it is invalid. */
function withoutUnused(body: unknown): unknown {
  const fields = body as Record<string, unknown>
  const type = MonitorType.safeParse(fields.type).data
  if (!type) return fields
  return {
    ...fields,
    ...(MONITOR_TYPES[type].url === null && { url: null }),
    ...(!hasInterval(type) && { check_interval_minutes: LONGEST_MINUTES, check_interval_seconds: null }),
  }
}

/** Whether creations in the team must wait for each other. A plan that changes meanwhile counts for those after it. */
function isLimited({ plans }: Services, plan: PlanName): boolean {
  return plans[plan].max_monitors !== null
}

/** Refuses a monitor over the plan's limit. Locks the team, so that two requests cannot both take the last place. */
export async function refuseOverLimit({ plans }: Services, query: Query, teamId: number): Promise<void> {
  const { plan } = await lockTeam(query, teamId)
  const limit = plans[plan].max_monitors
  if (limit === null || canAddMonitor(plans[plan], await countMonitors(query, teamId))) return
  throw new Refusal('monitorLimitReached', {
    detail: said(
      'The {plan} plan allows {limit} monitors, and this team has as many. Delete one or change the plan.',
      { plan, limit },
    ),
    plan,
    max_monitors: limit,
  })
}
