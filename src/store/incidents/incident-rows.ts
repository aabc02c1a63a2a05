import { type RawBuilder, sql } from 'kysely'
import type { INCIDENT_LIST } from '../../core/lists/incident-list.ts'
import type { FilterValues } from '../../core/lists/list.ts'
import { ofEachKind } from '../../core/maintenance/subject-kind.ts'
import type { IncidentRecord } from '../../core/monitors/incident.ts'
import { type IncidentFilterState, IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Query } from '../../postgres/database.ts'
import { contains, type FilterConditions, matching } from '../lists/conditions.ts'
import { acknowledgedBy, type HolderColumn, IS_ACKNOWLEDGED } from '../on-call/acknowledged-by.ts'

export type IncidentRowFilter = FilterValues<typeof INCIDENT_LIST>

export type IncidentRowRecord = IncidentRecord & {
  kind: IncidentKind
  subjectId: number
  subjectName: string
  about: string | null
  warnsOnly: boolean
  acknowledgement: HolderColumn
}

type Parts = {
  monitor: { about: null }
  server: { about: string; cause: string }
  site: { about: SiteArea; cause: string }
}

/** An incident of a kind, with all that is known of it. */
export type IncidentOf<Kind extends IncidentKind = IncidentKind> = IncidentRowRecord &
  Parts[Kind] & { kind: Kind; processes: TopProcess[] | null }

/** A page of incidents, newest first, and how many there are in all. Those of deleted subjects are left out. */
export async function readIncidentRows(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: IncidentRowRecord[] }> {
  if (filter.search) return searchRows(query, teamId, filter, page)
  const total = await countIncidents(query, teamId, filter)
  const rows = page.offset < total ? await readPage(query, teamId, filter, page) : []
  return { total, rows }
}

/** An incident `i` with its subject `s`, and what a row shows of them. */
const SOURCE = sql.raw('team_incidents i JOIN subjects s ON s.kind = i.kind AND s.id = i.subject_id')
const COLUMNS = sql.raw(`i.kind, i.id, i.started_at AS "startedAt", i.resolved_at AS "resolvedAt", i.cause,
  s.id AS "subjectId", s.name AS "subjectName", i.about, i.warns_only AS "warnsOnly",
  CASE WHEN i.resolved_at IS NULL THEN ${acknowledgedBy()} END AS acknowledgement`)

/** The order of a page; ids tell apart those of one kind. */
const NEWEST_FIRST = sql`ORDER BY "startedAt" DESC, kind, id DESC`

/** How many there are in all, which the list says, too. */
export async function countIncidents(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM ${SOURCE} WHERE ${foundIn(teamId, filter)}`.execute(query)
  return rows[0]?.count ?? 0
}

/** Each kind is read along its index, no farther than the page can need. */
async function readPage(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows } = await sql<IncidentRowRecord>`
    SELECT found.* FROM unnest(${IncidentKind.options}::text[]) AS each CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM ${SOURCE} WHERE i.kind = each AND ${foundIn(teamId, filter)}
      ORDER BY i.started_at DESC, i.id DESC LIMIT ${limit + offset}) AS found
    ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}`.execute(query)
  return rows
}

/** Words may be in any row: all are read once, for the number and for the page. */
async function searchRows(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows } = await sql<{ total: number } & (IncidentRowRecord | { id: null })>`
    WITH matching AS MATERIALIZED (SELECT ${COLUMNS} FROM ${SOURCE} WHERE ${foundIn(teamId, filter)})
    SELECT * FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN (
      SELECT * FROM matching ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true ${NEWEST_FIRST}`.execute(query)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & IncidentRowRecord => row.id !== null),
  }
}

/** Incidents of one kind, newest first, with all that is known of them. */
export async function newestIncidents<Kind extends IncidentKind>(
  query: Query,
  teamId: number,
  kind: Kind,
  filter: IncidentRowFilter,
  limit: number,
): Promise<IncidentOf<Kind>[]> {
  const { rows } = await sql<IncidentOf<Kind>>`
    SELECT ${COLUMNS}, i.processes FROM ${SOURCE} WHERE i.kind = ${kind} AND ${foundIn(teamId, filter)}
    ORDER BY i.started_at DESC, i.id DESC LIMIT ${limit}`.execute(query)
  return rows
}

export async function findIncidentOf<Kind extends IncidentKind>(
  query: Query,
  teamId: number,
  kind: Kind,
  id: number,
): Promise<IncidentOf<Kind> | null> {
  const { rows } = await sql<IncidentOf<Kind>>`
    SELECT ${COLUMNS}, i.processes FROM ${SOURCE}
    WHERE i.kind = ${kind} AND i.id = ${id} AND ${foundIn(teamId, {})}`.execute(query)
  return rows[0] ?? null
}

const IN_STATE = {
  open: 'i.resolved_at IS NULL',
  resolved: 'i.resolved_at IS NOT NULL',
  unacknowledged: `i.resolved_at IS NULL AND NOT ${IS_ACKNOWLEDGED}`,
} as const satisfies Record<IncidentFilterState, string>

const ofSubject = (kind: IncidentKind) => (id: number) => sql`i.kind = ${kind} AND i.subject_id = ${id}`

const CONDITIONS: FilterConditions<typeof INCIDENT_LIST> = {
  search: (text) => sql`${contains('s.name', text)} OR ${contains('i.cause', text)}`,
  state: (state) => sql.raw(IN_STATE[state]),
  kind: (kind) => sql`i.kind = ${kind}`,
  ...ofEachKind(ofSubject),
  from: (at) => sql`i.resolved_at IS NULL OR i.resolved_at >= ${at}`,
  to: (at) => sql`i.started_at < ${at}`,
  // Each is named by its kind and id.
  ids: (ids) => sql`(i.kind, i.id) IN (
    SELECT split_part(named, '-', 1), split_part(named, '-', 2)::bigint FROM unnest(${ids}::text[]) AS named)`,
}

function foundIn(teamId: number, filter: IncidentRowFilter): RawBuilder<unknown> {
  return sql`i.team_id = ${teamId} AND s.team_id = ${teamId} AND s.deleted_at IS NULL AND ${matching(CONDITIONS, filter)}`
}
