import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import { shade, useColours } from '../../../parts/charts/look.ts'
import { secondsOf } from '../../../parts/charts/rows.ts'
import type { Report } from '../monitor-data.ts'
import { chartOptions } from './chart-axes.ts'
import { ChartKey } from './chart-key.tsx'
import { CHART_PLACE, PLOT_HEIGHT } from './chart-place.ts'
import { rowsOf, spansOf } from './chart-rows.ts'
import { ChartTable } from './chart-table.tsx'
import { ChartTip, sayRow } from './chart-tip.tsx'

type Cursor = { index: number; left: number; width: number }

/** Response times over time, with outages, warnings, pauses and maintenance behind them. */
export default function MonitorChart({
  report,
  intervalSeconds,
}: {
  report: Report
  intervalSeconds: number
}) {
  const rows = useMemo(() => rowsOf(report, intervalSeconds), [report, intervalSeconds])
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const { place, chart } = usePlot(report, rows.columns, setCursor)
  const last = rows.points.length - 1
  const index = cursor ? Math.min(cursor.index, last) : last

  function step(event: KeyboardEvent) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
    if (steps === undefined || last < 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(last, index + (cursor ? steps : Math.min(steps, 0))))
    const at = rows.columns[0][to]
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at, 'x'), top: 0 })
  }

  return (
    <div className={CHART_PLACE}>
      {/* The plot itself follows the mouse; keys move from point to point, as on a slider. */}
      <div
        role="slider"
        tabIndex={0}
        aria-label="Response times, point by point"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={sayRow(report, rows.points[index] ?? null, rows.columns[0][index])}
        onKeyDown={step}
        onBlur={() => setCursor(null)}
        className="relative mx-2 mt-2"
        style={{ height: PLOT_HEIGHT }}
      >
        <div ref={place} className="absolute inset-0 overflow-hidden" />
        {last < 0 && (
          <p className="absolute inset-0 grid place-items-center text-soft">No checks in this period.</p>
        )}
        {cursor && last >= 0 && (
          <ChartTip
            report={report}
            point={rows.points[index] ?? null}
            at={rows.columns[0][index]}
            left={cursor.left}
            width={cursor.width}
          />
        )}
      </div>
      <ChartKey />
      <ChartTable report={report} />
    </div>
  )
}

/** Keeps a plot in its place: rebuilt with the theme, updated with the data, as wide as its place. */
function usePlot(report: Report, columns: uPlot.AlignedData, onCursor: (cursor: Cursor | null) => void) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const colours = useColours()
  const colourKey = Object.values(colours).join()
  const latest = useRef({ report, columns, colours })
  latest.current = { report, columns, colours }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a theme is known by its colours; data come below
  useEffect(() => {
    const element = place.current
    if (!element) return
    const plot = new uPlot(
      chartOptions({
        width: element.clientWidth,
        colours: latest.current.colours,
        range: () => [secondsOf(latest.current.report.from), secondsOf(latest.current.report.to)],
        shade: (shaded) => shade(shaded, spansOf(latest.current.report), latest.current.colours),
        onCursor: ({ cursor, bbox, over }) => {
          const { idx, left = -1 } = cursor
          const offset = bbox.left / devicePixelRatio
          onCursor(
            idx === null || idx === undefined || left < 0
              ? null
              : { index: idx, left: left + offset, width: over.clientWidth + offset },
          )
        },
      }),
      latest.current.columns,
      element,
    )
    chart.current = plot
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [colourKey, onCursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: shading and axis follow the report
  useEffect(() => chart.current?.setData(columns), [columns, report])

  return { place, chart }
}
