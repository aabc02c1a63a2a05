import { startOfDay, startOfHour } from '../../../src/core/history/history-span.ts'
import { mergeRollUp, type RollUp } from '../../../src/core/history/roll-up.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readRolledUp } from '../../../src/store/history/summaries.ts'

export type Period = { monitorId: number; at: Date; rollUp: RollUp }

/** Rolled-up periods and the remaining checks, with regions and hours of a day merged, oldest first. */
export async function readPeriods(
  db: Database,
  monitorIds: number[],
  unit: 'hour' | 'day',
  from: Date,
  to: Date,
): Promise<Period[]> {
  const startOf = unit === 'hour' ? startOfHour : startOfDay
  const periods = new Map<string, Period>()
  for (const { monitorId, at: within, rollUp } of await readRolledUp(db, monitorIds, unit, from, to)) {
    const at = startOf(within)
    const key = `${at.getTime()} ${monitorId}`
    const period = periods.get(key)
    if (period) mergeRollUp(period.rollUp, rollUp)
    else periods.set(key, { monitorId, at, rollUp })
  }
  return [...periods.values()].sort((a, b) => a.at.getTime() - b.at.getTime() || a.monitorId - b.monitorId)
}
