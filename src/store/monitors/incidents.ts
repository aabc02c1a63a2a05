import type { IncidentRecord } from '../../core/monitors/incident.ts'
import type { Query } from '../../postgres/database.ts'
import type { Vault } from '../sealing/vault.ts'
import type { BriefRow } from './monitor-briefs.ts'
import { openUrl } from './monitor-columns.ts'

/** An incident with its monitor, as lists show it. */
export type IncidentOfMonitor = IncidentRecord & { monitor: BriefRow }

export async function findIncident(
  query: Query,
  vault: Vault,
  teamId: number,
  incidentId: number,
): Promise<IncidentOfMonitor | null> {
  const row = await query
    .selectFrom('team_incidents as i')
    .innerJoin('monitors as m', 'm.id', 'i.subject_id')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .where('i.team_id', '=', teamId)
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .where('i.kind', '=', 'monitor')
    .where('i.id', '=', incidentId)
    .select([
      'i.id',
      'i.started_at',
      'i.resolved_at',
      'i.cause',
      'm.id as monitor_id',
      'm.name',
      'm.type',
      'm.url',
      'm.sealed_url',
      'm.port',
      'm.is_active',
      's.status',
      's.status_since',
    ])
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    startedAt: row.started_at,
    resolvedAt: row.resolved_at,
    cause: row.cause,
    monitor: {
      id: row.monitor_id,
      name: row.name,
      type: row.type,
      url: openUrl({ ...row, id: row.monitor_id }, vault),
      port: row.port,
      status: row.status,
      isActive: row.is_active,
      statusSince: row.status_since,
    },
  }
}
