import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { t } from '../../../language/language.ts'
import { shade, useColours } from '../../../parts/charts/look.ts'
import { createPinch, type Pinch } from '../../../parts/charts/pinch.ts'
import { columnsOf } from './columns.ts'
import { useCursor, useCursorIndex } from './cursor.ts'
import { Legend, latestIndex, sayRow, sayTime } from './legend.tsx'
import type { ChartModel } from './models.ts'
import { PLOT_HEIGHT, serverChartOptions } from './options.ts'
import type { Stretch } from './stretch.ts'
import { ChartTable } from './table.tsx'

/** One subject over time. The figures above it are those under the pointer, which all charts share, or the newest. */
export default function ServerChart({
  model,
  stretch,
  actions,
  onZoom,
}: {
  model: ChartModel
  stretch: Stretch
  actions?: ReactNode
  onZoom: (from: number, to: number) => void
}) {
  return (
    <section
      aria-label={t('{title} over time', { title: model.title })}
      className="min-w-0 rounded-lg border border-line bg-panel"
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-4 pt-2">
        <h3 className="font-semibold">{model.title}</h3>
        <span className="flex items-center gap-3">
          <Moment stretch={stretch} />
          {actions}
        </span>
      </div>
      <Legend model={model} />
      <Plot model={model} stretch={stretch} onZoom={onZoom} />
      <ChartTable model={model} stretch={stretch} />
    </section>
  )
}

function Moment({ stretch: { times, stepSeconds } }: { stretch: Stretch }) {
  const index = useCursorIndex()
  const at = index === null ? undefined : times[index]
  return <span className="text-sm text-soft">{at !== undefined && sayTime(at, stepSeconds)}</span>
}

function Plot({
  model,
  stretch,
  onZoom,
}: {
  model: ChartModel
  stretch: Stretch
  onZoom: (from: number, to: number) => void
}) {
  const { place, chart } = usePlot(model, stretch, onZoom)
  const cursor = useCursor()
  const index = useCursorIndex()
  const last = stretch.times.length - 1
  const shown = index ?? latestIndex(model)

  function step(event: KeyboardEvent) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
    if (steps === undefined || last < 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(last, shown + (index === null ? Math.min(steps, 0) : steps)))
    const at = stretch.times[to]
    // Told to the other charts, too.
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at, 'x'), top: 0 })
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('{title}, point by point', { title: model.title })}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, shown)}
      aria-valuetext={sayRow(model, stretch, shown)}
      onKeyDown={step}
      onBlur={() => cursor.set(null)}
      className="relative mx-1"
      style={{ height: PLOT_HEIGHT }}
    >
      <div ref={place} className="absolute inset-0 overflow-hidden" />
    </div>
  )
}

/** Keeps a plot in its place: rebuilt with the theme and its lines, updated with the data, as wide as its place. */
function usePlot(model: ChartModel, stretch: Stretch, onZoom: (from: number, to: number) => void) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const pinched = useRef<Pinch>(null)
  const cursor = useCursor()
  const colours = useColours()
  const columns = useMemo(() => columnsOf(model, stretch.times), [model, stretch.times])
  const shape = JSON.stringify([
    Object.values(colours),
    model.lines.map(({ label }) => label),
    [model.unit, model.top, model.isStacked],
    columns.bands,
  ])
  const latest = useRef({ model, stretch, columns, colours, onZoom })
  latest.current = { model, stretch, columns, colours, onZoom }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape holds what a plot cannot be told later
  useEffect(() => {
    const element = place.current
    if (!element) return
    const now = latest.current
    const pinch = createPinch(
      () => {
        const { from, to } = latest.current.stretch
        return { now: to, maxSeconds: to - from }
      },
      ({ from, to }) => latest.current.onZoom(from, to),
    )
    pinched.current = pinch
    const plot = new uPlot(
      serverChartOptions({
        width: element.clientWidth,
        model: now.model,
        bands: now.columns.bands,
        colours: now.colours,
        range: () => pinch.shown ?? [latest.current.stretch.from, latest.current.stretch.to],
        shade: (shaded) => shade(shaded, latest.current.stretch.spans, latest.current.colours),
        onCursor: cursor.set,
        onZoom: (from, to) => latest.current.onZoom(from, to),
      }),
      now.columns.data,
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
  }, [shape, cursor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: shading and axis follow the stretch
  useEffect(() => {
    pinched.current?.forget()
    chart.current?.setData(columns.data)
  }, [columns, stretch])

  return { place, chart }
}
