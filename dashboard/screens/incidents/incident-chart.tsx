import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { MAX_STRETCH_DAYS } from '../../../src/core/history/report-stretch.ts'
import type { Incident } from '../../../src/core/monitors/incident.ts'
import type { IncidentRow } from '../../../src/core/monitors/incident-story.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import { question } from '../../data/ask.ts'
import { RANGE_SECONDS } from '../../data/servers/server-search.ts'
import { useTeam } from '../../data/session.ts'
import { type Zoom, zoomAround, zoomSince } from '../../data/zoom.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { CHART_SIZES } from '../../parts/charts/model.ts'
import { LazyPart, LoadAgain, preloaded } from '../../parts/lazy-part.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ChartKey } from '../monitors/chart/chart-key.tsx'
import { chartModel } from '../monitors/chart/chart-model.ts'
import { MonitorChartTable } from '../monitors/chart/chart-table.tsx'
import { PlotPlace } from '../monitors/chart/plot-place.tsx'
import { type Monitor, useMonitor, useReport } from '../monitors/monitor-data.ts'
import { spansOf } from '../servers/chart/columns.ts'
import { chartsOf } from '../servers/chart/models.ts'
import { timeAxisOf } from '../servers/chart/time-axis.ts'
import { useServerHistory } from '../servers/server-data.ts'
import { chartOfCondition } from './chart-of-condition.ts'

const ServerChart = preloaded(() => import('../servers/chart/chart.tsx'))

const DAY_SECONDS = 86_400

function aroundOf(incident: Incident, maxSeconds: number): Zoom {
  return zoomAround({ start: incident.started_at, end: incident.resolved_at }, Date.now(), maxSeconds)
}

/** Without the time before the record of its subject: the first incident of a new one does not stand at the edge of emptiness. */
function sinceRecord(around: Zoom, { started_at }: Incident, createdAt: string): Zoom {
  return zoomSince(around, createdAt < started_at ? createdAt : started_at)
}

/** Response times around an incident. A zoom goes on at the page of the monitor, which has all of them. */
export function MonitorAround({ incident, monitor: id }: { incident: Incident; monitor: number }) {
  const { id: team } = useTeam()
  const { data, isError } = useMonitor(team, id)
  // A monitor that was deleted has no page to go on at.
  if (isError) return null
  return (
    <Panel
      title={t('Response time')}
      actions={
        <Link
          to="/teams/$team/monitors/$monitor"
          params={{ team: String(team), monitor: String(id) }}
          search={aroundOf(incident, MAX_STRETCH_DAYS * DAY_SECONDS)}
          className={buttonLook('quiet', 'small')}
        >
          {t('More of the chart')}
        </Link>
      }
    >
      {/* As high as the chart from the start: nothing below it moves when it comes. */}
      <div style={{ minHeight: CHART_SIZES.large.height }} aria-busy={!data}>
        {data && <AroundChart incident={incident} monitor={data.data} />}
      </div>
    </Panel>
  )
}

function AroundChart({ incident, monitor }: { incident: Incident; monitor: Monitor }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const asked = aroundOf(incident, MAX_STRETCH_DAYS * DAY_SECONDS)
  const shown = sinceRecord(asked, incident, monitor.created_at)
  const answer = useReport(team, monitor, asked)
  const report = answer.data?.data
  const interval = intervalSecondsOf(monitor)
  const model = useMemo(() => report && chartModel(report, interval, undefined, null), [report, interval])
  const zoom = (search: Zoom) =>
    void navigate({
      to: '/teams/$team/monitors/$monitor',
      params: { team: String(team), monitor: String(monitor.id) },
      search,
    })
  return (
    <>
      <div
        className="relative mx-2 mt-2"
        style={{ minHeight: CHART_SIZES.large.height }}
        aria-busy={answer.isFetching && !report}
      >
        <PlotPlace answer={answer} model={model} shown={shown} asked={shown} onZoom={zoom} />
      </div>
      {model && <ChartKey looks={model.looks} />}
      <MonitorChartTable report={report} model={model} />
    </>
  )
}

/** The figure that an incident of a server is about, around its time; nothing where no chart has it. */
export function ServerAround({ incident }: { incident: IncidentRow }) {
  const { id: team } = useTeam()
  const navigate = useNavigate()
  const id = incident.subject_id
  const asked = aroundOf(incident, RANGE_SECONDS['90d'])
  const history = useServerHistory(team, id, asked).data?.data
  const createdAt = useQuery(question(team, 'getServer', { id })).data?.data.created_at
  const about = incident.about ?? ''
  const model = useMemo(
    () => history && chartsOf(history).find((chart) => chart.id === chartOfCondition(about)),
    [history, about],
  )
  const axis = useMemo(
    () => history && timeAxisOf(history, spansOf([incident], [], history.to)),
    [history, incident],
  )
  const shown =
    axis && createdAt !== undefined ? { ...axis, ...sinceRecord(axis, incident, createdAt) } : axis
  if (!model || !shown) return null
  const zoom = (search: Zoom) =>
    void navigate({
      to: '/teams/$team/servers/$server',
      params: { team: String(team), server: String(id) },
      search,
    })
  return (
    <LazyPart failed={<LoadAgain>{t('The chart could not be drawn.')}</LoadAgain>}>
      <ServerChart model={model} axis={shown} asked={shown} onZoom={zoom} />
    </LazyPart>
  )
}
