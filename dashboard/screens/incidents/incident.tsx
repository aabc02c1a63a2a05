import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { formatDuration } from '../../../src/core/duration.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { Trouble } from '../../app/trouble.tsx'
import { type AnswerOf, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { buttonLook } from '../../parts/button.tsx'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { IncidentMark } from '../../parts/monitors/incident-mark.tsx'
import { NotesPanel } from '../../parts/monitors/notes-panel.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { DayAndTime, Since } from '../../parts/time.tsx'
import { IncidentAnswers, useIncidentAnswers } from './incident-answers.tsx'
import { IncidentPosts } from './incident-posts.tsx'
import { Timeline } from './incident-timeline.tsx'

/** During an incident, checks arrive that the live stream does not announce. */
const REFRESH_MS = 10_000

export default function IncidentScreen() {
  const { id: team } = useTeam()
  const { incident: named } = useParams({ from: '/signed-in/teams/$team/incidents/$incident' })
  const { data, error } = useQuery({
    ...question(team, 'getIncidentStory', { id: Number(named) }),
    refetchInterval: ({ state }) => (state.data?.data.incident.resolved === false ? REFRESH_MS : false),
  })
  // A panel that came later would move the timeline.
  const { isPending } = useIncidentAnswers(team, Number(named))
  if (data && !isPending) return <IncidentPage team={team} story={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

function IncidentPage({ team, story }: { team: number; story: AnswerOf<'getIncidentStory'>['data'] }) {
  const { incident, monitor } = story
  const params = { team: String(team), monitor: String(monitor.id) }
  return (
    <>
      <PageHead
        title={`${monitor.name} ${incident.resolved ? 'was' : 'is'} down`}
        actions={
          <Link to="/teams/$team/monitors/$monitor" params={params} className={buttonLook()}>
            View monitor
          </Link>
        }
      >
        <span className="break-words">{incident.cause ?? 'The check failed'}</span>
      </PageHead>
      <div className="flex flex-col gap-5">
        <FactTiles className="grid-cols-2 border border-line md:grid-cols-5">
          <FactTile name="Incident" wide>
            <IncidentMark resolved={incident.resolved} />
          </FactTile>
          <FactTile name="Started">
            <DayAndTime at={incident.started_at} />
          </FactTile>
          <FactTile name="Resolved">
            {incident.resolved_at ? <DayAndTime at={incident.resolved_at} /> : 'Not yet'}
          </FactTile>
          <FactTile name="Duration">
            {incident.duration_seconds === null ? (
              <Since at={incident.started_at} />
            ) : (
              formatDuration(incident.duration_seconds)
            )}
          </FactTile>
          <FactTile name="Current status">
            <StatusMark named status={liveStatus(monitor)} />
          </FactTile>
        </FactTiles>
        <NotesPanel notes={story.notes} />
        <IncidentPosts incident={incident.id} monitor={monitor.id} />
        <IncidentAnswers incident={incident.id} />
        <Panel title="Timeline">
          <Timeline story={story} />
        </Panel>
      </div>
    </>
  )
}
