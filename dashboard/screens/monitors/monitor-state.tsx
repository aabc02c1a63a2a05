import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hasInterval, isGroup, isSetByHand, MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { type LiveStatus, liveStatus } from '../../../src/core/monitors/status.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import { useTeam } from '../../data/session.ts'
import { rich, t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { sayInterval } from '../../parts/figures.ts'
import { StatusMark, statusColour } from '../../parts/monitors/status.tsx'
import { Since, Time, useNow } from '../../parts/time.tsx'
import { type Monitor, nextDueAt, type Report, useChecks } from './monitor-data.ts'

const EDGES: Partial<Record<LiveStatus, string>> = {
  down: 'border-down ring-1 ring-down',
  maintenance: 'border-maintenance ring-1 ring-maintenance',
}

/**
 * The state: in words, when it is looked at, and day by day. Each part always takes the same space, so that an outage does
 * not move what a person is reading.
 */
export function MonitorState({
  monitor,
  report,
  children,
}: {
  monitor: Monitor
  report: Report | undefined
  /** The bars of days. */
  children: ReactNode
}) {
  const status = liveStatus(monitor)
  const incident = monitor.open_incident
  return (
    <section
      aria-label={t('State')}
      className={`rounded-lg border bg-panel ${EDGES[incident ? 'down' : status] ?? 'border-line'}`}
    >
      <div
        {...(incident && { role: 'alert' })}
        className="flex min-h-18 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 max-md:min-h-24"
      >
        <div className="min-w-0 flex-1 basis-60">
          <p>
            <Headline monitor={monitor} report={report} status={status} />
            <Recovering report={report} />
          </p>
          <Sentence monitor={monitor} report={report} status={status} />
        </div>
        {incident && <IncidentLink id={incident.id} />}
      </div>
      <Rhythm monitor={monitor} />
      {children}
    </section>
  )
}

function IncidentLink({ id }: { id: number }) {
  const { id: team } = useTeam()
  return (
    <Link
      to="/teams/$team/incidents/$incident"
      params={{ team: String(team), incident: String(id) }}
      className={buttonLook()}
    >
      {t('View incident')}
    </Link>
  )
}

type Shown = { monitor: Monitor; report: Report | undefined; status: LiveStatus }

/** The status and its age. */
function Headline({ monitor, report, status }: Shown) {
  const incident = monitor.open_incident
  const shown = incident ? 'down' : status
  const pausedAt = report?.pauses.find(({ to }) => to === null)?.from
  const since = incident?.started_at ?? (status === 'paused' ? pausedAt : report?.status_since)
  return (
    <strong className={`text-lg font-semibold [&>span]:font-semibold ${statusColour(shown)}`}>
      <StatusMark
        named
        status={shown}
        {...(shown === 'maintenance' && { word: t('Under maintenance, failing') })}
      />
      {since && <> {rich('for {duration}', { duration: <Since at={since} /> })}</>}
    </strong>
  )
}

/** Progress toward recovery, for teams that want several passing checks before a monitor is up again. */
function Recovering({ report }: { report: Report | undefined }) {
  const recovery = report?.recovery
  if (!recovery || recovery.passing === 0) return null
  return (
    <span>
      {' '}
      {t('– passing, {passing} of {needed}', { passing: recovery.passing, needed: recovery.needed })}
    </span>
  )
}

function Sentence({ monitor, report, status }: Shown) {
  const { id: team } = useTeam()
  const newest = useChecks(team, monitor, false).data?.pages[0]?.data[0]
  const reason = reasonOf(monitor, status, newest?.status === status ? newest.error_message : null)
  if (reason === undefined) return <p className="text-soft">{quietSentence(monitor, report, status)}</p>
  return (
    <p className="line-clamp-2 break-words md:line-clamp-1" title={reason}>
      {reason}
    </p>
  )
}

/** Why it is not simply up. Of a status that no incident explains, the newest check does. */
function reasonOf(monitor: Monitor, status: LiveStatus, said: string | null): string | undefined {
  if (monitor.open_incident) return monitor.open_incident.cause ?? t('The check failed.')
  if (status === 'maintenance') return said ?? t('The check failed.')
  if (status === 'down') return said ?? t('The last check failed.')
  if (status === 'degraded')
    return said ? t('Passing, with a warning: {said}', { said }) : t('Passing, with a warning.')
  return undefined
}

function quietSentence({ type }: Monitor, report: Report | undefined, status: LiveStatus): ReactNode {
  if (status === 'paused') return t('No checks and no alerts until the monitor is resumed.')
  if (status === 'pending') {
    if (isGroup(type))
      return t(
        'No member is up or down now: those that are paused, in maintenance or not yet checked do not count.',
      )
    if (isSetByHand(type)) return t('No status has been set yet.')
    return type === 'heartbeat'
      ? t('Waiting for the first ping. Have your job call the URL below.')
      : t('Waiting for the first check, which runs within a second or two.')
  }
  return report ? <RecentIncidents report={report} isHeartbeat={!MONITOR_TYPES[type].isProbed} /> : '…'
}

/** How it became up; else how many incidents the chart shows, which may be one of long ago. */
function RecentIncidents({ report, isHeartbeat }: { report: Report; isHeartbeat: boolean }) {
  const { incidents, status_since } = report
  const recoveredAt = incidents.find(({ resolved }) => resolved)?.resolved_at
  if (recoveredAt && recoveredAt >= status_since) {
    return rich('Recovered {time}.', { time: <Time at={recoveredAt} /> })
  }
  return t(
    isHeartbeat
      ? '{count, plural, =0 {No incidents} one {# incident} other {# incidents}} in the last 24 hours.'
      : '{count, plural, =0 {No incidents} one {# incident} other {# incidents}} in the period of the chart.',
    { count: incidents.length },
  )
}

/** When it is looked at. */
function Rhythm({ monitor }: { monitor: Monitor }) {
  const isHeartbeat = monitor.type === 'heartbeat'
  const due = nextDueAt(monitor, useNow())
  const schedule = monitor.options?.schedule
  if (!hasInterval(monitor.type)) return <OwnRhythm monitor={monitor} />
  const none = monitor.is_active ? t('No further time') : t('None while paused')
  return (
    <dl className="grid grid-cols-3 gap-x-4 border-t border-line px-4 py-2 text-sm">
      {schedule === undefined ? (
        <RhythmFact name={isHeartbeat ? t('Ping expected every') : t('Checked every')}>
          {sayInterval(intervalSecondsOf(monitor))}
        </RhythmFact>
      ) : (
        <RhythmFact name={t('Ping expected at')}>
          <span className="font-mono break-words">{schedule}</span>
        </RhythmFact>
      )}
      <RhythmFact name={isHeartbeat ? t('Last ping or deadline') : t('Last check')}>
        {monitor.last_checked_at ? <Time at={monitor.last_checked_at} /> : t('Not yet')}
      </RhythmFact>
      <RhythmFact name={isHeartbeat ? t('Next ping due') : t('Next check')}>
        {due === null ? none : <Time at={due} as={schedule === undefined ? 'ago' : 'date'} />}
      </RhythmFact>
    </dl>
  )
}

/** A monitor without an interval waits for nothing. */
function OwnRhythm({ monitor }: { monitor: Monitor }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 border-t border-line px-4 py-2 text-sm">
      <RhythmFact name={t('Judged')}>
        {isGroup(monitor.type) ? t('whenever a member changes') : t('when someone sets the status')}
      </RhythmFact>
      <RhythmFact name={t('Last time')}>
        {monitor.last_checked_at ? <Time at={monitor.last_checked_at} /> : t('Not yet')}
      </RhythmFact>
    </dl>
  )
}

function RhythmFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2">
      <dt className="text-soft">{name}</dt>
      <dd className="[&_time]:whitespace-normal">{children}</dd>
    </div>
  )
}
