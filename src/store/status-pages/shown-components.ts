import type { CheckStatus } from '../../core/monitors/check.ts'
import type { ComponentKind } from '../../core/status-pages/component-kind.ts'
import type { SaidState } from '../../core/status-pages/component-state.ts'
import type { Query } from '../../postgres/database.ts'

/** A component that visitors see, and what its monitor or server says of it; null where there is none. */
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
} & ShownSubject

/** A monitor or server of a team that is not deleted, as far as components show it. */
export type ShownSubject = {
  monitor_id: number | null
  server_id: number | null
  subject_created_at: Date | null
  is_active: boolean | null
  status: CheckStatus | null
  status_since: Date | null
}

export async function readShownSubjects(
  query: Query,
  teamId: number,
  kind: ComponentKind,
  ids: number[],
): Promise<ShownSubject[]> {
  if (ids.length === 0) return []
  const rows =
    kind === 'monitor'
      ? query.selectFrom('monitors as m').leftJoin('monitor_state as s', 's.monitor_id', 'm.id')
      : query.selectFrom('servers as m').leftJoin('server_state as s', 's.server_id', 'm.id')
  const found = await rows
    .select(['m.id', 'm.created_at as subject_created_at', 'm.is_active'])
    .select(['s.status', 's.status_since'])
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .where('m.id', 'in', ids)
    .execute()
  return found.map(({ id, ...subject }) => ({
    ...subject,
    monitor_id: kind === 'monitor' ? id : null,
    server_id: kind === 'server' ? id : null,
  }))
}

/** The components of a page, without those of deleted monitors and servers. */
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
    .leftJoin('servers as v', (join) =>
      join
        .onRef('v.id', '=', 'c.server_id')
        .onRef('v.team_id', '=', 'p.team_id')
        .on('v.deleted_at', 'is', null),
    )
    .leftJoin('server_state as t', 't.server_id', 'v.id')
    .select(['c.id', 'c.group_id', 'c.position', 'c.name', 'c.description', 'c.shows_uptime'])
    .select(['c.shows_chart', 'c.state', 'c.created_at', 'c.updated_at', 'm.id as monitor_id'])
    .select(({ fn }) => [
      'v.id as server_id',
      fn.coalesce('m.created_at', 'v.created_at').as('subject_created_at'),
      fn.coalesce('m.is_active', 'v.is_active').as('is_active'),
      fn.coalesce('s.status', 't.status').as('status'),
      fn.coalesce('s.status_since', 't.status_since').as('status_since'),
    ])
    .where('c.page_id', '=', pageId)
    .where((eb) => eb.or([eb('c.monitor_id', 'is', null), eb('m.id', 'is not', null)]))
    .where((eb) => eb.or([eb('c.server_id', 'is', null), eb('v.id', 'is not', null)]))
    .orderBy('c.position')
    .orderBy('c.id')
    .execute()
}

/** The monitor or server of a component; null for one that is set by hand. */
export function subjectOf({
  monitor_id,
  server_id,
}: Pick<ShownSubject, 'monitor_id' | 'server_id'>): { kind: ComponentKind; id: number } | null {
  if (monitor_id !== null) return { kind: 'monitor', id: monitor_id }
  return server_id === null ? null : { kind: 'server', id: server_id }
}
