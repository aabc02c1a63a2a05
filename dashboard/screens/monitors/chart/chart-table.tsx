import { t } from '../../../language/language.ts'
import { ChartTable, type TableRow } from '../../../parts/charts/table.tsx'
import { sayMs } from '../../../parts/figures.ts'
import type { Report } from '../monitor-data.ts'
import { sayHappenings } from './chart-happened.ts'
import type { ChartModel } from './chart-model.ts'
import { sayStep } from './chart-tip.tsx'

/** The chart in words and figures: what is shaded in it, and its steps as a table. */
export function MonitorChartTable({
  report,
  model,
}: {
  report: Report | undefined
  model: ChartModel | undefined
}) {
  return (
    <ChartTable
      label={t('Response times as a table')}
      size="large"
      heads={[t('Passed'), t('Failed'), ...(model?.looks ?? []).map(({ label }) => label)]}
      rows={report && model && (() => rowsOf(report, model))}
    >
      {report && <Happenings report={report} />}
    </ChartTable>
  )
}

function Happenings({ report }: { report: Report }) {
  const happenings = sayHappenings(report)
  if (happenings.length === 0) return null
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      aria-label={t('Shaded in the chart')}
      className="max-h-60 scrolls border-t border-line px-4 py-2 text-sm"
    >
      <ul>
        {happenings.map(({ key, said }) => (
          <li key={key} className="py-0.5 break-words">
            {said}
          </li>
        ))}
      </ul>
    </section>
  )
}

function rowsOf(report: Report, { points, columns: [, ...lines] }: ChartModel): TableRow[] {
  return points
    .flatMap((point, index) => {
      if (!point) return []
      const values = lines.map((line) => sayMs(line[index] ?? null))
      const { at, up, degraded, down } = point
      return [{ at, from: sayStep(report, at), cells: [up + degraded, down, ...values] }]
    })
    .toReversed()
}
