import { useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { intervalSecondsOf } from '../../../src/core/monitors/monitor.ts'
import { usesHostOnly } from '../../../src/core/monitors/monitor-types.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { targetOf } from '../../../src/core/monitors/target.ts'
import { Trouble } from '../../app/trouble.tsx'
import { useTeam } from '../../data/session.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { sayInterval } from '../../parts/figures.ts'
import { NotesOfMonitor } from '../../parts/monitors/notes-panel.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { PageHead, Waiting } from '../../parts/panel.tsx'
import { Since, Time, useNow } from '../../parts/time.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { AskedCheck } from './monitor-asked-check.tsx'
import { MonitorBadges } from './monitor-badges.tsx'
import { useCheckNow } from './monitor-check-now.ts'
import { MonitorChecks } from './monitor-checks.tsx'
import { type Monitor, nextDueAt, type Report, useMonitor, useReport } from './monitor-data.ts'
import { MonitorHistory } from './monitor-history.tsx'
import { MonitorIncidents } from './monitor-incidents.tsx'
import { MonitorBanners, useMonitorMaintenance } from './monitor-maintenance.tsx'
import { PingAddress } from './monitor-ping-address.tsx'
import { MonitorPings } from './monitor-pings.tsx'
import { Certificate, MonitorSettings } from './monitor-settings.tsx'
import { MonitorState } from './monitor-state.tsx'

export default function MonitorScreen() {
  const { id: team } = useTeam()
  const { monitor: named } = useParams({ from: '/signed-in/teams/$team/monitors/$monitor' })
  const { data, error } = useMonitor(team, Number(named))
  // A banner that came later would move all below it.
  const { isPending } = useMonitorMaintenance(team, Number(named))
  if (data && !isPending) return <MonitorPage key={data.data.id} monitor={data.data} />
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}

function MonitorPage({ monitor }: { monitor: Monitor }) {
  const { id: team, may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/monitors/$monitor' })
  const report = useReport(team, monitor, search)
  const checkNow = useCheckNow(team, monitor.id)
  return (
    <>
      <PageHead
        title={monitor.name}
        actions={may('write') && <MonitorActions monitor={monitor} checkNow={checkNow} />}
      >
        <Target monitor={monitor} />
      </PageHead>
      <div className="flex flex-col gap-5">
        <MonitorBanners monitor={monitor.id} />
        <MonitorState monitor={monitor} report={report.data?.data} />
        <AskedCheck asked={checkNow} of={{ type: monitor.type, target: monitor.url }} />
        <Rhythm monitor={monitor} report={report.data?.data} />
        {monitor.type === 'heartbeat' && <PingAddress monitor={monitor} />}
        <MonitorHistory monitor={monitor} answer={report} search={search} />
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            {monitor.type === 'heartbeat' && <MonitorPings monitor={monitor} />}
            <MonitorChecks monitor={monitor} failed={search.failed ?? false} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <NotesOfMonitor monitor={monitor.id} />
            <Certificate monitor={monitor} />
            <MonitorIncidents monitor={monitor} />
            <MonitorSettings monitor={monitor} />
            <MonitorBadges monitor={monitor} report={report.data?.data} />
          </div>
        </div>
      </div>
    </>
  )
}

function Target({ monitor }: { monitor: Monitor }) {
  const target = targetOf(monitor)
  if (target === null) return 'Monitors a job that pings Upbeat when it is done'
  if (usesHostOnly(monitor.type)) return <span className="break-all">{target}</span>
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" className="break-all underline">
      {target}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** The status and its age, and the times of checks. */
function Rhythm({ monitor, report }: { monitor: Monitor; report: Report | undefined }) {
  const isHeartbeat = monitor.type === 'heartbeat'
  const due = nextDueAt(monitor, useNow())
  const status = liveStatus(monitor)
  const since =
    status === 'paused' ? report?.pauses.find(({ to }) => to === null)?.from : report?.status_since
  return (
    <FactTiles className="grid-cols-2 border border-line md:grid-cols-4">
      <FactTile name="Status" wide>
        <span className="flex items-center gap-2">
          {/* Room for either word, so that going down does not move the text beside it. */}
          <span className="min-w-22">
            <StatusMark named status={status} />
          </span>
          {since && (
            <span className="truncate text-sm font-normal text-soft">
              for <Since at={since} />
            </span>
          )}
        </span>
      </FactTile>
      <FactTile name={isHeartbeat ? 'Ping expected every' : 'Checked every'}>
        {sayInterval(intervalSecondsOf(monitor))}
      </FactTile>
      <FactTile name={isHeartbeat ? 'Last ping or deadline' : 'Last check'}>
        {monitor.last_checked_at ? <Time at={monitor.last_checked_at} /> : 'Not yet'}
      </FactTile>
      <FactTile name={isHeartbeat ? 'Next ping due' : 'Next check'} wide>
        <Due at={due} />
      </FactTile>
    </FactTiles>
  )
}

function Due({ at }: { at: string | null }): ReactNode {
  return at === null ? 'None while paused' : <Time at={at} />
}
