import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import type { Monitor } from '../../core/monitors/monitor.ts'
import type { Query } from '../../postgres/database.ts'
import { lockDeletedMonitor, resetStates, unmarkDeleted } from '../../store/monitors/monitor-changes.ts'
import { findMonitor, type MonitorRecord } from '../../store/monitors/monitors.ts'
import type { Services } from '../services.ts'
import { recordOperatorAudit } from '../teams/audit-trail.ts'
import { refuseOverLimit } from './create-monitor.ts'
import { firstDeadline, judgeGroupsAnew, restartChecks } from './monitor-activity.ts'
import { presentMonitor } from './present-monitor.ts'

/** Restores a monitor for an operator at the command line. */
export async function restoreMonitor(services: Services, monitorId: number): Promise<Monitor> {
  const restored = await services.db.query.transaction().execute(async (query) => {
    const { teamId, monitor } = await bringBack(services, query, monitorId)
    await recordOperatorAudit(query, services, teamId, 'restoreMonitor', monitor)
    return monitor
  })
  return presentMonitor(services, restored, 'owner')
}

/** Restores a deleted monitor and its history with status `pending`. Refuses over the plan's limit. */
export async function bringBack(
  services: Services,
  query: Query,
  monitorId: number,
): Promise<{ teamId: number; monitor: MonitorRecord }> {
  const { vault, now } = services
  const deleted = await lockDeletedMonitor(query, monitorId)
  if (!deleted)
    throw new Refusal('notFound', { detail: said('there is no deleted monitor {id}', { id: monitorId }) })
  await refuseOverLimit(services, query, deleted.teamId)
  await resetStates(query, [firstDeadline(now())(deleted)], now())
  await unmarkDeleted(query, deleted.teamId, monitorId)
  await judgeGroupsAnew(query, deleted.teamId, [deleted])
  await restartChecks(query, [monitorId])
  const monitor = (await findMonitor(query, vault, deleted.teamId, monitorId)) as MonitorRecord
  return { teamId: deleted.teamId, monitor }
}
