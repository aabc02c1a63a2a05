import { Refusal } from '../../core/errors.ts'
import { DAY_MS, startOfDay, windowStart } from '../../core/history/history-span.ts'
import { DAYS_OF_REPORT, type MonitorReport, type UncountedTime } from '../../core/history/monitor-report.ts'
import { ReportRange } from '../../core/history/report-range.ts'
import {
  askedStretch,
  MAX_STRETCH_DAYS,
  MIN_STRETCH_SECONDS,
  newestStretch,
  type Stretch,
} from '../../core/history/report-stretch.ts'
import { type KnownTimes, knownMs, noTime, uptimeOf } from '../../core/history/uptime.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { presentIncident } from '../../core/monitors/incident.ts'
import { readFlappingSince } from '../../store/alerting/flaps.ts'
import { readDayTimes } from '../../store/history/day-times.ts'
import { readTimesOfWindows, startOfWindow } from '../../store/history/uptimes.ts'
import { newestIncidents } from '../../store/incidents/incident-rows.ts'
import { readPlannedSpans } from '../../store/maintenance/covered-time.ts'
import { pausesWithin } from '../../store/monitors/pauses.ts'
import { readRecovery } from '../../store/monitors/team-confirmation.ts'
import type { Implementation } from '../implementation.ts'
import { latencyOfAll, pointsOf, readStretch, regionLines, regionsOf } from './report-points.ts'

const MAX_SPANS = 100
/** A window may recur each day, and several may. */
const MAX_PLANNED_SPANS = 500

export const getMonitorReport: Implementation<'getMonitorReport'> = {
  async perform({ db, plans, now, siteUrl }, { actor, record, query: { range, region, by, from, to } }) {
    const at = now()
    const keptFrom = windowStart(plans[actor.plan].check_history_days, at)
    const asked = endsOf(from, to)
    const wanted = asked ? askedStretch(asked.from, asked.to, at) : newestStretch(range, keptFrom, at)
    const span = { from: laterOf(wanted.from, keptFrom), to: wanted.to }
    const planned = { id: record.id, teamId: actor.teamId, createdAt: record.created_at }
    const firstDay = startOfDay(at, 1 - DAYS_OF_REPORT)
    const [{ stretch, rolledUp }, times, days, incidents, pauses, maintenance, recovery, since] =
      await Promise.all([
        readStretch(db, record.id, wanted, keptFrom, at),
        readTimesOfWindows(db, [record.id], at, ReportRange.options),
        readDayTimes(db, [record.id], firstDay, at),
        newestIncidents(db.query, actor.teamId, 'monitor', { monitor: record.id, ...span }, MAX_SPANS),
        pausesWithin(db, actor.teamId, record.id, span, MAX_SPANS),
        readPlannedSpans(db.pool, planned, span, MAX_PLANNED_SPANS),
        readRecovery(db.query, actor.teamId, record.id),
        readFlappingSince(db.pool, record.id),
      ])
    const shown = region === undefined ? rolledUp : rolledUp.filter((one) => one.region === region)
    return {
      body: {
        data: {
          status_since: formatInstant(record.status_since),
          flapping_since: formatInstantOrNull(since),
          recovery,
          badge_url: `${siteUrl}/badge/${record.badge_id}`,
          uptime: eachRange((window) => uptimeOf(times[window].get(record.id) as KnownTimes)),
          uptime_times: eachRange((window) =>
            uncountedTime(times[window].get(record.id) as KnownTimes, window, record.created_at, at),
          ),
          ...daysOf(days.get(record.id), firstDay),
          range,
          from: formatInstant(stretch.from),
          to: formatInstant(stretch.to),
          step_seconds: stretch.stepSeconds,
          regions: regionsOf(rolledUp),
          points: pointsOf(shown, stretch),
          latency: latencyOfAll(shown),
          region_lines: by === 'region' ? regionLines(rolledUp, stretch) : [],
          incidents: incidents.map(presentIncident),
          pauses: pauses.map(({ pausedAt, resumedAt }) => ({
            from: formatInstant(pausedAt),
            to: formatInstantOrNull(resumedAt),
          })),
          maintenance: maintenance.map(({ fromMs, toMs, name }) => ({
            from: formatInstant(new Date(fromMs)),
            to: toMs > at.getTime() ? null : formatInstant(new Date(toMs)),
            name,
          })),
        },
      },
    }
  },
}

/** The ends of a stretch, if it was asked for by them. */
function endsOf(from: Date | undefined, to: Date | undefined): Pick<Stretch, 'from' | 'to'> | null {
  if (!from && !to) return null
  if (!from) throw Refusal.invalid({ from: [said('is required with to')] })
  if (!to) throw Refusal.invalid({ to: [said('is required with from')] })
  const lengthMs = to.getTime() - from.getTime()
  if (lengthMs >= MIN_STRETCH_SECONDS * 1_000 && lengthMs <= MAX_STRETCH_DAYS * DAY_MS) return { from, to }
  const bounds = { minutes: MIN_STRETCH_SECONDS / 60, days: MAX_STRETCH_DAYS }
  const fault = said('must be {minutes} minutes to {days} days after from, got {got}', {
    ...bounds,
    got: formatInstant(to),
  })
  throw Refusal.invalid({ to: [fault] })
}

function laterOf(one: Date, other: Date | null): Date {
  return other && other > one ? other : one
}

function daysOf(
  days: ReadonlyMap<number, KnownTimes> | undefined,
  firstDay: Date,
): Pick<MonitorReport, 'days' | 'maintenance_days'> {
  const times = Array.from(
    { length: DAYS_OF_REPORT },
    (_, index) => days?.get(firstDay.getTime() + index * DAY_MS) ?? noTime(),
  )
  return {
    days: times.map(uptimeOf),
    maintenance_days: times.map(({ maintenanceMs }) => Math.round(maintenanceMs / 1_000)),
  }
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
