import { type Cutoffs, commonCutoffs, cutoffsOf, DAY_MS } from '../../core/history/history-span.ts'
import type { PlanName, Plans } from '../../core/teams/plan.ts'
import type { Database } from '../../postgres/database.ts'
import { dropPartitionsBefore } from '../../store/history/partitions.ts'
import { monitorsOnPlan, removeSomeBefore } from '../../store/history/retention.ts'
import { removeSomeOccurrences, removeSomeWindows } from '../../store/maintenance/past-occurrences.ts'
import { plansInUse } from '../../store/teams/teams.ts'

const MONITORS_PER_STEP = 200
/** A window that was deleted stays for a while, so that what is over of it is kept first. */
const MAX_CHANGED_MS = 7 * DAY_MS

/**
 * Removes history that no plan shows any more: whole partitions past every plan in use, and, for teams on smaller
 * plans, their chunks, roll-ups and pauses; and deleted maintenance windows that nothing is left of. Pauses after every
 * short step.
 */
export async function* retain({
  db,
  plans,
  now,
  note,
}: {
  db: Database
  plans: Plans
  now: () => Date
  note: (message: string) => void
}): AsyncGenerator<void> {
  const at = now()
  const inUse = await plansInUse(db.query)
  const all = commonCutoffs(plans, inUse, at)
  if (!all) return
  for await (const dropped of dropPast(db, all)) {
    if (dropped.length > 0) note(`history past every plan's window removed: ${dropped.join(', ')}`)
    yield
  }
  if (all.rollUps) while (await removeSomeOccurrences(db, all.rollUps)) yield
  while (await removeSomeWindows(db, new Date(at.getTime() - MAX_CHANGED_MS))) yield
  yield
  for (const plan of inUse) yield* removePast(db, plan, cutoffsOf(plans[plan], at))
}

async function* dropPast(db: Database, { checks, rollUps, pings }: Cutoffs): AsyncGenerator<string[]> {
  yield dropPartitionsBefore(db.query, pings, ['pings'])
  if (checks) yield dropPartitionsBefore(db.query, checks, ['checks', 'check_chunks'])
  if (rollUps) yield dropPartitionsBefore(db.query, rollUps, ['check_hours'])
}

async function* removePast(db: Database, plan: PlanName, cutoffs: Cutoffs): AsyncGenerator<void> {
  const { checks, rollUps } = cutoffs
  if (!checks || !rollUps) return
  for (let after = 0; ; ) {
    const ids = await monitorsOnPlan(db, plan, after, MONITORS_PER_STEP)
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    const cutoffOf = {
      check_chunks: checks,
      check_hours: rollUps,
      check_days: rollUps,
      monitor_pauses: rollUps,
    }
    for (const [table, cutoff] of Object.entries(cutoffOf) as [keyof typeof cutoffOf, Date][]) {
      while (await removeSomeBefore(db, table, ids, cutoff)) yield
      yield
    }
  }
}
