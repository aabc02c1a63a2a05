import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SaidState } from '../../core/status-pages/component-state.ts'
import type { Query } from '../../postgres/database.ts'

/** A component that visitors see, and what its monitor says of it; null where there is none. */
export type ShownComponentRow = {
  id: number
  group_id: number | null
  position: number
  name: string
  description: string
  shows_uptime: boolean
  shows_chart: boolean
  state: SaidState
  created_at: Date
  updated_at: Date
  monitor_id: number | null
  monitor_created_at: Date | null
  is_active: boolean | null
  status: CheckStatus | null
  status_since: Date | null
}

/** The monitors of a team that are not deleted, as far as components show them. */
export type ShownMonitor = Pick<
  ShownComponentRow,
  'monitor_id' | 'monitor_created_at' | 'is_active' | 'status' | 'status_since'
>

export async function readShownMonitors(
  query: Query,
  teamId: number,
  ids: number[],
): Promise<ShownMonitor[]> {
  if (ids.length === 0) return []
  return query
    .selectFrom('monitors as m')
    .leftJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .select(['m.id as monitor_id', 'm.created_at as monitor_created_at', 'm.is_active'])
    .select(['s.status', 's.status_since'])
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .where('m.id', 'in', ids)
    .execute()
}

/** The components of a page, without those of deleted monitors. */
export async function readShownComponents(query: Query, pageId: number): Promise<ShownComponentRow[]> {
  return query
    .selectFrom('status_components as c')
    .innerJoin('status_pages as p', 'p.id', 'c.page_id')
    .leftJoin('monitors as m', (join) =>
      join
        .onRef('m.id', '=', 'c.monitor_id')
        .onRef('m.team_id', '=', 'p.team_id')
        .on('m.deleted_at', 'is', null),
    )
    .leftJoin('monitor_state as s', 's.monitor_id', 'm.id')
    .select(['c.id', 'c.group_id', 'c.position', 'c.name', 'c.description', 'c.shows_uptime'])
    .select(['c.shows_chart', 'c.state', 'c.created_at', 'c.updated_at', 'm.id as monitor_id'])
    .select(['m.created_at as monitor_created_at', 'm.is_active', 's.status', 's.status_since'])
    .where('c.page_id', '=', pageId)
    .where((eb) => eb.or([eb('c.monitor_id', 'is', null), eb('m.id', 'is not', null)]))
    .orderBy('c.position')
    .orderBy('c.id')
    .execute()
}
