import { windowStart } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import { storyChecks } from '../../core/monitors/incident-story.ts'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { MonitorBrief } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import { deliveriesOfIncident } from '../../store/alerting/delivery-log.ts'
import type { IncidentOf } from '../../store/incidents/incident-rows.ts'
import { readIncidentHold } from '../../store/monitors/dependencies.ts'
import { readIncidentChecks } from '../../store/monitors/incident-checks.ts'
import type { IncidentOfMonitor } from '../../store/monitors/incidents.ts'
import { readNotes } from '../../store/monitors/notes.ts'
import { presentDelivery } from '../alerting/deliveries.ts'
import type { Actor, Implementation } from '../implementation.ts'
import { presentCheckDetail } from '../monitors/checks.ts'
import { readResponse } from '../on-call/present-response.ts'
import type { Services } from '../services.ts'
import { presentRow } from './lists.ts'

const MAX_DELIVERIES_SHOWN = 200

/** Shows checks within the plan's window only, even if older ones are still stored. */
export const getIncidentStory: Implementation<'getIncidentStory'> = {
  async perform(services, { actor, record }) {
    const { db, plans, now } = services
    const since = windowStart(plans[actor.plan].check_history_days, now())
    const span = { monitorId: record.monitor.id, from: record.startedAt, until: record.resolvedAt, since }
    const [around, notes, told] = await Promise.all([
      readIncidentChecks(db.query, span),
      readNotes(db.query, actor.teamId, record.monitor.id),
      readTold(services, actor, { ...record, kind: 'monitor' }),
    ])
    const { shown, shownWithin } = storyChecks(around.checks, record)
    return {
      body: {
        data: {
          incident: presentIncident(record),
          monitor: presentBrief(record.monitor),
          notes,
          checks: shown.map(presentCheckDetail),
          checks_left_out: around.countWithin - shownWithin,
          ...told,
        },
      },
    }
  },
}

export const getServerIncidentStory: Implementation<'getServerIncidentStory'> = {
  perform: (services, { actor, record }) => tell(services, actor, record),
}

export const getSiteIncidentStory: Implementation<'getSiteIncidentStory'> = {
  perform: (services, { actor, record }) => tell(services, actor, record),
}

async function tell(services: Services, actor: Actor, record: IncidentOf) {
  const told = await readTold(services, actor, record)
  return { body: { data: { incident: presentRow(record), processes: record.processes ?? [], ...told } } }
}

/** The alerts about an incident of any kind, why they wait, and what people did. */
async function readTold(
  { db, vault, databaseNow }: Services,
  { teamId }: Actor,
  incident: { kind: IncidentKind; id: number; resolvedAt: Date | null },
) {
  const [deliveries, response, hold] = await Promise.all([
    deliveriesOfIncident(db.query, teamId, incident, MAX_DELIVERIES_SHOWN),
    readResponse(db.query, vault, teamId, incident, {
      isOver: incident.resolvedAt !== null,
      now: databaseNow(),
    }),
    readIncidentHold(db.pool, teamId, incident),
  ])
  return { deliveries: deliveries.map(presentDelivery), response, hold }
}

function presentBrief(monitor: IncidentOfMonitor['monitor']): MonitorBrief {
  return {
    id: monitor.id,
    name: monitor.name,
    type: monitor.type,
    target: targetOf(monitor),
    status: monitor.status,
    is_active: monitor.isActive,
    status_since: formatInstant(monitor.statusSince),
  }
}
