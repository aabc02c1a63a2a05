import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { REPORT_RANGES } from '../../../src/core/history/monitor-report.ts'
import { changed } from '../../../src/core/lists/search.ts'
import { intervalSecondsOf } from '../../../src/core/probing/schedule.ts'
import type { ReportSearch } from '../../data/history-search.ts'
import { useTeam } from '../../data/session.ts'
import { readZoom, zoomSince } from '../../data/zoom.ts'
import { t } from '../../language/language.ts'
import { CHART_SIZES } from '../../parts/charts/model.ts'
import { secondsOf } from '../../parts/charts/rows.ts'
import { Panel } from '../../parts/panel.tsx'
import { sayBefore, weeksBefore } from './chart/chart-before.ts'
import { ChartKey } from './chart/chart-key.tsx'
import { chartModel, PERCENTILE_LOOKS } from './chart/chart-model.ts'
import { CustomRange, RangePicker, RegionPicker, type ShowChart } from './chart/chart-range.tsx'
import { MonitorChartTable } from './chart/chart-table.tsx'
import { PlotPlace } from './chart/plot-place.tsx'
import { type Monitor, type useReport, useReportBefore } from './monitor-data.ts'

const DAY_SECONDS = 86_400

/** Changes the address, in place. */
export function useShowChart(): ShowChart {
  const navigate = useNavigate({ from: '/teams/$team/monitors/$monitor' })
  return (change) =>
    void navigate({
      search: changed(change),
      replace: true,
      resetScroll: false,
    })
}

/** Response times of the selected period. */
export function MonitorHistory({
  monitor,
  answer,
  search,
}: {
  monitor: Monitor
  answer: ReturnType<typeof useReport>
  search: ReportSearch
}) {
  const { id: team } = useTeam()
  const show = useShowChart()
  const [isCustomOpen, setCustomOpen] = useState(false)
  const report = answer.data?.data
  const before = useReportBefore(team, monitor, report, search)
  const interval = intervalSecondsOf(monitor)
  const model = useMemo(
    () => report && chartModel(report, interval, search.line, before),
    [report, interval, search.line, before],
  )
  const whole = report && { from: secondsOf(report.from), to: secondsOf(report.to) }
  const shown = whole && search.from === undefined ? zoomSince(whole, monitor.created_at) : whole
  return (
    <Panel
      title={t('Response time')}
      actions={
        <RangePicker search={search} isCustomOpen={isCustomOpen} onShow={show} onCustom={setCustomOpen} />
      }
    >
      {isCustomOpen && shown && (
        <CustomRange key={`${search.from} ${search.to} ${search.range}`} shown={shown} onShow={show} />
      )}
      {/* As high as the plot from the start: nothing below it moves when it comes. */}
      <div
        className={`relative mx-2 mt-2 ${answer.isPlaceholderData ? 'opacity-60' : ''}`}
        style={{ minHeight: CHART_SIZES.large.height }}
        aria-busy={answer.isFetching && !report}
      >
        <PlotPlace
          answer={answer}
          model={model}
          shown={shown}
          asked={readZoom(search.from, search.to) ?? shown}
          onZoom={show}
        />
      </div>
      <LineChoice
        length={whole ? whole.to - whole.from : REPORT_RANGES[search.range ?? '24h'].days * DAY_SECONDS}
        hasNothing={before?.report.points.length === 0}
        regions={report?.regions ?? []}
        search={search}
        onShow={show}
      />
      <p className="hidden px-4 pb-1 text-sm text-soft pointer-coarse:block">
        {t('Pinch the chart with two fingers to zoom.')}
      </p>
      <ChartKey looks={model?.looks ?? PERCENTILE_LOOKS} />
      <MonitorChartTable report={report} model={model} />
    </Panel>
  )
}

/** The lines to choose, and how to zoom: in one row of one height, whatever is in it. */
function LineChoice({
  length,
  hasNothing,
  regions,
  search,
  onShow,
}: {
  /** The length of the period, in seconds. */
  length: number
  /** Nothing was checked in the period that is compared with. */
  hasNothing: boolean
  regions: readonly string[]
  search: ReportSearch
  onShow: ShowChart
}) {
  return (
    <div className="flex min-h-12 items-center justify-between gap-x-5 px-4 text-sm">
      <label className="flex min-h-9 items-center gap-2">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={search.line === 'before'}
          onChange={({ target }) => onShow({ line: target.checked ? 'before' : undefined })}
        />
        <span>
          {t('Compare with {period}', { period: sayBefore(weeksBefore({ from: 0, to: length })) })}
          {hasNothing && <span className="text-soft"> {t('(no checks then)')}</span>}
        </span>
      </label>
      <p className="ml-auto text-soft max-lg:hidden pointer-coarse:hidden">
        {t('Draw along the chart to zoom in, or press + and − in it.')}
      </p>
      <RegionPicker regions={regions} search={search} onShow={onShow} />
    </div>
  )
}
