import { type Said, said } from '../language/said.ts'
import type { Plan, PlanName } from '../teams/plan.ts'
import { unreadableFault } from '../text.ts'
import { abovePlan, belowPlan, describe, type FieldError } from '../validation.ts'
import { SiteArea } from './area.ts'
import type { SiteSettings } from './site.ts'

export type SiteRuleContext = {
  plan: Pick<Plan, 'max_crawl_pages' | 'min_interval_seconds'>
  planName: PlanName
  /** The reason why policy refuses the address; null if it is allowed. */
  refuseAddress: (url: string) => string | null
}

/** Faults that a schema alone cannot judge: the address, the limits of the plan, and that something is looked at. */
export function siteFaults(context: SiteRuleContext) {
  return (fields: Partial<SiteSettings>): FieldError[] => [
    ...urlFaults(fields.url, context),
    ...planFaults(fields, context),
    ...areaFaults(fields.areas_off),
  ]
}

function urlFaults(url: string | undefined, { refuseAddress }: SiteRuleContext): FieldError[] {
  if (url === undefined) return []
  const fault = addressFault(url)
  if (fault) return [{ field: 'url', message: fault }]
  const refusal = refuseAddress(url)
  return refusal ? [{ field: 'url', message: said('is refused: {reason}', { reason: refusal }) }] : []
}

function addressFault(url: string): Said | null {
  const unreadable = unreadableFault(url)
  if (unreadable !== null) return unreadable
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/[^/?#]/i.exec(url)?.[1]?.toLowerCase()
  if (!scheme)
    return said('must be a full URL such as {example}, got {got}', {
      example: 'https://example.com/',
      got: describe(url),
    })
  if (scheme !== 'http' && scheme !== 'https') return said('must start with https:// or http://')
  const parsed = URL.parse(url)
  if (!parsed?.hostname)
    return said('must be a full URL such as {example}, got {got}', {
      example: 'https://example.com/',
      got: describe(url),
    })
  if (parsed.username || parsed.password) return said('must not contain credentials')
  if (url.includes('#'))
    return said('must not contain a fragment (#): a page is the same with and without it')
  return null
}

function planFaults(
  { max_pages: pages, home_interval_seconds: seconds }: Partial<SiteSettings>,
  { plan, planName }: SiteRuleContext,
): FieldError[] {
  return [
    ...belowPlan('home_interval_seconds', plan.min_interval_seconds, { got: seconds, plan: planName }),
    ...abovePlan('max_pages', plan.max_crawl_pages, { got: pages, plan: planName }),
  ]
}

function areaFaults(areasOff: readonly SiteArea[] | undefined): FieldError[] {
  if (SiteArea.options.some((area) => !areasOff?.includes(area))) return []
  return [
    { field: 'areas_off', message: said('must leave an area on; set is_active to false to pause the site') },
  ]
}
