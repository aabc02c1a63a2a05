import 'uplot/dist/uPlot.min.css'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { Zoom } from '../../data/zoom.ts'
import { useCursor, useCursorIndex } from './cursor.ts'
import { shade, useColours } from './look.ts'
import { CHART_SIZES, type ChartSize, type TimeModel } from './model.ts'
import { chartOptions } from './options.ts'
import { createPinch, type Pinch } from './pinch.ts'
import { zoomedBy, zoomOf } from './zooming.ts'

const ZOOM_KEYS: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2 }

/**
 * Lines over time, with outages, warnings, pauses and maintenance behind them. The pointer, two fingers and keys go from
 * point to point and zoom; screen readers hear each point in words.
 */
export function TimeChart({
  model,
  size,
  label,
  sayPoint,
  rest,
  asked,
  maxSeconds,
  sync,
  className = '',
  onZoom,
  children,
}: {
  model: TimeModel
  size: ChartSize
  label: string
  /** A point in one sentence, for screen readers. */
  sayPoint: (index: number) => string
  /** The point that is read while none is pointed at. */
  rest: number
  /** The stretch that was asked for last: its points may be still to come. */
  asked: Zoom
  /** The longest stretch that can be shown. */
  maxSeconds: number
  /** Charts of one name have their cursors at the same time. */
  sync?: string
  className?: string
  onZoom: (zoom: Zoom) => void
  children?: ReactNode
}) {
  const { place, chart } = usePlot({ model, size, sync, maxSeconds, onZoom })
  const cursor = useCursor()
  const pointed = useCursorIndex()
  const [times] = model.columns
  const last = times.length - 1
  const index = Math.min(pointed ?? rest, last)

  function press(event: KeyboardEvent) {
    const factor = ZOOM_KEYS[event.key]
    if (factor !== undefined && !event.ctrlKey && !event.metaKey) return zoomWithKey(factor)
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
    if (steps === undefined || last < 0) return
    event.preventDefault()
    const to = Math.max(0, Math.min(last, index + (pointed === null ? Math.min(steps, 0) : steps)))
    const at = times[to]
    // The plot itself says so to whoever shares the cursor.
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at, 'x'), top: 0 })
  }

  /** Around the point that was gone to, or the middle. */
  function zoomWithKey(factor: number) {
    const gone = pointed === null ? undefined : times[index]
    const isThere = gone !== undefined && gone >= asked.from && gone <= asked.to
    const at = isThere ? gone : (asked.from + asked.to) / 2
    const zoom = zoomedBy(factor, asked, { at, ...limitsOf(maxSeconds) })
    if (zoom) onZoom(zoom)
  }

  return (
    // The plot itself follows the mouse; keys move from point to point, as on a slider.
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-keyshortcuts="+ -"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, index)}
      aria-valuetext={sayPoint(index)}
      onKeyDown={press}
      onBlur={() => cursor.set(null)}
      className={`relative ${className}`}
      style={{ height: CHART_SIZES[size].height }}
    >
      <div ref={place} className="absolute inset-0 overflow-hidden" />
      {children}
    </div>
  )
}

const limitsOf = (maxSeconds: number) => ({ now: Math.ceil(Date.now() / 1_000), maxSeconds })

type Plotted = Pick<Parameters<typeof TimeChart>[0], 'model' | 'size' | 'maxSeconds' | 'onZoom'> & {
  sync: string | undefined
}

/** Keeps a plot in its place: rebuilt with the theme and its lines, updated with the data, as wide as its place. */
function usePlot({ model, size, sync, maxSeconds, onZoom }: Plotted) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const pinched = useRef<Pinch>(null)
  const cursor = useCursor()
  const colours = useColours()
  const shape = JSON.stringify([Object.values(colours), model.looks, model.isStacked, model.bands])
  const latest = useRef({ model, colours, maxSeconds, onZoom })
  latest.current = { model, colours, maxSeconds, onZoom }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape holds what a plot cannot be told later
  useEffect(() => {
    const element = place.current
    if (!element) return
    const pinch = createPinch(
      () => limitsOf(latest.current.maxSeconds),
      (zoom) => latest.current.onZoom(zoom),
    )
    pinched.current = pinch
    const plot = new uPlot(
      chartOptions({
        width: element.clientWidth,
        size,
        model: latest.current.model,
        axis: () => latest.current.model.axis,
        colours: latest.current.colours,
        sync,
        range: () => pinch.shown ?? [latest.current.model.from, latest.current.model.to],
        shade: (shaded) => shade(shaded, latest.current.model.spans, latest.current.colours),
        onCursor({ cursor: { idx, left = -1 }, bbox, over }) {
          const offset = bbox.left / devicePixelRatio
          const isThere = idx !== null && idx !== undefined && left >= 0
          cursor.set(isThere ? { index: idx, left: left + offset, width: over.clientWidth + offset } : null)
        },
        onZoom: (from, to) => latest.current.onZoom(zoomOf(from, to)),
      }),
      latest.current.model.columns as uPlot.AlignedData,
      element,
    )
    chart.current = plot
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: CHART_SIZES[size].height }),
    )
    observer.observe(element)
    const stop = pinch.listen(plot)
    return () => {
      stop()
      observer.disconnect()
      plot.destroy()
    }
  }, [shape, cursor, size, sync])

  useEffect(() => {
    pinched.current?.forget()
    chart.current?.setData(model.columns as uPlot.AlignedData)
  }, [model])

  return { place, chart }
}
