import type { ReactNode } from 'react'
import { formatDuration } from '../../../../src/core/duration.ts'
import { knownWindows } from '../../../../src/core/history/known-windows.ts'
import type { UncountedTime } from '../../../../src/core/history/monitor-report.ts'
import { ReportRange } from '../../../../src/core/history/report-range.ts'
import { WHAT_UPTIME_COUNTS } from '../../../../src/core/history/uptime.ts'
import { passes } from '../../../../src/core/monitors/check.ts'
import { MONITOR_TYPES } from '../../../../src/core/monitors/monitor-types.ts'
import { hasCertificate } from '../../../../src/core/monitors/target.ts'
import type { ReportSearch } from '../../../data/history-search.ts'
import { useTeam } from '../../../data/session.ts'
import { sayCount } from '../../../language/count.ts'
import { t } from '../../../language/language.ts'
import { sayMs, sayShare, sayUncounted } from '../../../parts/figures.ts'
import { sayTime } from '../../../parts/time.tsx'
import { type Monitor, type Report, useChecks } from '../monitor-data.ts'
import { RANGES } from './chart-range.tsx'

/** The figures of a monitor side by side: response times of the period of the chart, uptime, certificate. */
export function FigureStrip({
  monitor,
  report,
  search,
}: {
  monitor: Monitor
  report: Report | undefined
  search: ReportSearch
}) {
  return (
    <section aria-label={t('Figures')} className="overflow-hidden rounded-lg border border-line bg-panel">
      {/* Lines between the groups, and columns whose widths no figure changes. */}
      <div className={`grid gap-px bg-line ${columnsOf(monitor)}`}>
        {MONITOR_TYPES[monitor.type].isProbed && (
          <ResponseFigures monitor={monitor} report={report} search={search} />
        )}
        <Group title={t('Uptime')} columns="grid-cols-2 sm:grid-cols-4">
          {knownWindows(Date.now() - Date.parse(monitor.created_at)).map(({ window, knownMs }) => (
            <Figure key={window} name={knownMs === null ? SHORT[window] : sayKnown(knownMs)}>
              {report ? sayShare(report.uptime[window]) : '…'}
            </Figure>
          ))}
        </Group>
        {hasCertificate(monitor) && (
          <Group title={t('Certificate')} columns="grid-cols-1">
            <Figure name={t('Days left')}>
              <DaysLeft monitor={monitor} />
            </Figure>
          </Group>
        )}
      </div>
      <Counted report={report} />
    </section>
  )
}

const SHORT: Record<ReportRange, string> = { '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' }

/** `of 3 min known`, in whole minutes, so that it does not change with each check. */
function sayKnown(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS))
  return t('of {duration} known', { duration: formatDuration((minutes * MINUTE_MS) / 1_000) })
}

const MINUTE_MS = 60_000

const PERCENTILES = [
  { name: 'mean_ms', label: t('Average'), hint: t('Of all checks that passed') },
  { name: 'p50_ms', label: 'p50', hint: t('Half of the checks are faster') },
  { name: 'p95_ms', label: 'p95', hint: t('19 of 20 checks are faster') },
  { name: 'p99_ms', label: 'p99', hint: t('99 of 100 checks are faster') },
] as const

function ResponseFigures({
  monitor,
  report,
  search,
}: {
  monitor: Monitor
  report: Report | undefined
  search: ReportSearch
}) {
  const { id: team } = useTeam()
  const newest = useChecks(team, monitor, false).data?.pages[0]?.data[0]
  const isZoomed = search.from !== undefined
  const title = isZoomed
    ? t('Response time, {period}', {
        period: report ? [report.from, report.to].map(sayTime).join(' – ') : '…',
      })
    : t('Response time, last {range}', { range: RANGES[search.range ?? '24h'] })
  return (
    <Group title={title} columns="grid-cols-3 sm:grid-cols-5">
      <Figure name={t('Newest check')} hint={t('Of the newest check, if it passed')}>
        {newest ? sayMs(passes(newest.status) ? newest.response_time_ms : null) : '…'}
      </Figure>
      {PERCENTILES.map(({ name, label, hint }) => (
        <Figure key={name} name={label} hint={hint}>
          {report ? sayMs(report.latency[name]) : '…'}
        </Figure>
      ))}
    </Group>
  )
}

/** The columns follow from how many figures each group has. */
function columnsOf(monitor: Monitor): string {
  if (!MONITOR_TYPES[monitor.type].isProbed) return ''
  return hasCertificate(monitor)
    ? 'xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,1fr)]'
    : 'xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]'
}

function Group({ title, columns, children }: { title: string; columns: string; children: ReactNode }) {
  return (
    <div className="min-w-0 bg-panel px-2 pt-2 pb-1.5">
      <h2 className="truncate px-2 text-sm text-soft" title={title}>
        {title}
      </h2>
      <dl className={`grid ${columns}`}>{children}</dl>
    </div>
  )
}

/** The name below the figure, as its unit. */
function Figure({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse px-2 py-1" {...(hint && { title: hint })}>
      <dt className="text-sm whitespace-nowrap text-soft">{name}</dt>
      <dd className="text-lg font-semibold whitespace-nowrap">{children}</dd>
    </div>
  )
}

/** Uptime in a word, and the time that its figures leave out. The line is there before the figures are. */
function Counted({ report }: { report: Report | undefined }) {
  const left = report ? leftOut(report.uptime_times) : []
  return (
    <details className="border-t border-line text-sm text-soft">
      <summary className="px-4 py-2 hover:text-ink">{t('How uptime is counted')}</summary>
      <div className="px-4 pb-3">
        <p>{t(WHAT_UPTIME_COUNTS)}</p>
        <ul>
          {left.map(({ window, said }) => (
            <li key={window}>
              {RANGES[window]}: {said}
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

function leftOut(times: Record<ReportRange, UncountedTime>): { window: ReportRange; said: string }[] {
  return ReportRange.options.flatMap((window) => {
    const said = sayUncounted(times[window])
    return said ? [{ window, said }] : []
  })
}

function DaysLeft({
  monitor: { ssl_days_remaining: days, ssl_expiry_warning_days: warning },
}: {
  monitor: Monitor
}) {
  if (days === null) return <span className="font-normal text-soft">{t('Not read')}</span>
  if (days < 0) return <span className="text-down">{t('Expired')}</span>
  return <span className={days <= warning ? 'text-degraded' : ''}>{sayCount(days)}</span>
}
