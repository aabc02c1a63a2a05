import type { ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import { sayMs } from '../../../parts/figures.ts'
import { LOCALE, sayCount } from '../../../parts/locale.ts'
import type { Report } from '../monitor-data.ts'
import { happenedAt } from './chart-happened.ts'

const WIDTH = 240
const GAP = 12

const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short' })
const minute = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const DAY_SECONDS = 86_400
const NO_CHECKS = 'No checks'

/** A tooltip beside the cursor, never over the point that it describes. */
export function ChartTip({
  report,
  point,
  at,
  left,
  width,
}: {
  report: Report
  point: ReportPoint | null
  /** Where the cursor is, in seconds. */
  at: number | undefined
  left: number
  width: number
}) {
  const isRight = left + GAP + WIDTH > width
  const happened = happenedAt(report, point, at)
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-3 z-10 rounded-md border border-line bg-panel px-3 py-2 text-sm shadow-lg"
      style={{ width: WIDTH, left: Math.max(0, isRight ? left - GAP - WIDTH : left + GAP) }}
    >
      {point === null ? (
        (happened ?? NO_CHECKS)
      ) : (
        <>
          <p className="mb-1 font-medium">{sayStep(report, point)}</p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3">
            <Row name="p50" value={sayMs(point.p50_ms)} />
            <Row name="p95" value={sayMs(point.p95_ms)} />
            <Row name="p99" value={sayMs(point.p99_ms)} />
          </dl>
          <p className="mt-1 text-soft">{sayCounts(point)}</p>
          {happened && <p className="mt-1 font-medium">{happened}</p>}
        </>
      )}
    </div>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="text-right">{value}</dd>
    </>
  )
}

/** The same in one sentence, for screen readers. */
export function sayRow(report: Report, point: ReportPoint | null, at: number | undefined): string {
  const happened = happenedAt(report, point, at)
  if (!point) return happened ?? NO_CHECKS
  return [
    sayStep(report, point),
    `p50 ${sayMs(point.p50_ms)}, p95 ${sayMs(point.p95_ms)}, p99 ${sayMs(point.p99_ms)}`,
    sayCounts(point),
    happened,
  ]
    .filter(Boolean)
    .join('. ')
}

export function sayStep(report: Report, point: ReportPoint): string {
  const at = new Date(point.at)
  return (report.step_seconds >= DAY_SECONDS ? day : minute).format(at)
}

function sayCounts({ up, degraded, down, pending }: ReportPoint): string {
  const parts = [`${sayCount(up + degraded)} passed`]
  if (degraded > 0) parts.push(`${degraded} of them with a warning`)
  if (down > 0) parts.push(`${sayCount(down)} failed`)
  if (pending > 0) parts.push(`${pending} inconclusive`)
  return parts.join(', ')
}
