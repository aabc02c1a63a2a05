import { t } from '../../../language/language.ts'
import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { MAX_STRETCH_DAYS } from '../../../../src/core/history/report-stretch.ts'
import { shade, useColours } from '../../../parts/charts/look.ts'
import { createPinch, type Pinch } from '../../../parts/charts/pinch.ts'
import { secondsOf } from '../../../parts/charts/rows.ts'
import type { Zoom } from '../../../parts/charts/zoom.ts'
import { zoomedBy, zoomOf } from '../../../parts/charts/zooming.ts'
import type { Report } from '../monitor-data.ts'
import { chartOptions } from './chart-axes.ts'
import type { ChartModel } from './chart-model.ts'
import { PLOT_HEIGHT } from './chart-place.ts'
import { spansOf } from './chart-rows.ts'
import { ChartTip, sayRow } from './chart-tip.tsx'

type Cursor = { index: number; left: number; width: number }

const ZOOM_KEYS: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2 }
const MAX_SECONDS = MAX_STRETCH_DAYS * 86_400

/** Response times over time, with outages, warnings, pauses and maintenance behind them. */
export default function MonitorChart({
  report,
  model,
  asked,
  onZoom,
}: {
  report: Report
  model: ChartModel
  /** The stretch that was asked for last: its report may be still to come. */
  asked: Zoom
  onZoom: (zoom: Zoom) => void
}) {
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const { place, chart } = usePlot(report, model, setCursor, onZoom)
  const last = model.points.length - 1
  const index = cursor ? Math.min(cursor.index, last) : last

  function press(event: KeyboardEvent) {
    const times = ZOOM_KEYS[event.key]
    if (times !== undefined && !event.ctrlKey && !event.metaKey) return zoomWithKey(times)
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
    if (steps === undefined || last < 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(last, index + (cursor ? steps : Math.min(steps, 0))))
    const at = model.columns[0][to]
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at, 'x'), top: 0 })
  }

  /** Around the point that was gone to, or the middle. */
  function zoomWithKey(times: number) {
    const pointed = cursor && model.columns[0][index]
    const isThere = pointed && pointed >= asked.from && pointed <= asked.to
    const at = isThere ? pointed : (asked.from + asked.to) / 2
    const zoom = zoomedBy(times, asked, { at, now: Math.ceil(Date.now() / 1_000), maxSeconds: MAX_SECONDS })
    if (zoom) onZoom(zoom)
  }

  return (
    // The plot itself follows the mouse; keys move from point to point, as on a slider.
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('Response times, point by point')}
      aria-keyshortcuts="+ -"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, index)}
      aria-valuetext={sayRow(report, model, index)}
      onKeyDown={press}
      onBlur={() => setCursor(null)}
      className="absolute inset-0"
    >
      <div ref={place} className="absolute inset-0 overflow-hidden" />
      {last < 0 && (
        <p className="absolute inset-0 grid place-items-center text-soft">{t('No checks in this period.')}</p>
      )}
      {cursor && last >= 0 && (
        <ChartTip report={report} model={model} index={index} left={cursor.left} width={cursor.width} />
      )}
    </div>
  )
}

/** Keeps a plot in its place: rebuilt with the theme and its lines, updated with the data, as wide as its place. */
function usePlot(
  report: Report,
  model: ChartModel,
  onCursor: (cursor: Cursor | null) => void,
  onZoom: (zoom: Zoom) => void,
) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const pinched = useRef<Pinch>(null)
  const colours = useColours()
  const { columns, looks } = model
  const shape = JSON.stringify([Object.values(colours), looks])
  const latest = useRef({ report, columns, looks, colours, onZoom })
  latest.current = { report, columns, looks, colours, onZoom }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape holds what a plot cannot be told later
  useEffect(() => {
    const element = place.current
    if (!element) return
    const limits = () => ({ now: Math.ceil(Date.now() / 1_000), maxSeconds: MAX_SECONDS })
    const pinch = createPinch(limits, (zoom) => latest.current.onZoom(zoom))
    pinched.current = pinch
    const plot = new uPlot(
      chartOptions({
        width: element.clientWidth,
        looks: latest.current.looks,
        colours: latest.current.colours,
        range: () =>
          pinch.shown ?? [secondsOf(latest.current.report.from), secondsOf(latest.current.report.to)],
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
        onZoom: (from, to) => latest.current.onZoom(zoomOf(from, to)),
      }),
      latest.current.columns as uPlot.AlignedData,
      element,
    )
    chart.current = plot
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }),
    )
    observer.observe(element)
    const stop = pinch.listen(plot)
    return () => {
      stop()
      observer.disconnect()
      plot.destroy()
    }
  }, [shape, onCursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: shading and axis follow the report
  useEffect(() => {
    pinched.current?.forget()
    chart.current?.setData(columns as uPlot.AlignedData)
  }, [columns, report])

  return { place, chart }
}
