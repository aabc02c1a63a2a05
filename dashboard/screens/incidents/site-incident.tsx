import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { SubjectIncidentStory } from '../../../src/core/monitors/incident-story.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Waiting } from '../../parts/panel.tsx'
import { VIEW_ICON, VIEW_LOOK, ViewWords } from './incident-bar.tsx'
import { SubjectIncident } from './subject-incident.tsx'

export default function SiteIncidentScreen() {
  const { id: team } = useTeam()
  const { incident: named } = useParams({ from: '/signed-in/teams/$team/incidents/sites/$incident' })
  const { data, error } = useQuery(question(team, 'getSiteIncidentStory', { id: Number(named) }))
  if (data) return <OfSite team={team} story={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

function OfSite({ team, story }: { team: number; story: SubjectIncidentStory }) {
  const id = story.incident.subject_id
  const site = useQuery(question(team, 'getSite', { id })).data?.data
  return (
    <SubjectIncident
      story={story}
      target={site?.url ?? null}
      status={site && liveStatus(site)}
      view={
        <Link
          to="/teams/$team/sites/$site"
          params={{ team: String(team), site: String(id) }}
          className={VIEW_LOOK}
        >
          {VIEW_ICON}
          <ViewWords of="site" />
        </Link>
      }
    />
  )
}
