import { usePrefetchInfiniteQuery, usePrefetchQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { isGroup, isSetByHand, MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { targetOf } from '../../../src/core/monitors/target.ts'
import { useTeam } from '../../data/session.ts'
import type { Zoom } from '../../data/zoom.ts'
import { NewTab } from '../../language/hidden.tsx'
import { t } from '../../language/language.ts'
import { FlappingNotice } from '../../parts/alerting/flapping.tsx'
import { zoomOf } from '../../parts/charts/zooming.ts'
import { SubjectBanners, useSubjectMaintenance } from '../../parts/maintenance/subject-maintenance.tsx'
import { DayBars } from '../../parts/monitors/day-bars.tsx'
import { AlertsWait } from '../../parts/monitors/dependencies.tsx'
import { GroupMembers } from '../../parts/monitors/group-members.tsx'
import { sayRule } from '../../parts/monitors/group-words.ts'
import { NotesOfMonitor } from '../../parts/monitors/notes-panel.tsx'
import { PageHead } from '../../parts/panel.tsx'
import { RecordScreen } from '../../parts/records/record-screen.tsx'
import { FigureStrip } from './chart/figure-strip.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { AskedCheck } from './monitor-asked-check.tsx'
import { MonitorBadges } from './monitor-badges.tsx'
import { useCheckNow } from './monitor-check-now.ts'
import { MonitorChecks } from './monitor-checks.tsx'
import { checksQuestion, type Monitor, reportQuestion, useMonitor, useReport } from './monitor-data.ts'
import { MonitorHistory, useShowChart } from './monitor-history.tsx'
import { MonitorIncidents } from './monitor-incidents.tsx'
import { ManualSwitch } from './monitor-manual.tsx'
import { PingAddress } from './monitor-ping-address.tsx'
import { MonitorPings } from './monitor-pings.tsx'
import { Certificate, MonitorSettings } from './monitor-settings.tsx'
import { MonitorState } from './monitor-state.tsx'
import { LastSteps } from './monitor-steps.tsx'

export default function MonitorScreen() {
  const { id: team } = useTeam()
  const { monitor: named } = useParams({ from: '/signed-in/teams/$team/monitors/$monitor' })
  const search = useSearch({ from: '/signed-in/teams/$team/monitors/$monitor' })
  // All at once: what the page shows first must not wait for what it shows around it.
  usePrefetchQuery(reportQuestion(team, Number(named), search))
  usePrefetchInfiniteQuery(checksQuestion(team, Number(named), false))
  const monitor = useMonitor(team, Number(named))
  const { isPending } = useSubjectMaintenance(team, { kind: 'monitor', id: Number(named) })
  return (
    <RecordScreen record={monitor} isPending={isPending}>
      {(shown) => <MonitorPage monitor={shown} />}
    </RecordScreen>
  )
}

function MonitorPage({ monitor }: { monitor: Monitor }) {
  const { id: team, may } = useTeam()
  const search = useSearch({ from: '/signed-in/teams/$team/monitors/$monitor' })
  const report = useReport(team, monitor, search)
  const checkNow = useCheckNow(team, monitor.id)
  const show = useShowChart()
  const isHeartbeat = monitor.type === 'heartbeat'
  const { isProbed } = MONITOR_TYPES[monitor.type]
  return (
    <>
      <PageHead
        title={monitor.name}
        actions={may('write') && <MonitorActions monitor={monitor} checkNow={checkNow} />}
      >
        <Target monitor={monitor} />
      </PageHead>
      <div className="flex flex-col gap-5">
        <SubjectBanners of={{ kind: 'monitor', id: monitor.id }} />
        <FlappingNotice since={report.data?.data.flapping_since} />
        {monitor.options?.depends_on && <AlertsWait monitor={monitor.id} />}
        <MonitorState monitor={monitor} report={report.data?.data}>
          <DayBars
            days={report.data?.data.days}
            maintenance={report.data?.data.maintenance_days}
            {...(isProbed && { onChoose: (dayMs) => show(dayZoom(dayMs)) })}
          />
        </MonitorState>
        <AskedCheck asked={checkNow} of={{ type: monitor.type, target: monitor.url }} />
        {isHeartbeat && <PingAddress monitor={monitor} />}
        {isSetByHand(monitor.type) && <ManualSwitch monitor={monitor} />}
        {isProbed && <MonitorHistory monitor={monitor} answer={report} search={search} />}
        <FigureStrip monitor={monitor} report={report.data?.data} search={search} />
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            {isGroup(monitor.type) && <GroupMembers monitor={monitor.id} rule={monitor.options?.rule} />}
            {isHeartbeat && <MonitorPings monitor={monitor} />}
            {monitor.options?.steps && <LastSteps monitor={monitor} />}
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
  if (isGroup(monitor.type)) return t('Up while {rule}', { rule: sayRule(monitor.options?.rule ?? 'all') })
  if (isSetByHand(monitor.type)) return t('Set by people and scripts')
  if (target === null) return t('Monitors a job that pings Upbeat when it is done')
  if (!/^https?:/i.test(target)) return <span className="break-all">{target}</span>
  return (
    <a href={target} target="_blank" rel="noopener noreferrer" className="break-all underline">
      {target}
      <NewTab />
    </a>
  )
}

/** A day of UTC, as far as it is over. */
function dayZoom(dayMs: number): Zoom {
  return zoomOf(dayMs / 1_000, Math.min(dayMs + DAY_MS, Date.now()) / 1_000)
}
