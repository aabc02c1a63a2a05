import type { Plan, PlanName, Plans } from '../teams/plan.ts'

export const QUARTER_MS = 900_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Shares of uptime go back so far on every plan; checks and charts go back as far as the plan's history. */
const ROLL_UP_DAYS = 90
/** Whole pings are for looking into a job that failed lately; that they came is kept as checks. */
const OLDEST_PING_DAYS = 30
/** Nothing is taken from the disk on the very edge of what is shown. */
const SLACK_DAYS = 1

/** Where a window of so many days begins that ends now; null: it has no beginning. */
export function windowStart(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS)
}

/** What is older than these has to go; null: nothing has. */
export type Edges = { checks: Date | null; rollUps: Date | null; pings: Date }

export function edgesOf(plan: Pick<Plan, 'check_history_days'>, now: Date): Edges {
  const days = plan.check_history_days
  const past = (kept: number) => new Date(now.getTime() - (kept + SLACK_DAYS) * DAY_MS)
  // A day goes whole, and while it lasts its first ping grows a day older.
  const pingDays = OLDEST_PING_DAYS - 1 - SLACK_DAYS
  return {
    checks: days === null ? null : past(days),
    rollUps: days === null ? null : past(Math.max(days, ROLL_UP_DAYS)),
    pings: past(Math.min(days ?? pingDays, pingDays)),
  }
}

/** The edges that hold for every team: those of the plan in use that shows most. Null while there is no team. */
export function edgesOfAll(plans: Plans, inUse: PlanName[], now: Date): Edges | null {
  if (inUse.length === 0) return null
  const days = inUse.map((name) => plans[name].check_history_days)
  return edgesOf({ check_history_days: days.includes(null) ? null : Math.max(...days.map(Number)) }, now)
}

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
}

/** Days are UTC's. */
export function startOfDay(at: Date, daysAhead = 0): Date {
  return new Date((Math.floor(at.getTime() / DAY_MS) + daysAhead) * DAY_MS)
}

/** The first whole hour, or day, that begins at `at` or later. */
export function nextWhole(at: Date, unitMs: number): Date {
  return new Date(Math.ceil(at.getTime() / unitMs) * unitMs)
}

const LOG_DAYS = 400

/** Who changed what and who was told is kept for so long, on every plan: from before this, no more. */
export function logEdge(now: Date): Date {
  return windowStart(LOG_DAYS, now) as Date
}
