import { sql } from 'kysely'
import {
  type FieldOfEach,
  ofEachField,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SaidState } from '../../core/status-pages/component-state.ts'
import type { Query } from '../../postgres/database.ts'
import { readSiteStatuses } from '../sites/site-statuses.ts'

/** A component that visitors see, and what its subject says of it; null where there is none. */
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

/** A monitor, server or site of a team that is not deleted, as far as components show it. */
export type ShownSubject = FieldOfEach<'_id', number | null> & {
  subject_created_at: Date | null
  is_active: boolean | null
  status: CheckStatus | null
  status_since: Date | null
}

export async function readShownSubjects(
  query: Query,
  teamId: number,
  kind: SubjectKind,
  ids: number[],
  now: Date,
): Promise<ShownSubject[]> {
  if (ids.length === 0) return []
  const rows =
    kind === 'monitor'
      ? query.selectFrom('monitors as m').leftJoin('monitor_state as s', 's.monitor_id', 'm.id')
      : kind === 'server'
        ? query.selectFrom('servers as m').leftJoin('server_state as s', 's.server_id', 'm.id')
        : query.selectFrom('sites as m').leftJoin('server_state as s', (none) => none.on(sql<boolean>`false`))
  const found = await rows
    .select(['m.id', 'm.created_at as subject_created_at', 'm.is_active'])
    .select(['s.status', 's.status_since'])
    .where('m.team_id', '=', teamId)
    .where('m.deleted_at', 'is', null)
    .where('m.id', 'in', ids)
    .execute()
  const shown = found.map(({ id, ...subject }) => ({
    ...subject,
    ...ofEachField('_id', (one) => (one === kind ? id : null)),
  }))
  return withSiteStatuses(query, shown, now)
}

/** The components of a page, without those of deleted subjects. */
export async function readShownComponents(
  query: Query,
  pageId: number,
  now: Date,
): Promise<ShownComponentRow[]> {
  const rows = await query
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
    .leftJoin('sites as w', (join) =>
      join
        .onRef('w.id', '=', 'c.site_id')
        .onRef('w.team_id', '=', 'p.team_id')
        .on('w.deleted_at', 'is', null),
    )
    .select(['c.id', 'c.group_id', 'c.position', 'c.name', 'c.description', 'c.shows_uptime'])
    .select(['c.shows_chart', 'c.state', 'c.created_at', 'c.updated_at', 'm.id as monitor_id'])
    .select(['v.id as server_id', 'w.id as site_id'])
    .select([
      // As text, because finding the type of the same in Kysely's words took a fifth of the linter's time.
      sql<Date | null>`coalesce(m.created_at, v.created_at, w.created_at)`.as('subject_created_at'),
      sql<boolean | null>`coalesce(m.is_active, v.is_active, w.is_active)`.as('is_active'),
      sql<CheckStatus | null>`coalesce(s.status, t.status)`.as('status'),
      sql<Date | null>`coalesce(s.status_since, t.status_since)`.as('status_since'),
    ])
    .where('c.page_id', '=', pageId)
    .where((eb) => eb.or([eb('c.monitor_id', 'is', null), eb('m.id', 'is not', null)]))
    .where((eb) => eb.or([eb('c.server_id', 'is', null), eb('v.id', 'is not', null)]))
    .where((eb) => eb.or([eb('c.site_id', 'is', null), eb('w.id', 'is not', null)]))
    .orderBy('c.position')
    .orderBy('c.id')
    .execute()
  return withSiteStatuses(query, rows, now)
}

/** The status of a site is not stored: it is that of its areas. */
async function withSiteStatuses<Row extends ShownSubject>(
  query: Query,
  rows: Row[],
  now: Date,
): Promise<Row[]> {
  const ids = rows.flatMap(({ site_id }) => site_id ?? [])
  const statuses = await readSiteStatuses(query, [...new Set(ids)], now)
  return rows.map((row) => {
    const found = row.site_id === null ? undefined : statuses.get(row.site_id)
    return found ? { ...row, status: found.status, status_since: found.since } : row
  })
}

/** The subject of a component; null for one that is set by hand. */
export function subjectOf(
  component: Pick<ShownSubject, `${SubjectKind}_id`>,
): { kind: SubjectKind; id: number } | null {
  for (const kind of SUBJECT_KINDS) {
    const id = component[`${kind}_id`]
    if (id !== null) return { kind, id }
  }
  return null
}
