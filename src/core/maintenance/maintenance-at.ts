import type { CheckStatus } from '../monitors/check.ts'
import type { SubjectCover } from './team-cover.ts'

/** A window may be ended for a time shortly before the change is written, and a failure be judged in between. */
const LATE_CHANGE_MS = 60_000

/**
 * The meaning of windows for what is found of a subject at an instant: whether one applies, and if not, when the last one
 * ended under which it has been failing; null if it was not.
 */
export type Maintenance = { applies: boolean; endedAt: Date | null }

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
