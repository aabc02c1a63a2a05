import { Refusal } from '../core/errors.ts'
import type { Monitor } from '../core/monitor.ts'
import { lockDeletedMonitor, resetStates, unmarkDeleted } from '../store/monitor-changes.ts'
import { findMonitor, type MonitorRecord } from '../store/monitors.ts'
import { refuseOverLimit } from './create-monitor.ts'
import { firstDeadline, startAnew } from './monitor-activity.ts'
import { presentMonitor } from './present-monitor.ts'
import type { Services } from './services.ts'

/** Brings a deleted monitor back with its history, status `pending`; refused over the plan's limit. */
export async function restoreMonitor(services: Services, monitorId: number): Promise<Monitor> {
  const { db, vault, now } = services
  const restored = await db.query.transaction().execute(async (query) => {
    const deleted = await lockDeletedMonitor(query, monitorId)
    if (!deleted) throw new Refusal('notFound', { detail: `there is no deleted monitor ${monitorId}` })
    await refuseOverLimit(services, query, deleted.teamId)
    await resetStates(query, [firstDeadline(now())(deleted)], now())
    await unmarkDeleted(query, deleted.teamId, monitorId)
    await startAnew(query, [monitorId])
    return (await findMonitor(query, vault, deleted.teamId, monitorId)) as MonitorRecord
  })
  return presentMonitor(services, restored, 'owner')
}
