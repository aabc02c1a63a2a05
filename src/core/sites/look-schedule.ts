import type { CheckStatus, FoundStatus } from '../monitors/check.ts'
import { nextTickMs, phaseMs } from '../probing/schedule.ts'
import { CRAWLED_AREAS, FOUND_BESIDE, LOOK_EVERY_MS, SiteArea } from './area.ts'

/** After this long a look that told nothing is made again, where its own interval is longer. */
export const AGAIN_MS = { certificate: 5 * 60_000, domain: 3_600_000, links: 3_600_000 } as const

/** When an area is looked at again: at a time of its interval that is its site's own, so that sites do not come together. */
export function nextLookAt(
  site: { siteId: number; homeIntervalSeconds: number },
  area: SiteArea,
  status: FoundStatus,
  now: Date,
): Date {
  const everyMs = intervalMs(area, site.homeIntervalSeconds)
  const againMs = status === 'pending' && area in AGAIN_MS ? AGAIN_MS[area as keyof typeof AGAIN_MS] : everyMs
  const phase = phaseMs(site.siteId * SiteArea.options.length + SiteArea.options.indexOf(area), againMs)
  return new Date(nextTickMs(now.getTime(), againMs, phase))
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
