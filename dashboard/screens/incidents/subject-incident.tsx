import type { ReactNode } from 'react'
import type { SubjectIncidentStory } from '../../../src/core/monitors/incident-story.ts'
import type { LiveStatus } from '../../../src/core/monitors/status.ts'
import { useTeam } from '../../data/session.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { HiddenFrom } from '../../parts/maintenance/subject-maintenance.tsx'
import { HoldOfIncident } from '../../parts/monitors/dependencies.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { PageHead, Panel } from '../../parts/panel.tsx'
import { TopProcesses } from '../../parts/servers/top-processes.tsx'
import { AcknowledgeAction } from './incident-acknowledge.tsx'
import { CopyStory } from './incident-actions.tsx'
import { ActionBar, BAR_ACTION } from './incident-bar.tsx'
import { CallAction, useCallable } from './incident-call.tsx'
import { ServerAround } from './incident-chart.tsx'
import { IncidentFacts } from './incident-facts.tsx'
import { AddNote, ResponseState } from './incident-notes.tsx'
import { IncidentPosts } from './incident-posts.tsx'
import { Timeline } from './incident-timeline.tsx'
import { aboutWords } from './incidents-line.tsx'

/** An incident of a server or a site: `target` is its host name or address, `status` that of now, `view` leads to it. */
export function SubjectIncident({
  story,
  target,
  status,
  view,
}: {
  story: SubjectIncidentStory
  target: string | null
  status: LiveStatus | undefined
  view: ReactNode
}) {
  const { may } = useTeam()
  const people = useCallable(story.response)
  const { incident, processes } = story
  const { kind, subject_id: id, subject_name: name } = incident
  const title = [name, aboutWords(incident)].filter(Boolean).join(': ')
  return (
    <>
      <PageHead
        title={title}
        actions={
          <ActionBar>
            <AcknowledgeAction
              kind={kind}
              id={incident.id}
              resolved={incident.resolved}
              response={story.response}
            />
            <CallAction people={people} />
            {view}
            {may('write') && (
              <MaintainMenu
                kind={kind}
                ids={[id]}
                tone="quiet"
                className={BAR_ACTION}
                hidden={<HiddenFrom of={{ kind, id }} />}
              />
            )}
            <CopyStory
              title={title}
              facts={[[t(SHOWN_KINDS[kind].words.one), target === null ? name : `${name} (${target})`]]}
              story={story}
            />
          </ActionBar>
        }
      >
        <span className="break-words">{incident.cause}</span>
      </PageHead>
      <div className="flex flex-col gap-5 max-lg:pb-14">
        <IncidentFacts incident={incident} deliveries={story.deliveries} warnsOnly={incident.warns_only}>
          {status && <StatusMark named status={status} />}
        </IncidentFacts>
        <HoldOfIncident hold={story.hold} resolved={incident.resolved} />
        {processes.length > 0 && (
          <Panel title={t('Top processes')}>
            <div className="px-4 py-2.5">
              <TopProcesses processes={processes} />
            </div>
          </Panel>
        )}
        <ResponseState resolved={incident.resolved} response={story.response} />
        {kind === 'server' && <ServerAround incident={incident} />}
        <IncidentPosts incident={incident.id} subject={{ kind, id }} />
        <Panel title={t('Timeline')}>
          <Timeline story={story} />
          <AddNote kind={kind} id={incident.id} />
        </Panel>
      </div>
    </>
  )
}
