import { nextWhole, windowStart } from '../../core/history/history-span.ts'
import {
  type Percentiles,
  REPORT_RANGES,
  type ReportPoint,
  type UncountedTime,
} from '../../core/history/monitor-report.ts'
import { ReportRange } from '../../core/history/report-range.ts'
import { emptyRollUp, latencyOf, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import { type KnownTimes, knownMs, uptimeOf } from '../../core/history/uptime.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import type { PlanName, Plans } from '../../core/teams/plan.ts'
import { incidentsWithin } from '../../store/history/history.ts'
import type { RolledUp } from '../../store/history/roll-ups.ts'
import { readRolledUp } from '../../store/history/summaries.ts'
import { readTimesOfWindows, startOfWindow } from '../../store/history/uptimes.ts'
import { readPlannedSpans } from '../../store/maintenance/covered-time.ts'
import { pausesWithin } from '../../store/monitors/pauses.ts'
import { readRecovery } from '../../store/monitors/team-confirmation.ts'
import type { Implementation } from '../implementation.ts'

const MAX_SPANS = 100
/** A window may recur each day, and several may. */
const MAX_PLANNED_SPANS = 500

export const getMonitorReport: Implementation<'getMonitorReport'> = {
  async perform({ db, plans, now, siteUrl }, { actor, record, query: { range, region } }) {
    const { unit, stepSeconds } = REPORT_RANGES[range]
    const to = now()
    const span = { from: startOf(range, plans, actor.plan, to), to }
    const planned = { id: record.id, teamId: actor.teamId, createdAt: record.created_at }
    const [rolledUp, times, incidents, pauses, maintenance, recovery] = await Promise.all([
      readRolledUp(db, [record.id], unit, span.from, to),
      readTimesOfWindows(db, [record.id], to, ReportRange.options),
      incidentsWithin(db, actor.teamId, record.id, span, MAX_SPANS),
      pausesWithin(db, actor.teamId, record.id, span, MAX_SPANS),
      readPlannedSpans(db.pool, planned, span, MAX_PLANNED_SPANS),
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
          uptime: eachRange((window) => uptimeOf(times[window].get(record.id) as KnownTimes)),
          uptime_times: eachRange((window) =>
            uncountedTime(times[window].get(record.id) as KnownTimes, window, record.created_at, to),
          ),
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
          maintenance: maintenance.map(({ fromMs, toMs, name }) => ({
            from: formatInstant(new Date(fromMs)),
            to: toMs > to.getTime() ? null : formatInstant(new Date(toMs)),
            name,
          })),
        },
      },
    }
  },
}

function eachRange<T>(of: (range: ReportRange) => T): Record<ReportRange, T> {
  return { '24h': of('24h'), '7d': of('7d'), '30d': of('30d'), '90d': of('90d') }
}

function uncountedTime(times: KnownTimes, range: ReportRange, createdAt: Date, now: Date): UncountedTime {
  const fromMs = Math.max(startOfWindow(range, now).getTime(), createdAt.getTime())
  const unknownMs = Math.max(0, now.getTime() - fromMs - knownMs(times))
  return {
    maintenance_seconds: Math.round(times.maintenanceMs / 1_000),
    unknown_seconds: Math.round(unknownMs / 1_000),
  }
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
