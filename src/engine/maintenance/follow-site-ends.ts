import { followedEnd, LATE_CHANGE_MS } from '../../core/maintenance/maintenance-at.ts'
import { isLookedAtAfterSnooze } from '../../core/sites/look-schedule.ts'
import type { Database } from '../../postgres/database.ts'
import { type FollowedArea, readFollowedAreas } from '../../store/maintenance/followed-areas.ts'
import { lookNow } from '../../store/sites/due-areas.ts'
import type { FollowedEnds } from './follow-ends.ts'
import { AGAIN_MS, SETTLED_MS } from './follow-up.ts'
import type { KnownWindows } from './known-windows.ts'

/**
 * Follows up on areas of sites that fail under windows, or were down before, and on those whose snooze is over: they are
 * looked at at once, whatever their interval. An area that is due already, or is being looked at, is left alone; a look
 * that began before the end counts as none.
 */
export function createSiteEndFollowing(db: Database, windows: KnownWindows) {
  return async function followSiteEnds(now: Date): Promise<FollowedEnds> {
    const settled = new Date(now.getTime() - SETTLED_MS)
    const areas = await readFollowedAreas(db, settled)
    if (areas.length === 0) return { until: null }
    const coverOf = await windows.read(
      db.pool,
      'site',
      [...new Set(areas.map(({ siteId }) => siteId))],
      settled,
    )
    let until: Date | null = null
    const wanted: FollowedArea[] = []
    for (const area of areas) {
      if (isSnoozeOver(area, settled) && isLookedAtAfterSnooze(area)) wanted.push(area)
      else if (area.status === 'maintenance' || area.status === 'down') {
        const failing = { ...area, id: area.siteId, isDown: area.status === 'down' }
        const end = followedEnd(coverOf(area.siteId), failing, { settled, now })
        if (end.until && (!until || end.until < until)) until = end.until
        if (end.endedAt && isToBeLookedAt(area, end.endedAt, now)) wanted.push(area)
      }
    }
    await lookNow(db, wanted)
    return { until }
  }
}

function isSnoozeOver({ snoozedUntil, lookedAt }: FollowedArea, now: Date): boolean {
  return snoozedUntil !== null && snoozedUntil >= lookedAt && snoozedUntil <= now
}

/** Not looked at since the end; or judged by a window that was ended for a time shortly before the change was written. */
function isToBeLookedAt({ status, lookedAt }: FollowedArea, endedAt: Date, now: Date): boolean {
  if (lookedAt <= endedAt) return true
  if (status !== 'maintenance' || now.getTime() - lookedAt.getTime() < AGAIN_MS) return false
  return lookedAt.getTime() - endedAt.getTime() < LATE_CHANGE_MS
}
