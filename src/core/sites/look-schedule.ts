import type { CheckStatus, FoundStatus } from '../monitors/check.ts'
import { nextTickMs, phaseMs } from '../probing/schedule.ts'
import { CRAWLED_AREAS, FOUND_BESIDE, LOOK_EVERY_MS, SiteArea } from './area.ts'
import { type Doubt, secondLookMs } from './second-look.ts'

/** After this long a look that told nothing is made again, where its own interval is longer. */
export const AGAIN_MS = { certificate: 5 * 60_000, domain: 3_600_000, links: 3_600_000 } as const
/** While an area is down it is looked at this often, so that its end is told soon. A registry is asked less often. */
export const WHILE_DOWN_MS = { certificate: 60_000, dns: 60_000, domain: 5 * 60_000 } as const

/** `found`: what the look told. `status` and `doubt`: what the area is after it. */
export type LookedAt = { found: FoundStatus; status: CheckStatus; doubt: Doubt | null }

/** When an area is looked at again: at a time of its interval that is its site's own, so that sites do not come together. */
export function nextLookAt(
  site: { siteId: number; homeIntervalSeconds: number },
  area: SiteArea,
  after: LookedAt,
  now: Date,
): Date {
  const secondMs = after.doubt && after.doubt.since.getTime() + (secondLookMs(area) ?? 0)
  if (secondMs !== null && secondMs > now.getTime()) return new Date(secondMs)
  const everyMs = Math.min(intervalMs(area, site.homeIntervalSeconds), againMs(area, after))
  const phase = phaseMs(site.siteId * SiteArea.options.length + SiteArea.options.indexOf(area), everyMs)
  return new Date(nextTickMs(now.getTime(), everyMs, phase))
}

function againMs(area: SiteArea, { found, status, doubt }: LookedAt): number {
  const isDown = status === 'down' || status === 'maintenance'
  if (isDown && area in WHILE_DOWN_MS) return WHILE_DOWN_MS[area as keyof typeof WHILE_DOWN_MS]
  const isOpen = found === 'pending' || doubt !== null
  return isOpen && area in AGAIN_MS ? AGAIN_MS[area as keyof typeof AGAIN_MS] : Number.POSITIVE_INFINITY
}

/** Whether an area is looked at at once when its snooze ends. A crawl is made for links alone, which are most of it. */
export function isLookedAtAfterSnooze({ area, status }: { area: SiteArea; status: CheckStatus }): boolean {
  const isFound = (FOUND_BESIDE as readonly SiteArea[]).includes(area)
  return !isFound && status !== 'up' && status !== 'pending'
}

export function intervalMs(area: SiteArea, homeIntervalSeconds: number): number {
  if (area === 'home_page') return homeIntervalSeconds * 1_000
  // Areas that a crawl finds have its schedule.
  return LOOK_EVERY_MS[(CRAWLED_AREAS as readonly SiteArea[]).includes(area) ? 'links' : (area as 'dns')]
}
