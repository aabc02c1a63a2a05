import { MAX_INCIDENTS_OF_MONITOR, MAX_INCIDENTS_OF_TEAM } from '../../contract/history.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { listPage } from '../../core/lists/list-page.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import type { IncidentRow } from '../../core/monitors/incident-story.ts'
import { MAX_SERVER_INCIDENTS } from '../../core/servers/shown-server.ts'
import { MAX_SITE_INCIDENTS } from '../../core/sites/shown-site.ts'
import {
  type IncidentRowRecord,
  newestIncidents,
  readIncidentRows,
} from '../../store/incidents/incident-rows.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'

export const listMonitorIncidents: Implementation<'listMonitorIncidents'> = {
  async perform({ db }, { actor: { teamId }, record }) {
    const ofMonitor = { monitor: record.id }
    const incidents = await newestIncidents(db.query, teamId, 'monitor', ofMonitor, MAX_INCIDENTS_OF_MONITOR)
    return { body: { data: incidents.map(presentIncident) } }
  },
}

export const listIncidents: Implementation<'listIncidents'> = {
  async perform({ db }, { actor: { teamId } }) {
    const incidents = await newestIncidents(db.query, teamId, 'monitor', {}, MAX_INCIDENTS_OF_TEAM)
    return { body: { data: incidents.map(presentIncident) } }
  },
}

export const listServerIncidents: Implementation<'listServerIncidents'> = {
  async perform({ db }, { actor: { teamId }, query: { server } }) {
    const incidents = await newestIncidents(db.query, teamId, 'server', { server }, MAX_SERVER_INCIDENTS)
    return {
      body: {
        data: incidents.map((incident) => ({
          ...{ id: incident.id, server_id: incident.subjectId, server_name: incident.subjectName },
          ...{ condition: incident.about, warns_only: incident.warnsOnly },
          ...timesOf(incident),
          ...{ cause: incident.cause, processes: incident.processes ?? [] },
        })),
      },
    }
  },
}

export const listSiteIncidents: Implementation<'listSiteIncidents'> = {
  async perform({ db }, { actor: { teamId }, query: { site } }) {
    const incidents = await newestIncidents(db.query, teamId, 'site', { site }, MAX_SITE_INCIDENTS)
    return {
      body: {
        data: incidents.map((incident) => ({
          ...{ id: incident.id, site_id: incident.subjectId, site_name: incident.subjectName },
          ...{ area: incident.about, ...timesOf(incident), cause: incident.cause },
        })),
      },
    }
  },
}

function timesOf({ startedAt, resolvedAt }: IncidentRowRecord) {
  return { started_at: formatInstant(startedAt), resolved_at: formatInstantOrNull(resolvedAt) }
}

/** The dashboard's list of incidents of every kind, in pages. */
export const listIncidentRows: Implementation<'listIncidentRows'> = {
  async perform(services, { actor, query }) {
    const { page, per_page: limit, ...filter } = query
    const bounds = { limit, offset: (page - 1) * limit }
    const { total, rows } = await readIncidentRows(services.db.query, actor.teamId, filter, bounds)
    const path = `${dashboardUrl(services, actor.teamId)}/incident-rows`
    return { body: { data: rows.map(presentRow), ...listPage(path, query, { total, count: rows.length }) } }
  },
}

export function presentRow(record: IncidentRowRecord): IncidentRow {
  return {
    ...presentIncident(record),
    kind: record.kind,
    subject_id: record.subjectId,
    subject_name: record.subjectName,
    about: record.about,
    warns_only: record.warnsOnly,
    acknowledgement: record.acknowledgement,
  }
}
