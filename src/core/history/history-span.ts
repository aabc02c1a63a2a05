import type { Plan, PlanName, Plans } from '../teams/plan.ts'

export const QUARTER_MS = 900_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Uptime covers this many days on every plan; checks and charts cover the plan's history. */
const ROLL_UP_DAYS = 90
/** Hours of servers, days of sites, and changes of status and incidents of both: a year at least, on every plan. */
const SERVER_DAYS = 400
/** Findings of sites that are fixed are shown this long. */
const FIXED_DAYS = 30
/** Recorded pings help to debug a recent failure of a job. Their checks are kept longer. */
const OLDEST_PING_DAYS = 30
/** Keeps data a little longer than it is shown, so that nothing disappears while it is on screen. */
const SLACK_DAYS = 1

/** Start of a window of `days` days that ends now; null: unlimited. */
export function windowStart(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS)
}

/** Data older than these dates is deleted; null: kept forever. Samples of servers are kept as checks are. */
export type Cutoffs = { checks: Date | null; rollUps: Date | null; servers: Date | null; pings: Date }

export function cutoffsOf(plan: Pick<Plan, 'check_history_days'>, now: Date): Cutoffs {
  const days = plan.check_history_days
  const past = (kept: number) => new Date(now.getTime() - (kept + SLACK_DAYS) * DAY_MS)
  // Pings are deleted in whole days, and by the end of a day its first ping is a day older.
  const pingDays = OLDEST_PING_DAYS - 1 - SLACK_DAYS
  return {
    checks: days === null ? null : past(days),
    rollUps: days === null ? null : past(Math.max(days, ROLL_UP_DAYS)),
    servers: days === null ? null : past(Math.max(days, SERVER_DAYS)),
    pings: past(Math.min(days ?? pingDays, pingDays)),
  }
}

/** The cutoffs common to all teams: those of the plan in use with the longest history. Null if there are no teams. */
export function commonCutoffs(plans: Plans, inUse: PlanName[], now: Date): Cutoffs | null {
  if (inUse.length === 0) return null
  const days = inUse.map((name) => plans[name].check_history_days)
  return cutoffsOf({ check_history_days: days.includes(null) ? null : Math.max(...days.map(Number)) }, now)
}

/** Fixed findings of sites are shown from then on. */
export function fixedSince(now: Date): Date {
  return windowStart(FIXED_DAYS, now) as Date
}

/** Those that were fixed before this are deleted. */
export function fixedCutoff(now: Date): Date {
  return windowStart(FIXED_DAYS + SLACK_DAYS, now) as Date
}

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
}

/** Days are in UTC. */
export function startOfDay(at: Date, daysAhead = 0): Date {
  return new Date((Math.floor(at.getTime() / DAY_MS) + daysAhead) * DAY_MS)
}

/** The first full hour, or day, that begins at `at` or later. */
export function nextWhole(at: Date, unitMs: number): Date {
  return new Date(Math.ceil(at.getTime() / unitMs) * unitMs)
}

/** Servers and sites deleted since this time can be given back to their team. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - HOUR_MS)
}

/** Figures of servers and sites deleted before this time go: long after nobody can take the deletion back any more. */
export function forgottenCutoff(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

const LOG_DAYS = 400

/** The audit log and the delivery log are kept this long on every plan; older entries are deleted. */
export function logCutoff(now: Date): Date {
  return windowStart(LOG_DAYS, now) as Date
}
