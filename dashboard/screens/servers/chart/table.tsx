import { useState } from 'react'
import { t } from '../../../language/language.ts'
import { sayValue } from '../../../parts/servers/figures.ts'
import { sayTime } from './legend.tsx'
import type { ChartModel } from './models.ts'
import type { Stretch } from './stretch.ts'

/** The chart as a table of figures, newest first. */
export function ChartTable({ model, stretch }: { model: ChartModel; stretch: Stretch }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-4 py-2 text-sm text-soft hover:text-ink">{t('Show as a table')}</summary>
      {isOpen && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
          tabIndex={0}
          aria-label={t('{title} as a table', { title: model.title })}
          className="max-h-80 overflow-auto"
        >
          <table className="w-full text-sm">
            <thead className="sticky top-0 bg-sunken text-right text-soft">
              <tr>
                <th className="px-4 py-1.5 text-left font-medium">{t('From')}</th>
                {model.lines.map(({ label }) => (
                  <th key={label} className="px-3 py-1.5 font-medium">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="text-right">
              {rowsOf(model, stretch.times).map(({ at, values }) => (
                <tr key={at} className="border-t border-line">
                  <th scope="row" className="px-4 py-1.5 text-left font-normal whitespace-nowrap">
                    {sayTime(at, stretch.stepSeconds)}
                  </th>
                  {model.lines.map(({ label }, line) => (
                    <td key={label} className="px-3 whitespace-nowrap">
                      {sayValue(values[line], model.unit)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

/** Rows of which something is known. */
function rowsOf({ lines }: ChartModel, times: readonly number[]) {
  return times
    .map((at, index) => ({ at, values: lines.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse()
}
