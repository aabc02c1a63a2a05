import { putLast } from '../../core/bounded-map.ts'
import { DAY_MS, QUARTER_MS } from '../../core/history/history-span.ts'
import { emptyRollUp, latencyOf, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import type { ComponentChart } from '../../core/status-pages/page-model.ts'
import type { Database } from '../../postgres/database.ts'
import { readRolledUp } from '../../store/history/summaries.ts'

/** Pages whose charts are kept in memory. */
const MAX_KEPT = 100

/** Charts of monitors, by their ids. */
export type Charts = Map<number, ComponentChart>

/** Reads the charts of pages once a quarter of an hour: they are medians of many checks, and of whole quarters. */
export function createChartReader(db: Database) {
  const kept = new Map<number, { key: string; charts: Promise<Charts> }>()

  return function readCharts(pageId: number, monitorIds: number[], now: Date): Promise<Charts> {
    if (monitorIds.length === 0) return Promise.resolve(new Map())
    const to = new Date(Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS)
    const key = `${to.getTime()} ${monitorIds.join()}`
    const known = kept.get(pageId)
    if (known?.key === key) return known.charts
    const charts = readMedians(db, monitorIds, to)
    putLast(kept, pageId, { key, charts }, MAX_KEPT)
    // A failure is not kept.
    charts.catch(() => kept.delete(pageId))
    return charts
  }
}

/** The medians of the day before a full quarter of an hour, over all regions. */
async function readMedians(db: Database, monitorIds: number[], to: Date): Promise<Charts> {
  const from = new Date(to.getTime() - DAY_MS)
  const rows = await readRolledUp(db, monitorIds, 'quarter', from, new Date(to.getTime() - 1))
  const sums = new Map<number, RollUp[]>(
    monitorIds.map((id) => [id, Array.from({ length: DAY_MS / QUARTER_MS }, emptyRollUp)]),
  )
  for (const { monitorId, at, rollUp } of rows) {
    const sum = sums.get(monitorId)?.[(at.getTime() - from.getTime()) / QUARTER_MS]
    if (sum) mergeRollUp(sum, rollUp)
  }
  return new Map(
    [...sums].map(([id, quarters]) => [
      id,
      { from, stepMs: QUARTER_MS, medianMs: quarters.map((quarter) => latencyOf(quarter).p50) },
    ]),
  )
}
