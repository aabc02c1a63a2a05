import type { PlannedMaintenance } from '../page-model.ts'

/** A page is made anew at most so often, however often it changes. */
export const MIN_BUILD_EVERY_MS = 1_000
/** Its figures are at most so old while somebody looks at it. */
export const WATCHED_BUILD_EVERY_MS = 60_000
/** And otherwise. */
export const UNWATCHED_BUILD_EVERY_MS = 600_000
/** A page counts as looked at for this long after it was asked for. */
export const WATCHED_MS = 600_000

/** The next instant at which a page changes by itself: maintenance starts or ends, or a day of UTC begins. */
export function nextTurn(
  planned: readonly Pick<PlannedMaintenance, 'startsAt' | 'endsAt'>[],
  now: Date,
): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  const turns = planned.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()])
  return new Date(Math.min(midnight, ...turns.filter((turn) => turn > now.getTime())))
}
