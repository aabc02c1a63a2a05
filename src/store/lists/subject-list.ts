import { sql } from 'kysely'
import { type FilterValues, type List, orderOf, type SortName } from '../../core/lists/list.ts'
import { LiveStatus } from '../../core/monitors/status.ts'
import type { TagGroup } from '../../core/tags/tag-group.ts'
import type { Database } from '../../postgres/database.ts'
import { tagOfKey } from '../tags/selecting.ts'
import { type FilterConditions, matching } from './conditions.ts'

/** How a list of subjects is read. All but the conditions is SQL. */
export type SubjectList<L extends List> = {
  list: L
  /** The table of the subjects and what belongs to each. */
  from: string
  /** The name by which `from` has that table. */
  subject: string
  /** The rule of core/monitors/status.ts. */
  liveStatus: string
  /** Orders names. */
  name: string
  conditions: FilterConditions<L>
  sorts: { [Name in SortName<L>]: string }
}

type Listed = { ids: number[]; total: number; groups: TagGroup[] | null }
type Asked<Sort> = {
  sort: Sort
  order?: 'asc' | 'desc' | undefined
  group?: string | undefined
  page: number
  per_page: number
}

/**
 * The ids of one page of the subjects that a query asks for, in their order, and of all that match their number and, if it
 * names a key of tags, their groups, which come before the order. Only the rows of the page need to be read then.
 */
export async function findListed<L extends List>(
  { pool, query: builder }: Pick<Database, 'pool' | 'query'>,
  source: SubjectList<L>,
  teamId: number,
  query: FilterValues<L> & Asked<SortName<L>>,
): Promise<Listed> {
  const { sort, order, group, page, per_page } = query
  const { list, from, subject, liveStatus, name, sorts } = source
  const id = sql.ref(`${subject}.id`)
  const status = sql.raw(group === undefined ? 'NULL' : liveStatus)
  const direction = sql.raw(orderOf(list.sorts, sort, order))
  const inOrder = sql`grouped COLLATE "C" NULLS LAST, key ${direction} NULLS LAST, name, id`
  const { sql: text, parameters } = sql<Listed>`
    WITH matching AS MATERIALIZED (
      SELECT ${id} AS id, ${sql.raw(sorts[sort])} AS key, ${sql.raw(name)} AS name,
        ${group === undefined ? sql`NULL::text` : tagOfKey(`${subject}.tags`, group)} AS grouped, ${status} AS status
      FROM ${sql.raw(from)}
      WHERE ${sql.ref(`${subject}.team_id`)} = ${teamId} AND ${sql.ref(`${subject}.deleted_at`)} IS NULL
        AND ${matching(source.conditions, query)}
    )
    SELECT (SELECT count(*)::int FROM matching) AS total,
      ARRAY(SELECT id FROM matching ORDER BY ${inOrder} LIMIT ${per_page} OFFSET ${(page - 1) * per_page}) AS ids,
      ${group === undefined ? sql`NULL` : GROUPS} AS groups`.compile(builder)
  // It has no name: each combination of filters is a statement of its own, and connections keep all that have one.
  const { rows } = await pool.query<Listed>(text, [...parameters])
  return rows[0] ?? { ids: [], total: 0, groups: null }
}

/** Lower is worse: what somebody should look at comes first. */
export function urgencyOf(liveStatus: string): string {
  return `array_position('{${LiveStatus.options}}'::text[], ${liveStatus})`
}

/** The groups in the order of the list, each with its worst status. */
const GROUPS = sql`(SELECT coalesce(json_agg(g ORDER BY tag COLLATE "C" NULLS LAST), '[]') FROM (
  SELECT grouped AS tag, sum(count)::int AS count, (array_agg(status ORDER BY urgency))[1] AS worst,
    (array_agg(count ORDER BY urgency))[1]::int AS worst_count
  FROM (SELECT grouped, status, ${sql.raw(urgencyOf('status'))} AS urgency, count(*) AS count FROM matching GROUP BY grouped, status) counted
  GROUP BY grouped) g)`

/** Rows in the order of their ids; those that are gone since these were found are left out. */
export function inOrderOf<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Orders names as people count: `grow-2` before `grow-10`. Numbers get leading zeros; accents decide nothing. */
export function naturalOrder(column: string): string {
  const plain = `lower(regexp_replace(normalize(${column}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`
  const padded = `regexp_replace(${plain}, '(\\d+)', '${'0'.repeat(NUMBER_LENGTH)}\\1', 'g')`
  return `regexp_replace(${padded}, '\\d*(\\d{${NUMBER_LENGTH}})', '\\1', 'g') COLLATE "C"`
}

const NUMBER_LENGTH = 20
