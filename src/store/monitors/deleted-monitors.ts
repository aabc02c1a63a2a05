import type { MonitorType } from '../../core/monitors/monitor.ts'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'
import { openUrl } from './monitor-columns.ts'

export type DeletedMonitorRecord = {
  id: number
  name: string
  type: MonitorType
  url: string | null
  port: number | null
  deletedAt: Date
}

/** The most recently deleted come first. */
export async function listDeletedMonitors(
  query: Query,
  vault: Vault,
  teamId: number,
  limit: number,
): Promise<DeletedMonitorRecord[]> {
  const rows = await selectDeleted(query, teamId)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => Object.assign(row, { url: openUrl(row, vault) }))
}

export async function findDeletedMonitor(
  query: Query,
  vault: Vault,
  teamId: number,
  id: number,
): Promise<DeletedMonitorRecord | null> {
  const row = await selectDeleted(query, teamId).where('id', '=', id).executeTakeFirst()
  return row ? Object.assign(row, { url: openUrl(row, vault) }) : null
}

function selectDeleted(query: Query, teamId: number) {
  return query
    .selectFrom('monitors')
    .select(['id', 'name', 'type', 'url', 'sealed_url', 'port', 'deleted_at as deletedAt'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deletedAt: Date }>()
}
