import type { Sample } from './series.ts'
import { MAX_FILE_SYSTEMS, mountsOf, seriesKey } from './series.ts'

/**
 * How full each file system was in the last hours. `at`: the number of its ten minutes since 1970, of the newest points.
 */
export type Trends = { at: number; mounts: Record<string, Trend> }

export type Trend = {
  /** Tenths of a percent at the start of each ten minutes: two digits of base 36, or `--` where no report came. */
  points: string
  /** Percent an hour; 0 where it does not rise all the time, null where too little is known. */
  rise: number | null
  /** Levels that it came down from, newest last. */
  falls?: number[]
  /** The way that it goes, and the highest or lowest level since. */
  turn?: [direction: 'up' | 'down', extreme: number]
}

const HOUR_MS = 3_600_000
const MAX_HOURS_AHEAD = 7 * 24
const POINT_MS = 10 * 60_000
const POINTS_AN_HOUR = 6
const POINT_LENGTH = 2
const NO_POINT = '--'
const MAX_POINTS = 6 * POINTS_AN_HOUR
/** From fewer points nothing is said. */
const MIN_POINTS = 4 * POINTS_AN_HOUR
/** Points of which the middle one is taken, so that a moment does not count. */
const POINTS_OF_MEDIAN = 3

/** Going down by less is no fall, in tenths of a percent. */
const MIN_FALL = 50
const MAX_FALLS = 8
/** A level that it came down from so often is one that it comes down from. */
const FALLS_OF_HABIT = 2
/** A level so much above earlier ones is another one, in tenths of a percent. */
const BEYOND_HABIT = 20

const QUARTERS = 4
/** A quarter must bring this share of the mean rise of a quarter at least, and that share of the whole rise at most. */
const MIN_OF_MEAN = 0.25
const MAX_OF_WHOLE = 0.65
/** A fill that becomes faster is taken to be so much faster at most, since noise looks like that, too. */
const MAX_QUICKENING = 1.25
/** A file system with more room than that is not about to be full, however fast it fills up. */
const MIN_USED_PERCENT = 60

/** Adds the levels of a report, but for file systems that have theirs for these ten minutes. */
export function withReport(trends: Trends | null, sample: Sample, at: Date): Trends | null {
  const now = Math.floor(at.getTime() / POINT_MS)
  if (trends !== null && now < trends.at) return trends
  const missed = trends === null ? 0 : now - trends.at
  const levels = new Map<string, number>()
  for (const mount of mountsOf(sample)) {
    const percent = sample[seriesKey('file_system_used_percent', mount)]
    const isNew = missed > 0 || (trendOf(trends, mount)?.points ?? NO_POINT).endsWith(NO_POINT)
    if (isNew && percent !== undefined && percent >= 0 && percent <= 100)
      levels.set(mount, Math.round(percent * 10))
  }
  if (levels.size === 0) return trends

  const mounts = new Map<string, Trend>()
  for (const mount of new Set([...levels.keys(), ...Object.keys(trends?.mounts ?? {})])) {
    const before = trendOf(trends, mount)
    const level = levels.get(mount)
    if (missed === 0 && before && level === undefined) {
      mounts.set(mount, before)
      continue
    }
    const room = before ? before.points + NO_POINT.repeat(Math.min(missed, MAX_POINTS)) : NO_POINT
    const point = level === undefined ? NO_POINT : level.toString(36).padStart(POINT_LENGTH, '0')
    const points = (room.slice(0, -POINT_LENGTH) + point).slice(-MAX_POINTS * POINT_LENGTH)
    const known = knownPoints(points)
    if (known.length === 0) continue
    mounts.set(mount, {
      ...(level === undefined ? before : turned(before, level)),
      points,
      rise: riseOf(known),
    })
  }
  return { at: now, mounts: Object.fromEntries([...mounts].slice(0, MAX_FILE_SYSTEMS)) }
}

/** Own members only: mount points may have any name. */
function trendOf(trends: Trends | null, mount: string): Trend | undefined {
  return trends !== null && Object.hasOwn(trends.mounts, mount) ? trends.mounts[mount] : undefined
}

/**
 * Hours until a file system is full, if it goes on filling up as in its last hours. Infinity where it does not fill up, or
 * comes down from such levels again and again, as with backups and logs. Null where too little is known.
 */
export function hoursUntilFull(
  trends: Trends | null,
  mount: string,
  usedPercent: number | undefined,
): number | null {
  const trend = trendOf(trends, mount)
  if (trend === undefined || usedPercent === undefined) return null
  if (usedPercent >= 100) return 0
  if (usedPercent <= MIN_USED_PERCENT) return Number.POSITIVE_INFINITY
  if (trend.rise === null) return null
  if (trend.rise <= 0) return Number.POSITIVE_INFINITY
  const higher = (trend.falls ?? []).filter((level) => level > usedPercent * 10 - BEYOND_HABIT)
  return higher.length >= FALLS_OF_HABIT ? Number.POSITIVE_INFINITY : (100 - usedPercent) / trend.rise
}

type Point = { at: number; level: number }

function knownPoints(points: string): Point[] {
  const known: Point[] = []
  for (let start = 0; start < points.length; start += POINT_LENGTH) {
    const level = Number.parseInt(points.slice(start, start + POINT_LENGTH), 36)
    if (!Number.isNaN(level)) known.push({ at: start / POINT_LENGTH, level })
  }
  return known
}

/** When each file system is full, by its trend at the time of a report; null for later than in a week, and if not known. */
export function fullTimes(trends: Trends | null, sample: Sample, reportedAt: Date) {
  return [...mountsOf(sample)].map((mount) => {
    const hours = hoursUntilFull(trends, mount, sample[seriesKey('file_system_used_percent', mount)])
    const isSoon = hours !== null && hours <= MAX_HOURS_AHEAD
    return { mount, at: isSoon ? new Date(reportedAt.getTime() + hours * HOUR_MS) : null }
  })
}

/** Notes where the level goes, and from where it came down. */
function turned({ falls, turn }: Pick<Trend, 'falls' | 'turn'> = {}, level: number) {
  const [direction, extreme] = turn ?? ['up', level]
  const kept = falls && { falls }
  if (direction === 'up' && level <= extreme - MIN_FALL) {
    return {
      falls: [...(falls ?? []), extreme].slice(-MAX_FALLS),
      turn: ['down', level] satisfies Trend['turn'],
    }
  }
  const isUp = direction === 'up' || level >= extreme + MIN_FALL
  const next: Trend['turn'] = isUp ? ['up', Math.max(extreme, level)] : ['down', Math.min(extreme, level)]
  return { ...kept, turn: next }
}

/**
 * The slope is that of Theil and Sen, which some wrong points do not change. A rise in each quarter of the time tells a fill from
 * a copy, a backup or an update.
 */
function riseOf(known: Point[]): number | null {
  if (known.length < MIN_POINTS) return null
  const smooth = parts(known, Math.floor(known.length / POINTS_OF_MEDIAN)).map((part) => ({
    at: median(part.map(({ at }) => at)),
    level: median(part.map(({ level }) => level)),
  }))
  const quarters = parts(smooth, QUARTERS).map((part) => median(part.map(({ level }) => level)))
  const rises = quarters.slice(1).map((level, index) => level - (quarters[index] ?? level))
  const whole = rises.reduce((sum, rise) => sum + rise, 0)
  const least = (MIN_OF_MEAN * whole) / rises.length
  if (whole <= 0 || rises.some((rise) => rise < least || rise > MAX_OF_WHOLE * whole)) return 0

  const slopes = smooth.flatMap((from, index) =>
    smooth.slice(index + 1).map((to) => (to.level - from.level) / (to.at - from.at)),
  )
  const rise = (median(slopes) / 10) * POINTS_AN_HOUR * quickeningOf(rises, whole)
  return Math.round(rise * 1_000) / 1_000
}

/**
 * How much faster it will rise in the next hours than it did on average. The mean stands for the middle of the time, two
 * quarters ago; one more is added for what is to come.
 */
function quickeningOf([first = 0, second = 0, third = 0]: number[], whole: number): number {
  if (!(first < second && second < third)) return 1
  const aQuarter = (third - first) / 2
  return Math.min(1 + (3 * aQuarter) / (whole / 3), MAX_QUICKENING)
}

/** Cuts a list into so many parts of about the same length. */
function parts<Item>(items: Item[], count: number): Item[][] {
  const length = items.length / count
  return Array.from({ length: count }, (_, index) =>
    items.slice(Math.round(index * length), Math.round((index + 1) * length)),
  )
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
