import type { CheckStatus } from '../monitors/check.ts'
import type { SubjectCover } from './team-cover.ts'

/** A window may be ended for a time shortly before the change is written, and a failure be judged in between. */
export const LATE_CHANGE_MS = 60_000

/**
 * The meaning of windows for what is found of a subject at an instant: whether one applies, and if not, when the last one
 * ended under which it has been failing; null if it was not.
 */
export type Maintenance = { applies: boolean; endedAt: Date | null }

/** A subject that failed when it was last looked at: under maintenance, or down from before. */
export type FailingSubject = { id: number; isDown: boolean; statusSince: Date; lookedAt: Date }

/** `endedAt`: the end that a subject is looked at for; null if there is none, or none yet. `until`: how long that holds. */
export type FollowedEnd = { endedAt: Date | null; until: Date | null }

const NONE: Maintenance = { applies: false, endedAt: null }

/** `before`: the state of the subject until this instant. */
export function maintenanceAt(
  cover: SubjectCover | null,
  id: number,
  at: Date,
  before: { status: CheckStatus; statusSince: Date },
): Maintenance {
  if (!cover) return NONE
  if (cover.applies(id, at)) return { applies: true, endedAt: null }
  if (before.status !== 'maintenance') return NONE
  const after = new Date(before.statusSince.getTime() - LATE_CHANGE_MS)
  return { applies: false, endedAt: cover.lastEnd(id, after, at) }
}

/**
 * Whether a failing subject is to be looked at since the last window that covered it has ended. `settled`: shortly before
 * now, as clocks differ a little.
 */
export function followedEnd(
  cover: SubjectCover | null,
  { id, isDown, statusSince, lookedAt }: FailingSubject,
  { settled, now }: { settled: Date; now: Date },
): FollowedEnd {
  if (cover && [settled, now].some((instant) => cover.applies(id, instant)))
    return { endedAt: null, until: cover.holdsUntil(settled) }
  const after = isDown ? lookedAt : new Date(statusSince.getTime() - LATE_CHANGE_MS)
  const endedAt = cover?.lastEnd(id, after, now) ?? (isDown ? null : statusSince)
  // Where nothing ended since, a window that begins may end before the next look.
  return endedAt ? { endedAt, until: null } : { endedAt, until: cover?.holdsUntil(now) ?? null }
}
