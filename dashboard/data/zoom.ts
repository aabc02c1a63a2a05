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

/**
 * The stretch of a chart that begins no earlier than its record, so that a new one does not start with emptiness, and that is
 * no shorter than a zoom.
 */
export function zoomSince({ from, to }: Zoom, createdAt: string): Zoom {
  const since = Math.floor(Date.parse(createdAt) / 1_000)
  return { from: Math.max(from, Math.min(since, to - MIN_ZOOM_SECONDS)), to }
}

const MINUTE = 60
/** Seconds before and after an incident that show what was usual. */
const LEAST_AROUND = 30 * MINUTE

/**
 * The stretch of a chart around an incident that goes on while `end` is null: with half as much again before and after it,
 * no longer than `maxSeconds`. Its ends are whole minutes, so that it is the same question for a while.
 */
export function zoomAround(
  { start, end }: { start: string; end: string | null },
  nowMs: number,
  maxSeconds: number,
): Zoom {
  const [from, to] = [Date.parse(start) / 1_000, (end === null ? nowMs : Date.parse(end)) / 1_000]
  const around = Math.max(LEAST_AROUND, (to - from) / 2)
  const last = Math.ceil(Math.min(to + around, nowMs / 1_000) / MINUTE) * MINUTE
  const first = Math.floor((from - around) / MINUTE) * MINUTE
  return { from: Math.max(first, last - maxSeconds), to: last }
}

export function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}
