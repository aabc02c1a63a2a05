import type { CheckStatus } from '../monitors/check.ts'
import { SiteArea } from './area.ts'
import { intervalMs } from './look-schedule.ts'

/** A look is recorded under the time it began; a slow one, with the look that confirms it, puts the next one off. */
const LATE_MS = 60_000

/** A status, and since when a site has had it. `pending`: nothing is known of it. */
export type SiteStatusChange = { status: CheckStatus; at: Date }

/** How long a look says that a site is watched: until the next one at the area that is looked at most often. */
export function watchedForMs(site: { areasOff: readonly SiteArea[]; homeIntervalSeconds: number }): number {
  const on = SiteArea.options.filter((area) => !site.areasOff.includes(area))
  return Math.min(...on.map((area) => intervalMs(area, site.homeIntervalSeconds))) + LATE_MS
}

/** The changes that a look makes known: the time before it in which nobody looked, and a status that is another. */
export function statusChanges(
  last: SiteStatusChange | null,
  { status, at, watchedUntil }: SiteStatusChange & { watchedUntil: Date | null },
): SiteStatusChange[] {
  const changes: SiteStatusChange[] = []
  let before = last
  function change(to: CheckStatus, wanted: Date) {
    // A slow look may have begun before another one that is recorded already.
    before = { status: to, at: before && before.at > wanted ? before.at : wanted }
    changes.push(before)
  }
  if (last && last.status !== 'pending' && watchedUntil && watchedUntil < at) change('pending', watchedUntil)
  if (status !== (before?.status ?? 'pending')) change(status, at)
  return changes
}
