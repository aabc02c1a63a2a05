import { formatDuration } from '../../../src/core/duration.ts'
import { sayShare } from '../figures.ts'

const DAY_SECONDS = 86_400
/** Of a bar, in pixels. */
export const HEIGHT = 22
const NOTHING_HEIGHT = 3
/** However short it was, it shows, and leaves as much to the rest of the day. */
const MIN_PART_HEIGHT = 4

/** Of a day; all of it if nothing else is known of it. */
export function plannedHeight(seconds: number, share: number | null): number {
  if (seconds === 0) return 0
  const part = Math.max(MIN_PART_HEIGHT, (HEIGHT * seconds) / DAY_SECONDS)
  return share === null ? part : Math.min(HEIGHT - MIN_PART_HEIGHT, part)
}

export function barHeight(share: number | null, planned: number): number {
  if (share === null) return planned > 0 ? 0 : NOTHING_HEIGHT
  const left = HEIGHT - planned
  return share >= 0.999 ? left : Math.max(MIN_PART_HEIGHT, left * share * 0.7)
}

export function sayDay(share: number | null, seconds: number): string {
  const planned = seconds > 0 && `Maintenance ${formatDuration(seconds)}`
  if (share === null) return planned || 'no time was judged'
  return [sayShare(share), planned].filter(Boolean).join(', ')
}

export function sayDays(days: readonly (number | null)[], maintenance: readonly number[]): string {
  const worst = days.reduce<number | null>(
    (least, share) => (share === null ? least : Math.min(least ?? 1, share)),
    null,
  )
  const planned = maintenance.reduce((sum, seconds) => sum + seconds, 0)
  const said = worst === null ? ': no time was judged' : `, lowest ${sayShare(worst)}`
  return `Uptime of the last ${days.length} days${said}${planned > 0 ? `; maintenance ${formatDuration(planned)}` : ''}`
}
