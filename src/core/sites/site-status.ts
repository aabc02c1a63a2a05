import type { CheckStatus } from '../monitors/check.ts'
import type { SiteArea } from './area.ts'

/** Worst first. An area that was not judged yet says nothing of a site whose other areas were. */
export const BY_SEVERITY: readonly CheckStatus[] = ['down', 'degraded', 'maintenance', 'up', 'pending']

export type AreaState = {
  area: SiteArea
  status: CheckStatus
  statusSince: Date
  snoozedUntil: Date | null
}

export type SiteStatus = { status: CheckStatus; since: Date | null }

/** The status of a site: the worst of its areas that are on and not snoozed, and since when one has it. */
export function siteStatus(
  areas: readonly AreaState[],
  areasOff: readonly SiteArea[],
  now: Date,
): SiteStatus {
  const counted = areas.filter(
    ({ area, snoozedUntil }) => !areasOff.includes(area) && !isSnoozed(snoozedUntil, now),
  )
  const status = BY_SEVERITY.find((one) => counted.some((area) => area.status === one)) ?? 'pending'
  const times = counted.filter((area) => area.status === status).map((area) => area.statusSince.getTime())
  if (times.length === 0) return { status, since: null }
  // All is well since the last area was; trouble lasts since the first one.
  const isWell = status === 'up' || status === 'pending'
  return { status, since: new Date(isWell ? Math.max(...times) : Math.min(...times)) }
}

export function isSnoozed(until: Date | null, now: Date): boolean {
  return until !== null && until > now
}
