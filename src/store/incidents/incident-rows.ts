import { type RawBuilder, sql } from 'kysely'
import type { INCIDENT_LIST } from '../../core/lists/incident-list.ts'
import type { FilterValues } from '../../core/lists/list.ts'
import type { IncidentRecord } from '../../core/monitors/incident.ts'
import { type IncidentFilterState, IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { Query } from '../../postgres/database.ts'
import { contains, type FilterConditions, isAmong, matching } from '../lists/conditions.ts'
import { acknowledgedBy, type HolderColumn, isAcknowledged } from '../on-call/acknowledged-by.ts'
import { INCIDENT_PARTS, INCIDENT_TABLES } from './incident-ref.ts'

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
  const kinds = kindsOf(filter)
  if (kinds.length === 0) return { total: 0, rows: [] }
  if (filter.search) return searchRows(query, teamId, filter, kinds, page)
  const total = await countRows(query, teamId, filter, kinds)
  const rows = page.offset < total ? await readPage(query, teamId, filter, kinds, page) : []
  return { total, rows }
}

/** How many there are in all, which the list says, too. */
export function countIncidents(query: Query, teamId: number, filter: IncidentRowFilter): Promise<number> {
  return countRows(query, teamId, filter, kindsOf(filter))
}

/** The order of a page; ids tell apart those of one kind. */
const NEWEST_FIRST = sql`ORDER BY "startedAt" DESC, kind, id DESC`

async function countRows(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  kinds: IncidentKind[],
): Promise<number> {
  const counts = kinds.map(
    (kind) => sql`SELECT count(*) AS count FROM ${sourceOf(kind)} WHERE ${foundIn(teamId, filter, kind)}`,
  )
  const { rows } = await sql<{ count: number }>`
    SELECT sum(count)::bigint AS count FROM (${union(counts)}) AS counted`.execute(query)
  return rows[0]?.count ?? 0
}

/** Each kind is read along its index, no farther than the page can need. */
async function readPage(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  kinds: IncidentKind[],
  { limit, offset }: { limit: number; offset: number },
) {
  const parts = kinds.map(
    (kind) => sql`(SELECT ${columnsOf(kind)} FROM ${sourceOf(kind)} WHERE ${foundIn(teamId, filter, kind)}
      ORDER BY i.started_at DESC, i.id DESC LIMIT ${limit + offset})`,
  )
  const { rows } = await sql<IncidentRowRecord>`
    SELECT * FROM (${union(parts)}) AS found ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}`.execute(query)
  return rows
}

/** Words may be in any row: all are read once, for the number and for the page. */
async function searchRows(
  query: Query,
  teamId: number,
  filter: IncidentRowFilter,
  kinds: IncidentKind[],
  { limit, offset }: { limit: number; offset: number },
) {
  const parts = kinds.map(
    (kind) => sql`SELECT ${columnsOf(kind)} FROM ${sourceOf(kind)} WHERE ${foundIn(teamId, filter, kind)}`,
  )
  const { rows } = await sql<{ total: number } & (IncidentRowRecord | { id: null })>`
    WITH matching AS MATERIALIZED (${union(parts)})
    SELECT * FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN (
      SELECT * FROM matching ${NEWEST_FIRST} LIMIT ${limit} OFFSET ${offset}
    ) AS page ON true ${NEWEST_FIRST}`.execute(query)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & IncidentRowRecord => row.id !== null),
  }
}

function union(parts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(parts, sql` UNION ALL `)
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
    ${wholeOf(kind)} WHERE ${foundIn(teamId, filter, kind)}
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
    ${wholeOf(kind)} WHERE ${foundIn(teamId, {}, kind)} AND i.id = ${id}`.execute(query)
  return rows[0] ?? null
}

function wholeOf(kind: IncidentKind): RawBuilder<unknown> {
  return sql`SELECT ${columnsOf(kind)}, ${sql.raw(INCIDENT_PARTS[kind].processes)} AS processes FROM ${sourceOf(kind)}`
}

function sourceOf(kind: IncidentKind): RawBuilder<unknown> {
  return sql.raw(`${INCIDENT_TABLES[kind]} i JOIN ${kind}s s ON s.id = i.${kind}_id`)
}

function columnsOf(kind: IncidentKind): RawBuilder<unknown> {
  const { about, warnsOnly } = INCIDENT_PARTS[kind]
  return sql.raw(`'${kind}'::text AS kind, i.id, i.started_at AS "startedAt", i.resolved_at AS "resolvedAt", i.cause,
    s.id AS "subjectId", s.name AS "subjectName", ${about} AS about, ${warnsOnly} AS "warnsOnly",
    CASE WHEN i.resolved_at IS NULL THEN ${acknowledgedBy(kind, 'i.id', 'i.team_id')} END AS acknowledgement`)
}

/** The kinds that a filter leaves: none where it names subjects of two. */
function kindsOf(filter: IncidentRowFilter): IncidentKind[] {
  const named = IncidentKind.options.filter((kind) => filter[kind] !== undefined)
  return IncidentKind.options.filter(
    (kind) => (filter.kind ?? kind) === kind && named.every((name) => name === kind),
  )
}

const IN_STATE = {
  open: () => 'i.resolved_at IS NULL',
  resolved: () => 'i.resolved_at IS NOT NULL',
  unacknowledged: (kind) => `i.resolved_at IS NULL AND NOT ${isAcknowledged(kind, 'i.id', 'i.team_id')}`,
} as const satisfies Record<IncidentFilterState, (kind: IncidentKind) => string>

/** The filters' questions to an incident of a kind; those of other kinds are not read (`kindsOf`). */
const conditionsOf = (kind: IncidentKind): FilterConditions<typeof INCIDENT_LIST> => ({
  search: (text) => sql`${contains('s.name', text)} OR ${contains('i.cause', text)}`,
  state: (state) => sql.raw(IN_STATE[state](kind)),
  kind: () => sql`true`,
  monitor: (id) => sql`s.id = ${id}`,
  server: (id) => sql`s.id = ${id}`,
  site: (id) => sql`s.id = ${id}`,
  from: (at) => sql`i.resolved_at IS NULL OR i.resolved_at >= ${at}`,
  to: (at) => sql`i.started_at < ${at}`,
  ids: (ids) =>
    isAmong(
      'i.id',
      ids.filter((id) => id.startsWith(`${kind}-`)).map((id) => id.slice(kind.length + 1)),
    ),
})

function foundIn(teamId: number, filter: IncidentRowFilter, kind: IncidentKind): RawBuilder<unknown> {
  return sql`i.team_id = ${teamId} AND s.team_id = ${teamId} AND s.deleted_at IS NULL
    AND ${matching(conditionsOf(kind), filter)}`
}
