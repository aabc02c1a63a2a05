import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpen, ClipboardCopy, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import type { IncidentStory } from '../../../src/core/monitors/incident-story.ts'
import { incidentMarkdown } from '../../../src/core/monitors/incidents/incident-markdown.ts'
import { MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { copyText } from '../../parts/copy.tsx'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { HiddenFrom } from '../../parts/maintenance/subject-maintenance.tsx'
import { useCheckNow } from '../monitors/monitor-check-now.ts'
import { sayCheck } from './check-words.ts'
import { AcknowledgeAction } from './incident-acknowledge.tsx'
import { ActionBar, BAR_ACTION, NARROW, VIEW_LOOK } from './incident-bar.tsx'
import { CallAction, useCallable } from './incident-call.tsx'

/**
 * The actions on an incident of a monitor. One of them is what comes next: to acknowledge it, to see whether it is mended,
 * or to write about it once it is over.
 */
export function IncidentActions({ story, view }: { story: IncidentStory; view: ReactNode }) {
  const { id: team, may } = useTeam()
  const { monitor, notes } = story
  // Its panel asks the same question, and again while it is collected.
  const { data: diagnosis } = useQuery(question(team, 'getIncidentDiagnosis', { id: story.incident.id }))
  const people = useCallable(story.response)
  const runbook = notes.runbook_url
  const { resolved } = story.incident
  return (
    <ActionBar>
      <AcknowledgeAction
        kind="monitor"
        id={story.incident.id}
        resolved={resolved}
        response={story.response}
      />
      <CallAction people={people} />
      {view}
      {runbook && (
        <a href={runbook} target="_blank" rel="noopener noreferrer" className={VIEW_LOOK}>
          <BookOpen aria-hidden size={18} className="lg:hidden" />
          <span>
            {rich('<wide>Open </wide><word>runbook</word><hidden> (opens in a new tab)</hidden>', {
              ...NARROW,
              hidden,
            })}
          </span>
        </a>
      )}
      {may('write') && monitor.is_active && MONITOR_TYPES[monitor.type].isProbed && (
        <CheckNow
          monitor={monitor.id}
          incident={story.incident.id}
          isMain={!resolved && story.response.acknowledgement !== null}
          // A narrow bar has room for five beside each other.
          isWideOnly={runbook !== null && !resolved && (people.length > 0 || !story.response.acknowledgement)}
        />
      )}
      {may('write') && (
        <MaintainMenu
          kind="monitor"
          ids={[monitor.id]}
          tone="quiet"
          className={BAR_ACTION}
          hidden={<HiddenFrom of={{ kind: 'monitor', id: monitor.id }} />}
        />
      )}
      <CopyStory
        title={titleOf(story)}
        facts={[
          [t('Monitor'), monitor.target === null ? monitor.name : `${monitor.name} (${monitor.target})`],
          ...(runbook ? [[t('Runbook'), runbook] satisfies [string, string]] : []),
        ]}
        story={story}
        diagnosis={diagnosis?.data}
      />
    </ActionBar>
  )
}

export function titleOf({ monitor, incident }: Pick<IncidentStory, 'monitor' | 'incident'>): string {
  return t(incident.resolved ? '{name} was down' : '{name} is down', { name: monitor.name })
}

function CheckNow({
  monitor,
  incident,
  isMain,
  isWideOnly,
}: {
  monitor: number
  incident: number
  isMain: boolean
  isWideOnly: boolean
}) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const checkNow = useCheckNow(team, monitor)
  function done(check: CheckDetail | null) {
    say.done(check ? sayResult(check) : t('The check has not ended yet.'))
    void queries.invalidateQueries({ queryKey: [team, 'getIncidentStory', incident] })
  }
  return (
    <Button
      tone={isMain ? 'main' : 'quiet'}
      className={`${BAR_ACTION} ${isWideOnly ? 'max-lg:hidden' : ''}`}
      busy={checkNow.isPending}
      onClick={() => checkNow.mutate(undefined, { onSuccess: done, onError: say.problem })}
    >
      {!checkNow.isPending && <RefreshCw aria-hidden size={18} className="lg:hidden" />}
      {t('Check now')}
    </Button>
  )
}

function sayResult({ status, response_time_ms: ms, error_message: error }: CheckDetail): string {
  return `${sayCheck({ status, ms })}${error ? `: ${error}` : '.'}`
}

/** Copies the story as Markdown, for a post-mortem. */
export function CopyStory(told: Omit<Parameters<typeof incidentMarkdown>[0], 'now' | 'url'>) {
  const say = useNotices()
  async function copy() {
    const url = `${location.origin}${location.pathname}`
    if (await copyText(incidentMarkdown({ ...told, now: new Date(), url }, t)))
      say.done(t('Copied as Markdown.'))
  }
  return (
    // A post-mortem comes later: while the incident lasts, a narrow bar has no room for it.
    <Button
      tone={told.story.incident.resolved ? 'main' : 'quiet'}
      className={`${BAR_ACTION} ${told.story.incident.resolved ? '' : 'max-lg:hidden'}`}
      onClick={() => void copy()}
    >
      <ClipboardCopy aria-hidden size={18} className="lg:hidden" />
      <span>{rich('Copy<wide> as Markdown</wide>', NARROW)}</span>
    </Button>
  )
}
