import type { ReportPoint } from '../../../../src/core/history/monitor-report.ts'
import { sayCount } from '../../../language/count.ts'
import { t } from '../../../language/language.ts'
import { usePointed } from '../../../parts/charts/cursor.ts'
import { sayStepTime } from '../../../parts/charts/step-time.ts'
import { sayMs } from '../../../parts/figures.ts'
import type { Report } from '../monitor-data.ts'
import { happenedAt } from './chart-happened.ts'
import type { ChartModel } from './chart-model.ts'

const WIDTH = 240
const GAP = 12

const NO_CHECKS = t('No checks')

/** A tooltip beside the cursor, never over the point that it describes. */
export function ChartTip({ report, model }: { report: Report; model: ChartModel }) {
  const pointed = usePointed()
  if (!pointed) return null
  const { left, width } = pointed
  const index = Math.min(pointed.index, model.points.length - 1)
  const isRight = left + GAP + WIDTH > width
  const point = model.points[index] ?? null
  const values = valuesAt(model, index)
  const happened = happenedAt(report, point, model.columns[0][index])
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-3 z-10 rounded-md border border-line bg-panel px-3 py-2 text-sm shadow-lg"
      style={{ width: WIDTH, left: Math.max(0, isRight ? left - GAP - WIDTH : left + GAP) }}
    >
      {point === null && values.length === 0 ? (
        (happened ?? NO_CHECKS)
      ) : (
        <>
          <p className="mb-1 font-medium">{sayRowTime(report, model, index)}</p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-3">
            {values.map(({ label, ms }) => (
              <Row key={label} name={label} value={sayMs(ms)} />
            ))}
          </dl>
          <p className="mt-1 text-soft">{point ? sayCounts(point) : NO_CHECKS}</p>
          {happened && <p className="mt-1 font-medium">{happened}</p>}
        </>
      )}
    </div>
  )
}

/** The values of the lines that have one there. Those of the checks themselves are named even without. */
function valuesAt({ columns, looks, points, firstOther }: ChartModel, index: number) {
  return looks.flatMap(({ label }, line) => {
    const ms = columns[line + 1]?.[index] ?? null
    const isNamed = ms !== null || (line < firstOther && points[index])
    return isNamed ? [{ label, ms }] : []
  })
}

function sayRowTime(report: Report, { points, columns }: ChartModel, index: number): string {
  const point = points[index]
  // Another line is drawn at the middle of a step.
  const start = (columns[0][index] ?? 0) - report.step_seconds / 2
  return sayStep(report, point?.at ?? new Date(start * 1_000).toISOString())
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
export function sayRow(report: Report, model: ChartModel, index: number): string {
  const point = model.points[index] ?? null
  const values = valuesAt(model, index)
  const happened = happenedAt(report, point, model.columns[0][index])
  if (!point && values.length === 0) return happened ?? NO_CHECKS
  return [
    sayRowTime(report, model, index),
    values.map(({ label, ms }) => `${label} ${sayMs(ms)}`).join(', '),
    point ? sayCounts(point) : NO_CHECKS,
    happened,
  ]
    .filter(Boolean)
    .join('. ')
}

/** The start of a step. */
export function sayStep(report: Report, at: string): string {
  return sayStepTime(new Date(at), report.step_seconds)
}

function sayCounts({ up, degraded, down, pending }: ReportPoint): string {
  const parts = [t('{count} passed', { count: sayCount(up + degraded) })]
  if (degraded > 0) parts.push(t('{count} of them with a warning', { count: degraded }))
  if (down > 0) parts.push(t('{count} failed', { count: sayCount(down) }))
  if (pending > 0) parts.push(t('{count} inconclusive', { count: pending }))
  return parts.join(', ')
}
