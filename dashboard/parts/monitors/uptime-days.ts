import { formatDuration } from '../../../src/core/duration.ts'
import { t } from '../../language/language.ts'
import { sayShare } from '../figures.ts'

const DAY_SECONDS = 86_400
/** The height of a bar, in pixels. */
export const HEIGHT = 22
/** From one day to the next. */
export const WIDTH = 5
const BAR_WIDTH = 3.5
const PLANNED_WIDTH = 2
const GAP = 1
const RADIUS = 1
const NOTHING_HEIGHT = 3
/** However short it was, it shows, and leaves as much to the rest of the day. */
const MIN_PART_HEIGHT = 4

export type BarTone = 'unknown' | 'up' | 'degraded' | 'down' | 'maintenance'

/** The bars as one SVG path for each color that they have (SVG 2, section 9.3). */
export function barPaths(
  days: readonly (number | null)[],
  maintenance: readonly number[],
): { tone: BarTone; path: string }[] {
  const paths = new Map<BarTone, string>()
  const add = (tone: BarTone, path: string) => paths.set(tone, (paths.get(tone) ?? '') + path)
  for (const [index, share] of days.entries()) {
    const planned = plannedHeight(maintenance[index] ?? 0, share)
    const height = barHeight(share, planned)
    const x = index * WIDTH
    if (height > 0) add(toneOf(share), bar(x, HEIGHT - planned - height, BAR_WIDTH, height))
    if (planned > 0) {
      const inset = (BAR_WIDTH - PLANNED_WIDTH) / 2
      add('maintenance', bar(x + inset, HEIGHT - planned + GAP, PLANNED_WIDTH, planned - GAP))
    }
  }
  return [...paths].map(([tone, path]) => ({ tone, path }))
}

/** Which day is so many pixels from the left. */
export function dayAt(x: number, days: number): number {
  return Math.min(days - 1, Math.max(0, Math.floor(x / WIDTH)))
}

function bar(x: number, y: number, width: number, height: number): string {
  const across = width - 2 * RADIUS
  const down = round(height - 2 * RADIUS)
  const corner = (dx: number, dy: number) => `a${RADIUS},${RADIUS} 0 0 1 ${dx},${dy}`
  return `M${x + RADIUS},${round(y)}h${across}${corner(1, 1)}v${down}${corner(-1, 1)}h${-across}${corner(-1, -1)}v${-down}${corner(1, -1)}z`
}

/** Hundredths of a pixel keep the path short. */
function round(pixels: number): number {
  return Math.round(pixels * 100) / 100
}

function toneOf(share: number | null): BarTone {
  if (share === null) return 'unknown'
  if (share === 1) return 'up'
  return share >= 0.98 ? 'degraded' : 'down'
}

/** The planned part of a day; all of it if nothing else is known of it. */
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
  const planned = seconds > 0 && t('Maintenance {duration}', { duration: formatDuration(seconds) })
  if (share === null) return planned || t('no data')
  return [sayShare(share), planned].filter(Boolean).join(', ')
}

export function sayDays(days: readonly (number | null)[], maintenance: readonly number[]): string {
  const worst = days.reduce<number | null>(
    (least, share) => (share === null ? least : Math.min(least ?? 1, share)),
    null,
  )
  const planned = maintenance.reduce((sum, seconds) => sum + seconds, 0)
  const said =
    worst === null
      ? t('Uptime of the last {count} days: no data', { count: days.length })
      : t('Uptime of the last {count} days, lowest {share}', { count: days.length, share: sayShare(worst) })
  return [said, planned > 0 && t('maintenance {duration}', { duration: formatDuration(planned) })]
    .filter(Boolean)
    .join('; ')
}
