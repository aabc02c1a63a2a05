import { GRID_MS, nextTickMs } from './schedule.ts'

/**
 * The regions that take turns: a monitor's tick number n is checked from `regions[(n + shift) mod count]`, before
 * `effectiveAtMs` from those of `before`. Ticks are numbered alike for all, so without a shift by its phase one region
 * would have every monitor for a whole interval, and nothing after that. Probers know turns before they count, so that
 * all agree on every tick.
 * `reserved` regions take turns for the monitors that they are open to, and for no others. A region is reserved before
 * it has a prober, and never while it has turns.
 */
export type Turns = {
  number: number
  before: string[]
  regions: string[]
  effectiveAtMs: number
  reserved?: string[] | undefined
}

/** Turns are announced this long before they count. A prober without news for as long checks nothing. */
export const TURN_NOTICE_MS = 3_500

/** The reserved regions that are open to a monitor. */
export type RegionAccess = { ownRegions?: readonly string[] }

/** How often and in which phase a monitor is checked (see `phaseMs`), and the reserved regions open to it. */
export type Rhythm = { intervalMs: number; phase: number } & RegionAccess

/** The turns while this is the only region. */
export function turnsOfOnly(region: string): Turns {
  return { number: 0, before: [region], regions: [region], effectiveAtMs: 0 }
}

export function regionsAt(turns: Turns, atMs: number): string[] {
  return atMs < turns.effectiveAtMs ? turns.before : turns.regions
}

/** The regions that check a monitor. */
export function regionsFor(turns: Turns, { ownRegions = [] }: RegionAccess, atMs: number): string[] {
  const regions = regionsAt(turns, atMs)
  const { reserved } = turns
  if (!reserved?.length) return regions
  return regions.filter((region) => !reserved.includes(region) || ownRegions.includes(region))
}

/** The region whose turn it is at a moment: that of the tick then, or of the last one before. */
export function regionAt(turns: Turns, rhythm: Rhythm, atMs: number): string | null {
  const { intervalMs, phase } = rhythm
  const regions = regionsFor(turns, rhythm, atMs)
  const tick = Math.floor((atMs - phase) / intervalMs) + Math.floor(phase / GRID_MS)
  return regions[((tick % regions.length) + regions.length) % regions.length] ?? null
}

/** The region that makes a requested check at once: the one whose turn it was then or, under newer turns, is now. */
export function regionToAnswer(turns: Turns, rhythm: Rhythm, askedAtMs: number, nowMs: number) {
  const isInEffect = turns.effectiveAtMs <= nowMs
  return regionAt(turns, rhythm, isInEffect ? Math.max(askedAtMs, turns.effectiveAtMs) : askedAtMs)
}

/** The newest tick of a region after one moment and up to another; null when there is none. */
export function missedTickMs(
  turns: Turns,
  region: string,
  rhythm: Rhythm,
  sinceMs: number,
  nowMs: number,
): number | null {
  const { intervalMs, phase } = rhythm
  const longest = Math.max(turns.before.length, turns.regions.length)
  let tickMs = nextTickMs(nowMs, intervalMs, phase) - intervalMs
  for (let back = 0; back < 2 * longest && tickMs > sinceMs; back++, tickMs -= intervalMs) {
    if (regionAt(turns, rhythm, tickMs) === region) return tickMs
  }
  return null
}

/** The number of regions that take turns for each monitor at least, now and under turns that are announced. */
export function leastRegions(
  { before, regions, effectiveAtMs, reserved = [] }: Turns,
  nowMs: number,
): number {
  const open = (all: string[]) => all.filter((region) => !reserved.includes(region)).length
  return Math.max(1, nowMs < effectiveAtMs ? Math.min(open(before), open(regions)) : open(regions))
}

/** Whether another region may check the same monitors now or soon. */
export function isShared(turns: Turns, region: string): boolean {
  return [...turns.before, ...turns.regions].some((other) => other !== region)
}

/**
 * The next turns for these living regions; null when the known ones will do. Changes come one after the other, each
 * announced; new turns count at once only when no region is left that goes by the old ones.
 */
export function nextTurns(turns: Turns | null, living: string[], nowMs: number): Turns | null {
  const regions = living.toSorted()
  if (regions.length === 0 || (turns && nowMs < turns.effectiveAtMs)) return null
  if (turns && turns.regions.join() === regions.join()) return null
  const isFollowed = turns?.regions.some((region) => regions.includes(region)) ?? false
  return {
    number: (turns?.number ?? 0) + 1,
    before: turns?.regions ?? regions,
    regions,
    effectiveAtMs: isFollowed ? nowMs + TURN_NOTICE_MS : nowMs,
  }
}
