import { nextWhole, windowStart } from '../../core/history/history-span.ts'
import {
  type Percentiles,
  REPORT_RANGES,
  type ReportPoint,
  type ReportRange,
} from '../../core/history/monitor-report.ts'
import { emptyRollUp, latencyOf, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import type { PlanName, Plans } from '../../core/teams/plan.ts'
import { incidentsWithin } from '../../store/history/history.ts'
import type { RolledUp } from '../../store/history/roll-ups.ts'
import { readRolledUp } from '../../store/history/summaries.ts'
import { readUptimes } from '../../store/history/uptimes.ts'
import { pausesWithin } from '../../store/monitors/pauses.ts'
import { readRecovery } from '../../store/monitors/team-confirmation.ts'
import type { Implementation } from '../implementation.ts'

const MAX_SPANS = 100

export const getMonitorReport: Implementation<'getMonitorReport'> = {
  async perform({ db, plans, now, siteUrl }, { actor, record, query: { range, region } }) {
    const { unit, stepSeconds } = REPORT_RANGES[range]
    const to = now()
    const span = { from: startOf(range, plans, actor.plan, to), to }
    const [rolledUp, uptimes, incidents, pauses, recovery] = await Promise.all([
      readRolledUp(db, [record.id], unit, span.from, to),
      readUptimes(db, [record.id], to),
      incidentsWithin(db, actor.teamId, record.id, span, MAX_SPANS),
      pausesWithin(db, actor.teamId, record.id, span, MAX_SPANS),
      readRecovery(db.query, actor.teamId, record.id),
    ])
    const shown = region === undefined ? rolledUp : rolledUp.filter((one) => one.region === region)
    const whole = emptyRollUp()
    for (const { rollUp } of shown) mergeRollUp(whole, rollUp)
    return {
      body: {
        data: {
          status_since: formatInstant(record.status_since),
          recovery,
          badge_url: `${siteUrl}/badge/${record.badge_id}`,
          uptime: uptimes.get(record.id),
          range,
          from: formatInstant(span.from),
          to: formatInstant(to),
          step_seconds: stepSeconds,
          regions: regionsOf(rolledUp),
          points: pointsOf(shown, stepSeconds * 1_000),
          latency: percentilesOf(whole),
          incidents: incidents.map(presentIncident),
          pauses: pauses.map(({ pausedAt, resumedAt }) => ({
            from: formatInstant(pausedAt),
            to: formatInstantOrNull(resumedAt),
          })),
        },
      },
    }
  },
}

/** The first whole step within both the range and the plan's window. */
function startOf(range: ReportRange, plans: Plans, plan: PlanName, now: Date): Date {
  const { days, stepSeconds } = REPORT_RANGES[range]
  const shownDays = Math.min(days, plans[plan].check_history_days ?? days)
  return nextWhole(windowStart(shownDays, now) as Date, stepSeconds * 1_000)
}

/** Lists the regions that checked; checks without a region belong to none. */
function regionsOf(rolledUp: RolledUp[]): string[] {
  return [...new Set(rolledUp.map(({ region }) => region))].filter((region) => region !== '').sort()
}

/** Oldest first; steps without checks are left out. */
function pointsOf(rolledUp: RolledUp[], stepMs: number): ReportPoint[] {
  const steps = new Map<number, RollUp>()
  for (const { at, rollUp } of rolledUp) {
    const step = Math.floor(at.getTime() / stepMs) * stepMs
    const sum = steps.get(step)
    if (sum) mergeRollUp(sum, rollUp)
    else steps.set(step, rollUp)
  }
  return [...steps].sort(([a], [b]) => a - b).map(([step, rollUp]) => presentPoint(new Date(step), rollUp))
}

function presentPoint(at: Date, rollUp: RollUp): ReportPoint {
  return {
    at: formatInstant(at),
    up: rollUp.up,
    degraded: rollUp.degraded,
    down: rollUp.down,
    pending: rollUp.pending,
    ...percentilesOf(rollUp),
  }
}

function percentilesOf(rollUp: RollUp): Percentiles {
  const { p50, p95, p99 } = latencyOf(rollUp)
  return {
    p50_ms: p50 && Math.round(p50),
    p95_ms: p95 && Math.round(p95),
    p99_ms: p99 && Math.round(p99),
  }
}
