import * as z from 'zod'

export const PlanName = z
  .enum(['free', 'starter', 'pro', 'business'])
  .describe('The plan, which sets the limits.')
export type PlanName = z.infer<typeof PlanName>

export const Plan = z.object({
  /** Null: unlimited. */
  max_monitors: z.int().min(0).nullable(),
  min_interval_minutes: z.int().min(1).max(60),
  min_interval_seconds: z.int().min(1),
  /** Days that checks are kept; null: forever. */
  check_history_days: z.int().min(1).nullable(),
  /** Null: unlimited. */
  max_status_pages: z.int().min(0).nullable(),
  /** The bound of all status pages of a team, proved or not. Null: unlimited. */
  max_own_domains: z.int().min(0).nullable(),
  /** Null: unlimited. */
  max_servers: z.int().min(0).nullable(),
  /** Null: unlimited. */
  max_sites: z.int().min(0).nullable(),
  /** The bound of one crawl of a site. */
  max_crawl_pages: z.int().min(1),
})
export type Plan = z.infer<typeof Plan>

export type Plans = Record<PlanName, Plan>

export const DEFAULT_PLANS: Plans = {
  free: {
    max_monitors: 10,
    min_interval_minutes: 5,
    min_interval_seconds: 300,
    check_history_days: 3,
    max_status_pages: 1,
    max_own_domains: 0,
    max_servers: 3,
    max_sites: 1,
    max_crawl_pages: 100,
  },
  starter: {
    max_monitors: 50,
    min_interval_minutes: 1,
    min_interval_seconds: 60,
    check_history_days: 30,
    max_status_pages: 3,
    max_own_domains: 1,
    max_servers: 10,
    max_sites: 3,
    max_crawl_pages: 500,
  },
  pro: {
    max_monitors: 200,
    min_interval_minutes: 1,
    min_interval_seconds: 30,
    check_history_days: 90,
    max_status_pages: 10,
    max_own_domains: 5,
    max_servers: 50,
    max_sites: 20,
    max_crawl_pages: 2_000,
  },
  business: {
    max_monitors: null,
    min_interval_minutes: 1,
    min_interval_seconds: 1,
    check_history_days: null,
    max_status_pages: null,
    max_own_domains: null,
    max_servers: null,
    max_sites: null,
    max_crawl_pages: 5_000,
  },
}

/** The contents of PLANS_FILE: some limits of some plans. */
export const PlanOverrides = z.partialRecord(PlanName, Plan.partial().strict())

export function overridePlans(overrides: z.infer<typeof PlanOverrides>): Plans {
  const names = PlanName.options
  return Object.fromEntries(
    names.map((name) => [name, { ...DEFAULT_PLANS[name], ...overrides[name] }]),
  ) as Plans
}

/** `limit`: null for none. */
export function canAdd(limit: number | null, count: number): boolean {
  return limit === null || count < limit
}

/** Paused monitors count; deleted ones do not. */
export function canAddMonitor(plan: Pick<Plan, 'max_monitors'>, monitorsCount: number): boolean {
  return canAdd(plan.max_monitors, monitorsCount)
}
