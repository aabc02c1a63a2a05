import { useQuery } from '@tanstack/react-query'
import { AREA_NAMES } from '../../../src/core/sites/area.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { IncidentLine, IncidentsPanel } from '../../parts/records/incidents-panel.tsx'
import type { Site } from './site-data.ts'

export function SiteIncidents({ site }: { site: Site }) {
  const { id: team } = useTeam()
  const asked = useQuery(question(team, 'listSiteIncidents', { query: { site: site.id } }))
  return (
    <IncidentsPanel of={{ site: site.id }} asked={asked}>
      {(incident) => (
        <IncidentLine
          key={incident.id}
          incident={incident}
          to={{
            to: '/teams/$team/incidents/sites/$incident',
            params: { team: String(team), incident: String(incident.id) },
          }}
          name={t(AREA_NAMES[incident.area])}
          alertsOf={{ site_incident: incident.id }}
        />
      )}
    </IncidentsPanel>
  )
}
