import { MAX_CHECKS, MAX_INCIDENTS_OF_MONITOR, MAX_INCIDENTS_OF_TEAM } from '../../contract/history.ts'
import type { CheckRecord } from '../../core/history/check-chunk.ts'
import { windowStart } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import { type Check, readKept } from '../../core/monitors/check.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import { newestChecks, newestIncidentsOfMonitor, newestIncidentsOfTeam } from '../../store/history/history.ts'
import type { Implementation } from '../implementation.ts'

/** Limited to the plan's window, even if older checks are still stored. */
export const listMonitorChecks: Implementation<'listMonitorChecks'> = {
  async perform({ db, plans, now }, { actor, record }) {
    const since = windowStart(plans[actor.plan].check_history_days, now())
    const checks = await newestChecks(db.query, record.id, since, MAX_CHECKS)
    return { body: { data: checks.map(presentCheck) } }
  },
}

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

export function presentCheck(check: CheckRecord): Check {
  return {
    checked_at: formatInstant(check.checkedAt),
    status: check.status,
    response_time_ms: check.responseTimeMs,
    http_status_code: check.httpStatusCode,
    region: check.region,
    error_message: readKept(check.status, check.errorMessage).errorMessage,
  }
}
