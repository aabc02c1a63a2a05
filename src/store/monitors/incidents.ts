import type { IncidentRecord } from '../../core/monitors/incident.ts'
import type { IncidentState } from '../../core/monitors/incident-story.ts'
import type { Query } from '../../postgres/database.ts'
import type { BriefRow } from './monitor-briefs.ts'

export type IncidentFilter = { state?: IncidentState | undefined; monitor?: number | undefined }

export type IncidentWithMonitor = IncidentRecord & { monitorId: number; monitorName: string }

/** Without deleted monitors. */
export async function countIncidents(query: Query, teamId: number, filter: IncidentFilter): Promise<number> {
  const row = await selectMatching(query, teamId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** One page, newest first. */
export async function listIncidents(
  query: Query,
  teamId: number,
  filter: IncidentFilter,
  page: { limit: number; offset: number },
): Promise<IncidentWithMonitor[]> {
  return selectMatching(query, teamId, filter)
    .select([
      'i.id',
      'i.started_at as startedAt',
      'i.resolved_at as resolvedAt',
      'i.cause',
      'm.id as monitorId',
      'm.name as monitorName',
    ])
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

function selectMatching(query: Query, teamId: number, { state, monitor }: IncidentFilter) {
  return query
    .selectFrom('incidents as i')
    .innerJoin('monitors as m', 'm.id', 'i.monitor_id')
    .where('i.team_id', '=', teamId)
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .$if(state === 'open', (rows) => rows.where('i.resolved_at', 'is', null))
    .$if(state === 'resolved', (rows) => rows.where('i.resolved_at', 'is not', null))
    .$if(monitor !== undefined, (rows) => rows.where('i.monitor_id', '=', monitor as number))
}

/** An incident with its monitor, as lists show it. */
export type IncidentOfMonitor = IncidentRecord & { monitor: BriefRow }

export async function findIncident(
  query: Query,
  teamId: number,
  incidentId: number,
): Promise<IncidentOfMonitor | null> {
  const row = await query
    .selectFrom('incidents as i')
    .innerJoin('monitors as m', 'm.id', 'i.monitor_id')
    .innerJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .where('i.team_id', '=', teamId)
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
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
      url: row.url,
      port: row.port,
      status: row.status,
      isActive: row.is_active,
      statusSince: row.status_since,
    },
  }
}
