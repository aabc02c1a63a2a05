import { useQueryClient } from '@tanstack/react-query'
import { Activity, BookOpen, ClipboardCopy, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { phrase } from '../../../src/core/language/phrase.ts'
import type { IncidentStory } from '../../../src/core/monitors/incident-story.ts'
import type { IncidentKind } from '../../../src/core/monitors/incidents/incident-kind.ts'
import { incidentMarkdown } from '../../../src/core/monitors/incidents/incident-markdown.ts'
import { useNotices } from '../../app/notices.tsx'
import { useTeam } from '../../data/session.ts'
import { hidden } from '../../language/hidden.tsx'
import { rich, t } from '../../language/language.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { copyText } from '../../parts/copy.tsx'
import { MaintainMenu } from '../../parts/maintenance/maintenance-buttons.tsx'
import { useCheckNow } from '../monitors/monitor-check-now.ts'
import { sayCheck } from './check-words.ts'
import { AcknowledgeAction } from './incident-acknowledge.tsx'
import { CallAction, useCallable } from './incident-call.tsx'

/** An action on a narrow screen: its icon above its word, five in a row at most. */
export const BAR_ACTION =
  'max-lg:h-12 max-lg:min-w-0 max-lg:flex-col max-lg:gap-0.5 max-lg:border-transparent max-lg:px-1 max-lg:text-xs'

/** Holds the actions on an incident: beside its heading, or at the bottom of a narrow screen, within reach of a thumb. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div
      role="toolbar"
      aria-label={t('Actions on this incident')}
      className="flex flex-wrap items-center gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-lg:z-10 max-lg:grid max-lg:auto-cols-auto max-lg:grid-flow-col max-lg:gap-1 max-lg:border-t max-lg:border-line max-lg:bg-panel max-lg:p-1"
    >
      {children}
    </div>
  )
}

/** The actions on an incident of a monitor. */
export function IncidentActions({ story, view }: { story: IncidentStory; view: ReactNode }) {
  const { may } = useTeam()
  const { monitor, notes } = story
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
      {may('write') && monitor.is_active && monitor.type !== 'heartbeat' && (
        <CheckNow
          monitor={monitor.id}
          incident={story.incident.id}
          // A narrow bar has room for five beside each other.
          isWideOnly={runbook !== null && !resolved && (people.length > 0 || !story.response.acknowledgement)}
        />
      )}
      {may('write') && <MaintainMenu monitors={[monitor.id]} className={BAR_ACTION} />}
      <CopyStory
        title={titleOf(story)}
        facts={[
          [t('Monitor'), monitor.target === null ? monitor.name : `${monitor.name} (${monitor.target})`],
          ...(runbook ? [[t('Runbook'), runbook] satisfies [string, string]] : []),
        ]}
        story={story}
      />
    </ActionBar>
  )
}

export function titleOf({ monitor, incident }: Pick<IncidentStory, 'monitor' | 'incident'>): string {
  return t(incident.resolved ? '{name} was down' : '{name} is down', { name: monitor.name })
}

/** The look and the icon of a link to the page that an incident is about. */
export const VIEW_LOOK = `${buttonLook()} ${BAR_ACTION}`
export const VIEW_ICON = <Activity aria-hidden size={18} className="lg:hidden" />

/** Of the words of an action, those that only a wide screen shows, and those that begin them on a narrow one. */
export const NARROW = {
  wide: (words: ReactNode) => <span className="max-lg:sr-only">{words}</span>,
  word: (words: ReactNode) => <span className="inline-block max-lg:first-letter:uppercase">{words}</span>,
}

/** Shorter on a narrow screen; read out whole on every one. */
export function ViewWords({ of }: { of: IncidentKind }) {
  return <span>{rich(VIEW_WORDS[of], NARROW)}</span>
}

const VIEW_WORDS = {
  monitor: phrase('<wide>View </wide><word>monitor</word>'),
  server: phrase('<wide>View </wide><word>server</word>'),
  site: phrase('<wide>View </wide><word>site</word>'),
} as const satisfies Record<IncidentKind, string>

function CheckNow({
  monitor,
  incident,
  isWideOnly,
}: {
  monitor: number
  incident: number
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
      className={`${BAR_ACTION} ${told.story.incident.resolved ? '' : 'max-lg:hidden'}`}
      onClick={() => void copy()}
    >
      <ClipboardCopy aria-hidden size={18} className="lg:hidden" />
      <span>{rich('Copy<wide> as Markdown</wide>', NARROW)}</span>
    </Button>
  )
}
