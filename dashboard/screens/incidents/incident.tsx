import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { IncidentStory } from '../../../src/core/monitors/incident-story.ts'
import { MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Trouble } from '../../parts/feedback/trouble.tsx'
import { Dependents, HoldOfIncident } from '../../parts/monitors/dependencies.tsx'
import { NotesPanel } from '../../parts/monitors/notes-panel.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { IncidentActions, titleOf } from './incident-actions.tsx'
import { IncidentAnswers, useIncidentAnswers } from './incident-answers.tsx'
import { VIEW_ICON, VIEW_LOOK, ViewWords } from './incident-bar.tsx'
import { MonitorAround } from './incident-chart.tsx'
import { IncidentDiagnosis } from './incident-diagnosis.tsx'
import { IncidentFacts } from './incident-facts.tsx'
import { AddNote, ResponseState } from './incident-notes.tsx'
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

function IncidentPage({ team, story }: { team: number; story: IncidentStory }) {
  const { incident, monitor } = story
  const view = (
    <Link
      to="/teams/$team/monitors/$monitor"
      params={{ team: String(team), monitor: String(monitor.id) }}
      className={VIEW_LOOK}
    >
      {VIEW_ICON}
      <ViewWords of="monitor" />
    </Link>
  )
  return (
    <>
      <PageHead title={titleOf(story)} actions={<IncidentActions story={story} view={view} />}>
        <span className="break-words">{incident.cause ?? t('The check failed')}</span>
      </PageHead>
      <div className="flex flex-col gap-5 max-lg:pb-14">
        <IncidentFacts incident={incident} deliveries={story.deliveries}>
          <StatusMark named status={liveStatus(monitor)} />
        </IncidentFacts>
        <HoldOfIncident hold={story.hold} resolved={incident.resolved} />
        <ResponseState resolved={incident.resolved} response={story.response} />
        {MONITOR_TYPES[monitor.type].isProbed && <MonitorAround incident={incident} monitor={monitor.id} />}
        <NotesPanel notes={story.notes} />
        <IncidentPosts incident={incident.id} subject={{ kind: 'monitor', id: monitor.id }} />
        <Dependents monitor={monitor.id} />
        <IncidentDiagnosis incident={incident.id} resolved={incident.resolved} />
        <IncidentAnswers incident={incident.id} />
        <Panel title={t('Timeline')}>
          <Timeline story={story} of={monitor} />
          <AddNote kind="monitor" id={incident.id} />
        </Panel>
      </div>
    </>
  )
}
