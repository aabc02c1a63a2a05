import { useNavigate } from '@tanstack/react-router'
import type { UncountedTime } from '../../../src/core/history/monitor-report.ts'
import { ReportRange } from '../../../src/core/history/report-range.ts'
import { WHAT_UPTIME_COUNTS } from '../../../src/core/history/uptime.ts'
import { intervalSecondsOf } from '../../../src/core/monitors/monitor.ts'
import type { ReportSearch } from '../../data/history-search.ts'
import { sayProblem } from '../../data/problem.ts'
import { FactTile, FactTiles } from '../../parts/facts.tsx'
import { sayMs, sayShare, sayUncounted } from '../../parts/figures.ts'
import { LazyPart, LoadAgain, preloaded } from '../../parts/lazy-part.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { CHART_PLACE } from './chart/chart-place.ts'
import { ChartTable } from './chart/chart-table.tsx'
import type { Monitor, Report, useReport } from './monitor-data.ts'

// The chart is the heaviest part of the page, and a heartbeat has none.
const MonitorChart = preloaded(() => import('./chart/chart.tsx'))

const RANGES: Record<ReportRange, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}
const SHORT: Record<ReportRange, string> = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' }

/** Uptime of the usual periods, and response times of the selected one. */
export function MonitorHistory({
  monitor,
  answer,
  search,
}: {
  monitor: Monitor
  answer: ReturnType<typeof useReport>
  search: ReportSearch
}) {
  const report = answer.data?.data
  const range = search.range ?? '24h'
  const isHeartbeat = monitor.type === 'heartbeat'
  return (
    <>
      <Panel title="Uptime">
        <FactTiles className="grid-cols-2 rounded-t-none sm:grid-cols-4">
          {ReportRange.options.map((window) => (
            <FactTile key={window} name={RANGES[window]}>
              {report ? sayShare(report.uptime[window]) : '…'}
              {report && <Uncounted time={report.uptime_times[window]} />}
            </FactTile>
          ))}
        </FactTiles>
        <p className="border-t border-line px-4 py-3 text-sm text-soft">{WHAT_UPTIME_COUNTS}</p>
      </Panel>
      {!isHeartbeat && (
        <Panel title="Response time" actions={<Pickers range={range} search={search} report={report} />}>
          <Percentiles report={report} />
          <div className="border-t border-line">
            {answer.isError && !report ? (
              <p role="alert" className={`${CHART_PLACE} p-4 text-down`}>
                {sayProblem(answer.error)}
              </p>
            ) : (
              <LazyPart waiting={<ChartWaiting />} failed={<NoChart report={report} />}>
                {report ? (
                  <MonitorChart report={report} intervalSeconds={intervalSecondsOf(monitor)} />
                ) : (
                  <ChartWaiting />
                )}
              </LazyPart>
            )}
          </div>
        </Panel>
      )}
    </>
  )
}

function Uncounted({ time }: { time: UncountedTime }) {
  const said = sayUncounted(time)
  return said && <span className="block text-sm font-normal text-soft">{said}</span>
}

function ChartWaiting() {
  return <div className={CHART_PLACE} aria-busy="true" />
}

/** The table still shows the figures. */
function NoChart({ report }: { report: Report | undefined }) {
  return (
    <>
      <div className="p-4">
        <LoadAgain>The chart could not be drawn.</LoadAgain>
      </div>
      {report && <ChartTable report={report} />}
    </>
  )
}

function Pickers({
  range,
  search,
  report,
}: {
  range: ReportRange
  search: ReportSearch
  report: Report | undefined
}) {
  const navigate = useNavigate({ from: '/teams/$team/monitors/$monitor' })
  const regions = [...new Set([...(report?.regions ?? []), ...(search.region ? [search.region] : [])])]
  function show(change: Partial<ReportSearch>) {
    void navigate({ search: (kept) => ({ ...kept, ...change }), replace: true, resetScroll: false })
  }
  return (
    <>
      {regions.length > 1 && (
        <select
          aria-label="Region"
          className="h-10 rounded-md border border-line bg-panel px-2.5 text-sm"
          value={search.region ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: ({ region: _, ...kept }) => (target.value ? { ...kept, region: target.value } : kept),
              replace: true,
              resetScroll: false,
            })
          }
        >
          <option value="">All regions</option>
          {regions.map((region) => (
            <option key={region} value={region}>
              {region}
            </option>
          ))}
        </select>
      )}
      <Segments
        label="Period"
        value={range}
        options={ReportRange.options.map((value) => ({ value, label: SHORT[value] }))}
        onChoose={(chosen) => show({ range: chosen })}
      />
    </>
  )
}

const PERCENTILES = [
  { name: 'p50_ms', label: 'p50', hint: 'Half of the checks are faster' },
  { name: 'p95_ms', label: 'p95', hint: '19 of 20 checks are faster' },
  { name: 'p99_ms', label: 'p99', hint: '99 of 100 checks are faster' },
] as const

function Percentiles({ report }: { report: Report | undefined }) {
  return (
    <FactTiles className="grid-cols-3 rounded-none">
      {PERCENTILES.map(({ name, label, hint }) => (
        <FactTile key={name} name={label} hint={hint}>
          {report ? sayMs(report.latency[name]) : '…'}
        </FactTile>
      ))}
    </FactTiles>
  )
}
