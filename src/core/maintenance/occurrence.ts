import { startsBetween } from './wall-clock.ts'
import type { OneOffWindow, RecurringWindow, SwitchWindow } from './window.ts'

/** From its start to before its end. */
export type Occurrence = { startsAt: Date; endsAt: Date }

/** The part of a window that says when it applies. A parsed window has it, and so has a stored one. */
export type WindowTimes = (
  | Pick<OneOffWindow, 'kind' | 'starts_at' | 'ends_at'>
  | Pick<RecurringWindow, 'kind' | 'local_start' | 'time_zone' | 'duration_minutes' | 'rule' | 'exceptions'>
  | Pick<SwitchWindow, 'kind'>
) & {
  /** When it was created or last changed: its plan does not count for the time before. */
  since?: Date
  /**
   * Occurrences as they were kept: every turn of a switch, and what began or was ended early, prolonged or called off
   * of others. One that starts when the plan has one stands in its place; one that ends at its start is called off.
   */
  kept?: readonly Occurrence[]
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** More than a zone can be off UTC, and more than the day that a zone can skip. */
const ZONE_MARGIN_MS = 2 * DAY_MS
/** How far ahead a window must have an occurrence, and how far one is looked for. */
export const MAX_YEARS_AHEAD = 5
export const MAX_AHEAD_MS = MAX_YEARS_AHEAD * 366 * DAY_MS
/** Most windows have enough occurrences in the first of these spans. */
const SEARCH_SPANS_MS = [8 * DAY_MS, 64 * DAY_MS, 512 * DAY_MS, MAX_AHEAD_MS]

/**
 * The occurrences of which any part is in [from, to), whole and in order. They never overlap: one that a clock change
 * or a prolonging carries into the next ends where that begins, and that one ends when the last of both does.
 */
export function occurrencesBetween(window: WindowTimes, from: Date, to: Date): Occurrence[] {
  const fromMs = from.getTime()
  const toMs = to.getTime()
  if (toMs - fromMs > 2 * MAX_AHEAD_MS)
    throw new RangeError(`asked for more than ${2 * MAX_YEARS_AHEAD} years`)
  return occurrencesAround(window, fromMs, toMs).filter(
    ({ startsAt, endsAt }) => startsAt.getTime() < toMs && endsAt.getTime() > fromMs,
  )
}

/** The occurrence that an instant is in. */
export function windowAt(window: WindowTimes, instant: Date): Occurrence | null {
  return occurrencesBetween(window, instant, new Date(instant.getTime() + 1))[0] ?? null
}

/** The occurrence that an instant is in, and the first one that begins after it: both in one look at the rule. */
export function windowAround(
  window: WindowTimes,
  instant: Date,
): { current: Occurrence | null; next: Occurrence | null } {
  const around = occurrencesFrom(window, instant, 1)
  const current = around.find(({ startsAt, endsAt }) => startsAt <= instant && endsAt > instant) ?? null
  return { current, next: around.find(({ startsAt }) => startsAt > instant) ?? null }
}

/** The first `n` occurrences that begin after an instant, looked for over five years. */
export function nextOccurrences(window: WindowTimes, after: Date, n: number): Occurrence[] {
  return occurrencesFrom(window, after, n)
    .filter(({ startsAt }) => startsAt > after)
    .slice(0, n)
}

/** The one that an instant is in, and at least `n` that begin after it, where five years have so many. */
function occurrencesFrom(window: WindowTimes, instant: Date, n: number): Occurrence[] {
  let found: Occurrence[] = []
  // Only a rule takes longer for a longer span.
  for (const spanMs of window.kind === 'recurring' ? SEARCH_SPANS_MS : [MAX_AHEAD_MS]) {
    found = occurrencesBetween(window, instant, new Date(instant.getTime() + spanMs))
    if (found.filter(({ startsAt }) => startsAt > instant).length >= n) break
  }
  return found
}

/**
 * The planned occurrences of a window, each with its exact length, so that they may overlap. All that begin in [fromMs,
 * toMs) are there, and a few around.
 */
export function plannedBetween(window: WindowTimes, fromMs: number, toMs: number): Occurrence[] {
  switch (window.kind) {
    case 'one_off':
      return [{ startsAt: window.starts_at, endsAt: window.ends_at }]
    case 'recurring': {
      const lengthMs = window.duration_minutes * MINUTE_MS
      return startsBetween(window, fromMs - ZONE_MARGIN_MS, toMs + ZONE_MARGIN_MS).map((startMs) => ({
        startsAt: new Date(startMs),
        endsAt: new Date(startMs + lengthMs),
      }))
    }
    case 'switch':
      return []
  }
}

/** The occurrences that an instant is in, each with its exact length, so that there can be several; oldest first. */
export function uncutAt(window: WindowTimes, instant: Date): Occurrence[] {
  const atMs = instant.getTime()
  return uncutAround(window, atMs, atMs + 1)
    .filter(({ startsAt, endsAt }) => startsAt <= instant && endsAt > instant)
    .sort(byStart)
}

/** All that touch [fromMs, toMs), and neighbors that decide where they end. */
function occurrencesAround(window: WindowTimes, fromMs: number, toMs: number): Occurrence[] {
  return apart(uncutAround(window, fromMs, toMs))
}

function uncutAround(window: WindowTimes, fromMs: number, toMs: number): Occurrence[] {
  const kept = new Map((window.kept ?? []).map((occurrence) => [occurrence.startsAt.getTime(), occurrence]))
  let reachMs = window.kind === 'recurring' ? window.duration_minutes * MINUTE_MS : 0
  for (const { startsAt, endsAt } of kept.values())
    reachMs = Math.max(reachMs, endsAt.getTime() - startsAt.getTime())
  const planned = plannedBetween(window, fromMs - reachMs, toMs + reachMs).flatMap((occurrence) =>
    countedSince(occurrence, window.since),
  )
  const rest = planned.filter(({ startsAt }) => !kept.has(startsAt.getTime()))
  return [...kept.values(), ...rest]
}

function countedSince(occurrence: Occurrence, since: Date | undefined): Occurrence[] {
  if (!since || occurrence.startsAt >= since) return [occurrence]
  return occurrence.endsAt > since ? [{ startsAt: since, endsAt: occurrence.endsAt }] : []
}

/** In order, without those that last no time, each ending where the next begins at the latest. */
function apart(occurrences: Occurrence[]): Occurrence[] {
  const sorted = occurrences.filter(({ startsAt, endsAt }) => endsAt > startsAt).sort(byStart)
  const separate: Occurrence[] = []
  for (const { startsAt, endsAt } of sorted) {
    const last = separate.at(-1)
    if (!last || last.endsAt <= startsAt) {
      separate.push({ startsAt, endsAt })
      continue
    }
    const end = last.endsAt > endsAt ? last.endsAt : endsAt
    if (last.startsAt.getTime() === startsAt.getTime()) separate.pop()
    else last.endsAt = startsAt
    separate.push({ startsAt, endsAt: end })
  }
  return separate
}

function byStart(one: Occurrence, other: Occurrence): number {
  return one.startsAt.getTime() - other.startsAt.getTime()
}
