import { DAY_MS, startOfDay } from '../core/history-span.ts'
import { formatInstantOrNull } from '../core/instant.ts'
import { DAYS_OF_ROW, type MonitorRow } from '../core/monitor-row.ts'
import { pageOf } from '../core/pagination.ts'
import { emptyRollUp, latencyOf, mergeRollUp, type RollUp, uptimeOf } from '../core/roll-up.ts'
import type { Database } from '../store/database.ts'
import { type MonitorRowRecord, listMonitorRows as readRows } from '../store/monitor-rows.ts'
import { readDayCounts, readPeriods, readUptimes } from '../store/summaries.ts'
import type { Implementation } from './implementation.ts'
import { presentBrief } from './present-brief.ts'

export const listMonitorRows: Implementation<'listMonitorRows'> = {
  async perform(services, { actor: { teamId }, query }) {
    const { db, now, siteUrl } = services
    const { page, per_page: perPage, search, status, type, sort, order } = query
    const bounds = { limit: perPage, offset: (page - 1) * perPage }
    const found = await readRows(db, teamId, { search, status, type }, { sort, order }, bounds)
    const records = await describeLately(db, found.rows, now())
    return {
      body: {
        data: records,
        ...pageOf({
          path: `${siteUrl}/app/teams/${teamId}/monitor-rows`,
          query: { search, status, type, sort, order, per_page: String(perPage) },
          page,
          perPage,
          total: found.total,
          count: records.length,
        }),
      },
    }
  },
}

/** Adds what became of the monitors lately, from as much history as these few need. */
async function describeLately(db: Database, records: MonitorRowRecord[], now: Date): Promise<MonitorRow[]> {
  if (records.length === 0) return []
  const ids = records.map(({ id }) => id)
  const firstDay = startOfDay(now, 1 - DAYS_OF_ROW)
  const [dayCounts, uptimes, hours] = await Promise.all([
    readDayCounts(db, ids, firstDay, now),
    readUptimes(db, ids, now, ['30d']),
    readPeriods(db, ids, 'hour', new Date(now.getTime() - DAY_MS), now),
  ])
  const days = new Map(ids.map((id) => [id, new Array<number | null>(DAYS_OF_ROW).fill(null)]))
  for (const { monitorId, at, ...counts } of dayCounts) {
    const shares = days.get(monitorId) as (number | null)[]
    shares[(at.getTime() - firstDay.getTime()) / DAY_MS] = uptimeOf(counts)
  }
  const lately = new Map<number, RollUp>(ids.map((id) => [id, emptyRollUp()]))
  for (const { monitorId, rollUp } of hours) mergeRollUp(lately.get(monitorId) as RollUp, rollUp)
  return records.map((record) => ({
    ...presentBrief(record),
    last_checked_at: formatInstantOrNull(record.lastCheckedAt),
    interval_seconds: record.intervalSeconds,
    cause: record.cause,
    days: days.get(record.id) as (number | null)[],
    uptime_30d: uptimes.get(record.id)?.['30d'] ?? null,
    ...percentiles(lately.get(record.id) as RollUp),
    contacts_count: record.contactsCount,
  }))
}

function percentiles(rollUp: RollUp): { p50_ms: number | null; p95_ms: number | null } {
  const { p50, p95 } = latencyOf(rollUp)
  return { p50_ms: p50 && Math.round(p50), p95_ms: p95 && Math.round(p95) }
}
