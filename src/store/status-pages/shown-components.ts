import { sql } from 'kysely'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { SaidState } from '../../core/status-pages/component-state.ts'
import type { SubjectIds } from '../../core/status-pages/component-subject.ts'
import type { Query } from '../../postgres/database.ts'
import { readSiteStatuses } from '../sites/site-statuses.ts'
import { ofSubject } from '../stored-kinds.ts'
import { isAmong } from '../subjects.ts'
import { withIds } from './layout.ts'

type Standing = Pick<ShownSubject, 'is_active' | 'status' | 'status_since'>

/** How a subject `v` stands. */
const STANDING = sql<Standing>`(${sql.raw(ofSubject('standing', { kind: 'v.kind', id: 'v.id' }))})`.as<'s'>(
  sql.ref('s'),
)

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

/** A subject of a team that is not deleted, as far as components show it. */
export type ShownSubject = SubjectIds & {
  subject_created_at: Date | null
  is_active: boolean | null
  status: CheckStatus | null
  status_since: Date | null
}

export async function readShownSubjects(
  query: Query,
  teamId: number,
  subjects: readonly SubjectRef[],
  now: Date,
): Promise<ShownSubject[]> {
  if (subjects.length === 0) return []
  const rows = await query
    .selectFrom('subjects as v')
    .innerJoinLateral(STANDING, (join) => join.onTrue())
    .select(['v.kind', 'v.id as subject_id', 'v.created_at as subject_created_at'])
    .select(['s.is_active', 's.status', 's.status_since'])
    .where('v.team_id', '=', teamId)
    .where('v.deleted_at', 'is', null)
    .where(isAmong(subjects))
    .execute()
  return withSiteStatuses(query, rows.map(withIds), now)
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
    .leftJoin('subjects as v', (join) =>
      join
        .onRef('v.kind', '=', 'c.kind')
        .onRef('v.id', '=', 'c.subject_id')
        .onRef('v.team_id', '=', 'p.team_id')
        .on('v.deleted_at', 'is', null),
    )
    .leftJoinLateral(STANDING, (join) => join.onTrue())
    .select(['c.id', 'c.group_id', 'c.position', 'c.name', 'c.description', 'c.shows_uptime'])
    .select(['c.shows_chart', 'c.state', 'c.created_at', 'c.updated_at', 'c.kind', 'c.subject_id'])
    .select(['v.created_at as subject_created_at', 's.is_active', 's.status', 's.status_since'])
    .where('c.page_id', '=', pageId)
    .where((eb) => eb.or([eb('c.kind', 'is', null), eb('v.id', 'is not', null)]))
    .orderBy('c.position')
    .orderBy('c.id')
    .execute()
  return withSiteStatuses(query, rows.map(withIds), now)
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
