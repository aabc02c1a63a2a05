import type { CheckStatus } from '../monitors/check.ts'
import type { SiteArea } from './area.ts'

/** From the worst to the best; what is not known yet says the least. */
const WORST_FIRST = ['down', 'degraded', 'maintenance', 'up', 'pending'] as const satisfies CheckStatus[]

type StoodArea = { area: SiteArea; status: CheckStatus; statusSince: Date; snoozedUntil: Date | null }

/** The worst status of the areas that are on and not snoozed, and since when the site has had it. */
export function siteStatus(
  areas: readonly StoodArea[],
  areasOff: readonly SiteArea[],
  now: Date,
): { status: CheckStatus; since: Date | null } {
  const heeded = areas.filter(
    ({ area, snoozedUntil }) => !areasOff.includes(area) && !isSnoozed(snoozedUntil, now),
  )
  const status = WORST_FIRST.find((one) => heeded.some((area) => area.status === one)) ?? 'pending'
  const since = heeded
    .filter((area) => area.status === status)
    .map(({ statusSince }) => statusSince.getTime())
  return { status, since: since.length > 0 ? new Date(Math.min(...since)) : null }
}

export function isSnoozed(until: Date | null, now: Date): boolean {
  return until !== null && until > now
}
