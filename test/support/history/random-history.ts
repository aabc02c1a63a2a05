import fc from 'fast-check'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { Role } from '../../../src/core/teams/access.ts'
import { DEFAULT_PLANS, type PlanName } from '../../../src/core/teams/plan.ts'
import type { Actor } from '../../../src/operations/implementation.ts'
import type { Services } from '../../../src/operations/services.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addMonitors } from '../records/monitors.ts'
import { addTeam } from '../records/teams.ts'
import { anyCheck, keepMixed } from './checks.ts'

export const DAY_MS = 24 * 3_600_000
export const NOON = new Date('2027-03-31T12:34:56.789Z')

/** About each edge of what a plan or a screen shows, and some between: a day costs much more than its checks. */
const DAYS_AGO = [0, 1, 2, 3, 6, 7, 14, 21, 28, 29, 30, 31, 45, 60, 75, 88, 89, 90, 91, 94, 99]

export type Kept = Map<number, CheckRecord[]>

/** Times in the last so many days before NOON, in milliseconds. */
export function timesOfLast(days: number): fc.Arbitrary<number> {
  const ago = fc.constantFrom(...DAYS_AGO.filter((day) => day < days))
  return fc
    .tuple(ago, fc.integer({ min: 1, max: DAY_MS }))
    .map(([day, ms]) => NOON.getTime() - day * DAY_MS - ms)
}

/** Monitors of a new team, each with so many checks of every kind between so many days ago and NOON. */
export async function keepAnything(
  db: Database,
  monitors: number,
  days: number,
  plan: PlanName = 'business',
  checks = 600,
): Promise<{ kept: Kept; ids: number[]; actor: Actor }> {
  const kept: Kept = new Map()
  const teamId = await addTeam(db, { plan })
  const added = await addMonitors(db, monitors, () => ({ team_id: teamId }))
  const ids = added.map(({ id }) => id)
  for (const id of ids) {
    // Half of them in the last day, where they are seen most closely.
    kept.set(
      id,
      [days, 1].flatMap((span) => fc.sample(anyCheck(timesOfLast(span)), checks / 2)),
    )
  }
  await keepMixed(
    db,
    [...kept].flatMap(([id, checks]) => checks.map((check) => ({ id, check }))),
  )
  return {
    kept,
    ids,
    actor: { userId: 0, teamId, role: Role.enum.viewer, plan, door: 'dashboard' as const },
  }
}

/** As much as reading takes, at NOON. */
export function readingServices(db: Database): Services {
  return { db, plans: DEFAULT_PLANS, siteUrl: 'https://upbeat.example', now: () => NOON } as Services
}

/** The value of which a share `q` is at most as large, exactly. */
export function exactQuantile(checks: CheckRecord[], q: number): number | null {
  const times = checks
    .filter(({ status }) => status === 'up' || status === 'degraded')
    .flatMap(({ responseTimeMs }) => responseTimeMs ?? [])
    .sort((a, b) => a - b)
  return times[Math.ceil(q * times.length) - 1] ?? null
}
