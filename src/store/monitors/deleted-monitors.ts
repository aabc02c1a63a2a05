import type { MonitorType } from '../../core/monitors/monitor.ts'
import type { Query } from '../../postgres/database.ts'

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
  teamId: number,
  limit: number,
): Promise<DeletedMonitorRecord[]> {
  return selectDeleted(query, teamId)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findDeletedMonitor(
  query: Query,
  teamId: number,
  id: number,
): Promise<DeletedMonitorRecord | null> {
  return (await selectDeleted(query, teamId).where('id', '=', id).executeTakeFirst()) ?? null
}

function selectDeleted(query: Query, teamId: number) {
  return query
    .selectFrom('monitors')
    .select(['id', 'name', 'type', 'url', 'port', 'deleted_at as deletedAt'])
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deletedAt: Date }>()
}
