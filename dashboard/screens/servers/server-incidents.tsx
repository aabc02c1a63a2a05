import { sayCondition } from '../../../src/core/servers/condition-words.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { IncidentLine, IncidentsPanel } from '../../parts/records/incidents-panel.tsx'
import { TopProcesses } from '../../parts/servers/top-processes.tsx'
import { type Server, useServerIncidents } from './server-data.ts'

/** Incidents of a server, with the processes that used most when each began. */
export function ServerIncidents({ server }: { server: Server }) {
  const { id: team } = useTeam()
  return (
    <IncidentsPanel of={{ server: server.id }} asked={useServerIncidents(team, server.id)}>
      {(incident) => (
        <IncidentLine
          key={incident.id}
          incident={incident}
          warnsOnly={incident.warns_only}
          to={{
            to: '/teams/$team/incidents/servers/$incident',
            params: { team: String(team), incident: String(incident.id) },
          }}
          name={sayCondition(incident.condition, t)}
          alertsOf={{ server_incident: incident.id }}
        >
          {incident.processes.length > 0 && <TopProcesses processes={incident.processes} />}
        </IncidentLine>
      )}
    </IncidentsPanel>
  )
}
