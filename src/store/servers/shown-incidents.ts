import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { Query } from '../../postgres/database.ts'

export type ServerIncidentRecord = {
  id: number
  serverId: number
  serverName: string
  condition: string
  warnsOnly: boolean
  startedAt: Date
  resolvedAt: Date | null
  cause: string
  processes: TopProcess[] | null
}

/** Newest first, of one server or of all of the team; those of deleted servers are left out. */
export async function newestServerIncidents(
  query: Query,
  teamId: number,
  serverId: number | undefined,
  limit: number,
): Promise<ServerIncidentRecord[]> {
  return query
    .selectFrom('server_incidents as i')
    .innerJoin('servers as s', 's.id', 'i.server_id')
    .select(['i.id', 'i.server_id as serverId', 's.name as serverName', 'i.condition', 'i.cause'])
    .select(['i.warns_only as warnsOnly', 'i.started_at as startedAt', 'i.resolved_at as resolvedAt'])
    .select('i.processes')
    .where('i.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .$if(serverId !== undefined, (rows) => rows.where('i.server_id', '=', serverId as number))
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute()
}
