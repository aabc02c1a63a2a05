import { type Extent, type Histogram, quantiles } from '../../core/history/histogram.ts'
import { DAY_MS, startOfDay } from '../../core/history/history-span.ts'
import { addTimes, noTime, uptimeOf } from '../../core/history/uptime.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { listPage } from '../../core/lists/list-page.ts'
import { DAYS_OF_ROW, type MonitorRow } from '../../core/monitors/monitor-row.ts'
import type { MonitorBrief } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import type { Database } from '../../postgres/database.ts'
import { type RecentResults, readRecentResults } from '../../store/history/recent-results.ts'
import { findListed } from '../../store/lists/subject-list.ts'
import type { BriefRow } from '../../store/monitors/monitor-briefs.ts'
import { MONITOR_ROWS, type MonitorRowRecord, readMonitorRows } from '../../store/monitors/monitor-rows.ts'
import type { Implementation } from '../implementation.ts'
import { dashboardUrl } from '../services.ts'

export const listMonitorRows: Implementation<'listMonitorRows'> = {
  async perform(services, { actor: { teamId }, query }) {
    const { db, vault, now } = services
    const { ids, total, groups } = await findListed(db, MONITOR_ROWS, teamId, query)
    const data = await describeLately(db, await readMonitorRows(db, vault, teamId, ids), now())
    const path = `${dashboardUrl(services, teamId)}/monitor-rows`
    return { body: { data, groups, ...listPage(path, query, { total, count: data.length }) } }
  },
}

/** Adds recent history, read for these few monitors only. */
async function describeLately(db: Database, records: MonitorRowRecord[], now: Date): Promise<MonitorRow[]> {
  if (records.length === 0) return []
  const ids = records.map(({ id }) => id)
  const span = { from: daysBefore(now, DAYS_OF_ROW), timesFrom: daysBefore(now, 1), to: now }
  const lately = await readRecentResults(db, ids, span)
  return records.map((record) => {
    const { days, histogram, extent } = lately.get(record.id) as RecentResults
    return {
      ...presentBrief(record),
      last_checked_at: formatInstantOrNull(record.lastCheckedAt),
      interval_seconds: record.intervalSeconds,
      schedule: record.schedule,
      cause: record.cause,
      flapping_since: formatInstantOrNull(record.flappingSince),
      ...lastDaysOf(days, now),
      uptime_30d: uptimeOf(sumOf(days)),
      ...percentilesOf(histogram, extent),
      contacts_count: record.contactsCount,
      tags: record.tags,
    }
  })
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

function sumOf(days: RecentResults['days']) {
  const sum = noTime()
  for (const times of days.values()) addTimes(sum, times)
  return sum
}

/** The earliest day falls within the last 30 days in part only, so it is not shown. */
function lastDaysOf(days: RecentResults['days'], now: Date): Pick<MonitorRow, 'days' | 'maintenance_days'> {
  const firstDay = startOfDay(now, 1 - DAYS_OF_ROW).getTime()
  const times = Array.from(
    { length: DAYS_OF_ROW },
    (_, index) => days.get(firstDay + index * DAY_MS) ?? noTime(),
  )
  return {
    days: times.map(uptimeOf),
    maintenance_days: times.map(({ maintenanceMs }) => Math.round(maintenanceMs / 1_000)),
  }
}

function percentilesOf(
  histogram: Histogram,
  extent: Extent,
): { p50_ms: number | null; p95_ms: number | null } {
  const [p50 = null, p95 = null] = quantiles(histogram, [0.5, 0.95], extent)
  return { p50_ms: p50 && Math.round(p50), p95_ms: p95 && Math.round(p95) }
}

function presentBrief(row: BriefRow): MonitorBrief {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    target: targetOf(row),
    status: row.status,
    is_active: row.isActive,
    status_since: formatInstant(row.statusSince),
  }
}
