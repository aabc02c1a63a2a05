import { timesOf, unknownZoneOf } from './kept-window.ts'
import { type Occurrence, occurrencesBetween, type WindowTimes } from './occurrence.ts'
import type { KeptOccurrence, WindowRecord } from './window-record.ts'

/** An occurrence that a change of its window moved is looked for so far around its former start. */
export const MAX_MOVED_MS = 12 * 3_600_000

/** `occurrenceAt`: what it is found by from now on. Null where it will not take place. */
export type FollowedOccurrence = Occurrence & { occurrenceAt: Date }

/** A window, null once it is deleted, and what was kept of it. */
export type FollowedWindow = { window: WindowRecord | null; kept: readonly KeptOccurrence[] }

/**
 * The occurrence of a window that began or was to begin at an instant, wherever changes moved it; null once it will not
 * take place; undefined where the window cannot be worked out here.
 */
export function followOccurrence(
  { window, kept }: FollowedWindow,
  occurrenceAt: Date,
): FollowedOccurrence | null | undefined {
  if (window && unknownZoneOf(window) !== null) return undefined
  const times: WindowTimes = window ? timesOf({ window, kept }) : { kind: 'switch', kept }
  const found = startingAt(times, occurrenceAt)
  if (found) return goingOn(times, kept, found)
  if (keptAt(kept, occurrenceAt)) return null
  const moved = nearest(times, kept, occurrenceAt)
  return moved && { ...moved, occurrenceAt: moved.startsAt }
}

function startingAt(times: WindowTimes, at: Date): Occurrence | undefined {
  const around = occurrencesBetween(times, at, new Date(at.getTime() + 1))
  return around.find(({ startsAt }) => startsAt.getTime() === at.getTime())
}

function keptAt(kept: FollowedWindow['kept'], at: Date): KeptOccurrence | undefined {
  return kept.find(({ startsAt }) => startsAt.getTime() === at.getTime())
}

/** Two parts that a change of the window made are one occurrence for people. */
function goingOn(times: WindowTimes, kept: FollowedWindow['kept'], first: Occurrence): FollowedOccurrence {
  let last = first
  for (;;) {
    const isCut = keptAt(kept, last.startsAt)?.endedBy === 'change'
    const next = isCut ? startingAt(times, last.endsAt) : undefined
    if (!next) return { startsAt: first.startsAt, endsAt: last.endsAt, occurrenceAt: last.startsAt }
    last = next
  }
}

function nearest(times: WindowTimes, kept: FollowedWindow['kept'], at: Date): Occurrence | null {
  const distance = ({ startsAt }: Occurrence) => Math.abs(startsAt.getTime() - at.getTime())
  // One that takes place once cannot be taken for another.
  const [from, to] =
    times.kind === 'one_off'
      ? [times.starts_at, times.ends_at]
      : [new Date(at.getTime() - MAX_MOVED_MS), new Date(at.getTime() + MAX_MOVED_MS)]
  const [found] = occurrencesBetween(times, from, to)
    .filter((one) => !keptAt(kept, one.startsAt))
    .filter((one) => times.kind === 'one_off' || distance(one) <= MAX_MOVED_MS)
    .sort((one, other) => distance(one) - distance(other))
  return found ?? null
}
