import { useState } from 'react'
import { t } from '../../../language/language.ts'
import { sayMs } from '../../../parts/figures.ts'
import type { Report } from '../monitor-data.ts'
import { sayHappenings } from './chart-happened.ts'
import type { ChartModel } from './chart-model.ts'
import { sayStep } from './chart-tip.tsx'

/** The chart in words and figures: what is shaded in it, and its steps as a table. Its place is there before they are. */
export function ChartTable({ report, model }: { report: Report | undefined; model: ChartModel | undefined }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-4 py-2.5 text-sm text-soft hover:text-ink">{t('Show as a table')}</summary>
      {isOpen && report && model && (
        <>
          <Happenings report={report} />
          <Steps report={report} model={model} />
        </>
      )}
    </details>
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
      className="max-h-60 overflow-y-auto border-t border-line px-4 py-2 text-sm"
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

function Steps({ report, model: { points, columns, looks } }: { report: Report; model: ChartModel }) {
  const cell = 'px-2 py-1.5 whitespace-nowrap last:pr-4'
  const rows = points.flatMap((point, index) => (point ? [{ point, index }] : [])).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section tabIndex={0} aria-label={t('Response times as a table')} className="max-h-80 overflow-auto">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-sunken text-right text-soft">
          <tr>
            <th className="px-4 py-1.5 text-left font-medium">{t('From')}</th>
            {[t('Passed'), t('Failed'), ...looks.map(({ label }) => label)].map((name) => (
              <th key={name} className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="text-right">
          {rows.map(({ point, index }) => (
            <tr key={point.at} className="border-t border-line">
              <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap">
                {sayStep(report, point.at)}
              </th>
              <td className={cell}>{point.up + point.degraded}</td>
              <td className={cell}>{point.down}</td>
              {looks.map(({ label }, line) => (
                <td key={label} className={cell}>
                  {sayMs(columns[line + 1]?.[index] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
