import type uPlot from 'uplot'
import type { Zoom } from '../../data/zoom.ts'
import { pinchedTo } from './zooming.ts'

type Limits = Parameters<typeof pinchedTo>[2]

/** Zooms a plot with two fingers; one scrolls the page, as everywhere. */
export type Pinch = {
  /** The time that the x axis shows instead of its data's: from the first move until the fingers left and other data came. */
  readonly shown: [number, number] | null
  /** Returns what stops it. */
  listen(plot: uPlot): () => void
  /** Other data came. */
  forget(): void
}

/** `onZoom` gets the part that is shown when the fingers leave. */
export function createPinch(limits: () => Limits, onZoom: (zoom: Zoom) => void): Pinch {
  let shown: Zoom | null = null
  /** The moments that the fingers are on. */
  let held: [number, number] | null = null

  function listen(plot: uPlot): () => void {
    const { over } = plot
    const placesOf = ({ targetTouches: [one, other] }: TouchEvent): [number, number] | null => {
      const { left } = over.getBoundingClientRect()
      return one && other ? [one.clientX - left, other.clientX - left] : null
    }

    function start(event: TouchEvent) {
      const places = placesOf(event)
      held = places && [plot.posToVal(places[0], 'x'), plot.posToVal(places[1], 'x')]
    }

    function move(event: TouchEvent) {
      const at = placesOf(event)
      if (!held || !at) return
      if (event.cancelable) event.preventDefault()
      const zoom = pinchedTo(held, { at, width: over.clientWidth }, limits())
      if (!zoom) return
      shown = zoom
      plot.setScale('x', { min: zoom.from, max: zoom.to })
    }

    function end({ targetTouches }: TouchEvent) {
      if (targetTouches.length > 1 || !held) return
      held = null
      if (shown) onZoom(shown)
    }

    // Two fingers would zoom the page otherwise.
    over.style.touchAction = 'pan-x pan-y'
    over.addEventListener('touchstart', start, { passive: true })
    over.addEventListener('touchmove', move, { passive: false })
    over.addEventListener('touchend', end)
    over.addEventListener('touchcancel', end)
    return () => {
      over.removeEventListener('touchstart', start)
      over.removeEventListener('touchmove', move)
      over.removeEventListener('touchend', end)
      over.removeEventListener('touchcancel', end)
    }
  }

  return {
    get shown(): Pinch['shown'] {
      return shown && [shown.from, shown.to]
    },
    listen,
    forget() {
      if (!held) shown = null
    },
  }
}
