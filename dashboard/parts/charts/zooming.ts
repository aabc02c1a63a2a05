import { MIN_ZOOM_SECONDS, type Zoom } from '../../data/zoom.ts'

/** The stretch that was drawn with the pointer, made as long as the shortest. Times are in seconds. */
export function zoomOf(left: number, right: number): Zoom {
  const lack = Math.max(0, MIN_ZOOM_SECONDS - (right - left))
  return { from: Math.floor(left - lack / 2), to: Math.ceil(right + lack / 2) }
}

/**
 * The part that is so many times as long as the shown one, with `at` where it was. It neither ends later than `now`, nor is
 * it longer than `maxSeconds`: null where nothing is left to change.
 */
export function zoomedBy(
  times: number,
  shown: Zoom,
  { at, now, maxSeconds }: { at: number; now: number; maxSeconds: number },
): Zoom | null {
  const length = shown.to - shown.from
  const wanted = Math.min(maxSeconds, Math.max(MIN_ZOOM_SECONDS, length * times))
  if (Math.abs(wanted - length) < 1) return null
  const from = at - ((at - shown.from) / length) * wanted
  const to = Math.min(now, from + wanted)
  return { from: Math.floor(to - wanted), to: Math.ceil(to) }
}

/**
 * The part in which two moments are under two fingers, which are `at` so many pixels from the left of a plot. Null where
 * the fingers meet. It neither ends later than `now`, nor is it longer than `maxSeconds`.
 */
export function pinchedTo(
  held: readonly [number, number],
  { at, width }: { at: readonly [number, number]; width: number },
  { now, maxSeconds }: { now: number; maxSeconds: number },
): Zoom | null {
  const perPixel = (held[1] - held[0]) / (at[1] - at[0])
  if (!Number.isFinite(perPixel) || perPixel <= 0) return null
  const length = Math.min(maxSeconds, Math.max(MIN_ZOOM_SECONDS, width * perPixel))
  const middle = (held[0] + held[1]) / 2
  const share = (at[0] + at[1]) / 2 / width
  const to = Math.min(now, middle + (1 - share) * length)
  return { from: Math.floor(to - length), to: Math.ceil(to) }
}
