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

export default function ServerIncidentScreen() {
  const { id: team } = useTeam()
  const { incident: named } = useParams({ from: '/signed-in/teams/$team/incidents/servers/$incident' })
  const { data, error } = useQuery(question(team, 'getServerIncidentStory', { id: Number(named) }))
  if (data) return <OfServer team={team} story={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

function OfServer({ team, story }: { team: number; story: SubjectIncidentStory }) {
  const id = story.incident.subject_id
  const server = useQuery(question(team, 'getServer', { id })).data?.data
  return (
    <SubjectIncident
      story={story}
      target={server?.host_name ?? null}
      status={server && liveStatus(server)}
      view={
        <Link
          to="/teams/$team/servers/$server"
          params={{ team: String(team), server: String(id) }}
          className={VIEW_LOOK}
        >
          {VIEW_ICON}
          <ViewWords of="server" />
        </Link>
      }
    />
  )
}
