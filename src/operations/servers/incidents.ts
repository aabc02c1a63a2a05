import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { MAX_SERVER_INCIDENTS, type ServerIncident } from '../../core/servers/shown-server.ts'
import { newestServerIncidents, type ServerIncidentRecord } from '../../store/servers/shown-incidents.ts'
import type { Implementation } from '../implementation.ts'

export const listServerIncidents: Implementation<'listServerIncidents'> = {
  async perform({ db }, { actor: { teamId }, query: { server } }) {
    const incidents = await newestServerIncidents(db.query, teamId, server, MAX_SERVER_INCIDENTS)
    return { body: { data: incidents.map(presentServerIncident) } }
  },
}

function presentServerIncident(incident: ServerIncidentRecord): ServerIncident {
  return {
    id: incident.id,
    server_id: incident.serverId,
    server_name: incident.serverName,
    condition: incident.condition,
    warns_only: incident.warnsOnly,
    started_at: formatInstant(incident.startedAt),
    resolved_at: formatInstantOrNull(incident.resolvedAt),
    cause: incident.cause,
    processes: incident.processes ?? [],
  }
}
