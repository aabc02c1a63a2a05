import type { Sample } from './series.ts'
import { MAX_FILE_SYSTEMS, seriesKey } from './series.ts'
import { mountsOf } from './threshold-value.ts'

/**
 * How full each file system was in the last hours: a point every ten minutes, in tenths of a percent, null where no report
 * came. `at` is the number of ten minutes since 1970 of the newest points.
 */
export type Trends = { at: number; mounts: Record<string, Trend> }

/**
 * `falls`: levels that the file system came down from, newest last. `turn`: which way it goes, and the highest or lowest
 * level since.
 */
export type Trend = {
  points: (number | null)[]
  falls?: number[]
  turn?: [direction: 'up' | 'down', extreme: number]
}

const POINT_MS = 10 * 60_000
const HOUR_MS = 3_600_000
/** Six hours. */
const MAX_POINTS = 36
/** Four hours: from fewer points nothing is said. */
const MIN_POINTS = 24
/** The time in which a fall has to be undone before it counts, in tenths of a percent. */
const FALL = 50
const MAX_FALLS = 8
/** A level that it came down from so often is no news. */
const FALLS_OF_A_HABIT = 2
/** A level so much above earlier ones is news, in tenths of a percent. */
const ABOVE_HABIT = 20
const QUARTERS = 4
/** A quarter of the time must bring at least this share of a quarter of the rise, and at most that share of all. */
const MIN_OF_MEAN = 0.25
const MAX_OF_ALL = 0.65
/** Below, a disk that fills fast has room for long enough. */
const MIN_USED_PERCENT = 60

/** Adds what a report says; a report of ten minutes that have a point already changes nothing. */
export function withReport(trends: Trends | null, sample: Sample, at: Date): Trends | null {
  const now = Math.floor(at.getTime() / POINT_MS)
  const missed = trends === null ? 0 : now - trends.at
  const used = new Map<string, number>()
  for (const mount of [...mountsOf(sample)].slice(0, MAX_FILE_SYSTEMS)) {
    const percent = sample[seriesKey('file_system_used_percent', mount)]
    if (percent !== undefined && percent >= 0 && percent <= 100) used.set(mount, Math.round(percent * 10))
  }
  if (trends !== null && missed <= 0) return trends
  if (used.size === 0) return trends
  const mounts: Trends['mounts'] = {}
  for (const mount of new Set([...Object.keys(trends?.mounts ?? {}), ...used.keys()])) {
    const before = trends?.mounts[mount] ?? { points: [] }
    const level = used.get(mount) ?? null
    const gap = before.points.length > 0 ? Array<null>(Math.min(missed - 1, MAX_POINTS)).fill(null) : []
    const points = [...before.points, ...gap, level].slice(-MAX_POINTS)
    if (points.every((point) => point === null)) continue
    mounts[mount] = { ...(level === null ? before : withTurn(before, level)), points }
  }
  return { at: now, mounts }
}

function withTurn(trend: Trend, level: number): Trend {
  const [direction, extreme] = trend.turn ?? ['up', level]
  if (direction === 'up') {
    if (level > extreme - FALL) return { ...trend, turn: ['up', Math.max(extreme, level)] }
    return { ...trend, falls: [...(trend.falls ?? []), extreme].slice(-MAX_FALLS), turn: ['down', level] }
  }
  return { ...trend, turn: level < extreme + FALL ? ['down', Math.min(extreme, level)] : ['up', level] }
}

/**
 * Hours until a file system is full, if it goes on filling as in its last hours; Infinity where it is not filling up,
 * fills by steps that may be the last, or has come down from here before. Null where too little is known.
 */
export function hoursUntilFull(
  trends: Trends | null,
  mount: string,
  usedPercent: number | undefined,
): number | null {
  const trend = trends?.mounts[mount]
  if (trend === undefined || usedPercent === undefined) return null
  if (usedPercent >= 100) return 0
  const perHour = risePerHour(trend.points)
  if (perHour === null) return null
  if (perHour <= 0 || usedPercent <= MIN_USED_PERCENT) return Number.POSITIVE_INFINITY
  const known = (trend.falls ?? []).filter((level) => level > usedPercent * 10 - ABOVE_HABIT)
  if (known.length >= FALLS_OF_A_HABIT) return Number.POSITIVE_INFINITY
  return (100 - usedPercent) / perHour
}

/** In percent; 0 where it does not rise all the time. */
function risePerHour(points: Trend['points']): number | null {
  const known = points.flatMap((level, index) => (level === null ? [] : [{ index, level }]))
  if (known.length < MIN_POINTS) return null
  const quarter = known.length / QUARTERS
  const levels = Array.from({ length: QUARTERS }, (_, index) =>
    median(
      known.slice(Math.round(index * quarter), Math.round((index + 1) * quarter)).map(({ level }) => level),
    ),
  )
  const rises = levels.slice(1).map((level, index) => level - (levels[index] as number))
  const all = rises.reduce((sum, rise) => sum + rise, 0)
  const least = (MIN_OF_MEAN * all) / rises.length
  if (all <= 0 || rises.some((rise) => rise < least || rise > MAX_OF_ALL * all)) return 0
  const slopes: number[] = []
  known.forEach((from, index) => {
    for (const to of known.slice(index + 1)) slopes.push((to.level - from.level) / (to.index - from.index))
  })
  return (median(slopes) / 10) * (HOUR_MS / POINT_MS)
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}
