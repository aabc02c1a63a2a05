import { Refusal } from '../core/errors.ts'
import { deadline } from '../core/heartbeat.ts'
import type { Monitor } from '../core/monitor.ts'
import { intervalSeconds } from '../core/schedule.ts'
import { lockDeletedMonitor, unmarkDeleted, updateState } from '../store/monitor-changes.ts'
import { findMonitor, type MonitorRecord } from '../store/monitors.ts'
import { announceMonitor } from '../store/scheduling.ts'
import { refuseOverLimit } from './create-monitor.ts'
import { presentMonitor } from './present-monitor.ts'
import type { Services } from './services.ts'

/** Brings a deleted monitor back with its history, status `pending`; refused over the plan's limit. */
export async function restoreMonitor(services: Services, monitorId: number): Promise<Monitor> {
  const { db, vault, now } = services
  const restored = await db.query.transaction().execute(async (query) => {
    const deleted = await lockDeletedMonitor(query, monitorId)
    if (!deleted) throw new Refusal('notFound', { detail: `there is no deleted monitor ${monitorId}` })
    await refuseOverLimit(services, query, deleted.team_id)
    const seconds = intervalSeconds({
      checkIntervalMinutes: deleted.check_interval_minutes,
      checkIntervalSeconds: deleted.check_interval_seconds,
    })
    const heartbeatDueAt = deleted.type === 'heartbeat' ? deadline(now(), seconds) : null
    await updateState(query, monitorId, { status: 'pending', heartbeatDueAt })
    await unmarkDeleted(query, deleted.team_id, monitorId)
    await announceMonitor(query, monitorId)
    return (await findMonitor(query, vault, deleted.team_id, monitorId)) as MonitorRecord
  })
  return presentMonitor(services, restored, 'owner')
}
