import { MAX_DELETED_SHOWN } from '../../contract/monitor-pages.ts'
import type { DeletedMonitor } from '../../core/history/monitor-report.ts'
import { formatInstant } from '../../core/instant.ts'
import { targetOf } from '../../core/monitors/target.ts'
import { listDeletedMonitors as readDeleted } from '../../store/monitors/deleted-monitors.ts'
import type { Implementation } from '../implementation.ts'
import { presentMonitor } from './present-monitor.ts'
import { bringBack } from './restore-monitor.ts'

export const listDeletedMonitors: Implementation<'listDeletedMonitors'> = {
  async perform({ db, vault }, { actor }) {
    const records = await readDeleted(db.query, vault, actor.teamId, MAX_DELETED_SHOWN)
    const data = records.map(
      (record): DeletedMonitor => ({
        id: record.id,
        name: record.name,
        type: record.type,
        target: targetOf(record),
        deleted_at: formatInstant(record.deletedAt),
      }),
    )
    return { body: { data } }
  },
}

export const restoreMonitor: Implementation<'restoreMonitor'> = {
  async perform(services, { actor, record }) {
    const { monitor } = await services.db.query
      .transaction()
      .execute((query) => bringBack(services, query, record.id))
    return { body: { data: presentMonitor(services, monitor, actor.role) } }
  },
}
