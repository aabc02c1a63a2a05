/** A part of a chart's time, in seconds since 1970. */
export type Zoom = { from: number; to: number }

/** A part of the charts is no shorter. */
export const MIN_ZOOM_SECONDS = 300
const MAX_SECOND = 9_999_999_999

/** The part that an address names by both of its ends; null without, or where they are none. */
export function readZoom(from: unknown, to: unknown): Zoom | null {
  const isZoom = isWithin(from, 0, MAX_SECOND) && isWithin(to, from + MIN_ZOOM_SECONDS, MAX_SECOND)
  return isZoom ? { from, to } : null
}

export function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}
