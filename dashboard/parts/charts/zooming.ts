import { MIN_ZOOM_SECONDS, type Zoom } from './zoom.ts'

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
