import { MAX_INCIDENTS_OF_MONITOR, MAX_INCIDENTS_OF_TEAM } from '../../contract/history.ts'
import { windowStart } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import { storyChecks } from '../../core/monitors/incident-story.ts'
import type { MonitorBrief } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import { deliveriesOfIncident } from '../../store/alerting/delivery-log.ts'
import { newestIncidentsOfMonitor, newestIncidentsOfTeam } from '../../store/history/history.ts'
import { readIncidentChecks } from '../../store/monitors/incident-checks.ts'
import type { IncidentOfMonitor } from '../../store/monitors/incidents.ts'
import { readNotes } from '../../store/monitors/notes.ts'
import { presentDelivery } from '../alerting/deliveries.ts'
import type { Implementation } from '../implementation.ts'
import { readResponse } from '../on-call/present-response.ts'
import { presentCheckDetail } from './checks.ts'

export const MAX_DELIVERIES_SHOWN = 200

export const listMonitorIncidents: Implementation<'listMonitorIncidents'> = {
  async perform({ db }, { actor, record }) {
    const incidents = await newestIncidentsOfMonitor(
      db.query,
      actor.teamId,
      record.id,
      MAX_INCIDENTS_OF_MONITOR,
    )
    return { body: { data: incidents.map(presentIncident) } }
  },
}

export const listIncidents: Implementation<'listIncidents'> = {
  async perform({ db }, { actor }) {
    const incidents = await newestIncidentsOfTeam(db.query, actor.teamId, MAX_INCIDENTS_OF_TEAM)
    return { body: { data: incidents.map(presentIncident) } }
  },
}

/** Shows checks within the plan's window only, even if older ones are still stored. */
export const getIncidentStory: Implementation<'getIncidentStory'> = {
  async perform({ db, vault, plans, now, databaseNow }, { actor, record }) {
    const isOver = record.resolvedAt !== null
    const since = windowStart(plans[actor.plan].check_history_days, now())
    const span = { monitorId: record.monitor.id, from: record.startedAt, until: record.resolvedAt, since }
    const ref = { kind: 'monitor' as const, id: record.id }
    const [around, notes, deliveries, response] = await Promise.all([
      readIncidentChecks(db.query, span),
      readNotes(db.query, actor.teamId, record.monitor.id),
      deliveriesOfIncident(db.query, actor.teamId, ref, MAX_DELIVERIES_SHOWN),
      readResponse(db.query, vault, actor.teamId, ref, { isOver, now: databaseNow() }),
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
          deliveries: deliveries.map(presentDelivery),
          response,
        },
      },
    }
  },
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
