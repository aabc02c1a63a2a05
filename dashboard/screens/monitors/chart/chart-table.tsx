import { useState } from 'react'
import { sayMs } from '../../../parts/figures.ts'
import type { Report } from '../monitor-data.ts'
import { sayStep } from './chart-tip.tsx'

/** The chart as a table of figures. */
export function ChartTable({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="px-4 py-2.5 text-sm text-soft hover:text-ink">Show as a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section tabIndex={0} aria-label="Response times as a table" className="max-h-80 overflow-y-auto">
          <table className="w-full text-sm">
            <thead className="sticky top-0 bg-sunken text-right text-soft">
              <tr>
                <th className="px-4 py-1.5 text-left font-medium">From</th>
                <th className="px-2 py-1.5 font-medium">Passed</th>
                <th className="px-2 py-1.5 font-medium">Failed</th>
                <th className="px-2 py-1.5 font-medium">p50</th>
                <th className="px-2 py-1.5 font-medium">p95</th>
                <th className="px-4 py-1.5 font-medium">p99</th>
              </tr>
            </thead>
            <tbody className="text-right">
              {report.points.toReversed().map((point) => (
                <tr key={point.at} className="border-t border-line">
                  <th scope="row" className="px-4 py-1.5 text-left font-normal">
                    {sayStep(report, point)}
                  </th>
                  <td className="px-2">{point.up + point.degraded}</td>
                  <td className="px-2">{point.down}</td>
                  <td className="px-2">{sayMs(point.p50_ms)}</td>
                  <td className="px-2">{sayMs(point.p95_ms)}</td>
                  <td className="px-4">{sayMs(point.p99_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
