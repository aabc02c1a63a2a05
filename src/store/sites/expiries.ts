import { sql } from 'kysely'
import type { EXPIRY_LIST } from '../../core/lists/expiry-list.ts'
import type { FilterValues } from '../../core/lists/list.ts'
import type { Expiry } from '../../core/sites/shown-site.ts'
import type { Query } from '../../postgres/database.ts'
import { contains, type FilterConditions, matching } from '../lists/conditions.ts'

/** The date at which the certificate or the registration of the area `a` ends. */
export const EXPIRES_AT = `(CASE a.area WHEN 'domain' THEN a.memory->>'expires_at'
  WHEN 'certificate' THEN a.memory->'chain'->0->>'expires_at' END)::timestamptz`

export type ExpiryRecord = Omit<Expiry, 'at'> & { at: Date }

type Filter = FilterValues<typeof EXPIRY_LIST>

const CONDITIONS: FilterConditions<typeof EXPIRY_LIST> = {
  search: (text) => contains('e.name', text),
  of: (of) => sql`e.of = ${of}`,
}

/** The expiries of active sites and monitors. */
function expiriesOf(teamId: number, filter: Filter) {
  return sql`(
      SELECT CASE a.area WHEN 'domain' THEN 'domain' ELSE 'certificate' END AS of, 'site' AS subject,
        s.id AS subject_id, s.name, ${sql.raw(EXPIRES_AT)} AS at
      FROM sites s JOIN site_areas a ON a.site_id = s.id
      WHERE s.team_id = ${teamId} AND s.deleted_at IS NULL AND s.is_active
        AND a.area IN ('certificate', 'domain') AND NOT a.area = ANY(s.areas_off)
      UNION ALL
      SELECT 'certificate', 'monitor', m.id, m.name, t.ssl_expires_at
      FROM monitors m JOIN monitor_state t ON t.monitor_id = m.id
      WHERE m.team_id = ${teamId} AND m.deleted_at IS NULL AND m.is_active
    ) e WHERE e.at IS NOT NULL AND ${matching(CONDITIONS, filter)}`
}

export async function countExpiries(query: Query, teamId: number, filter: Filter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${expiriesOf(teamId, filter)}`.execute(query)
  return rows[0]?.total ?? 0
}

/** One page, soonest first. */
export async function listExpiries(
  query: Query,
  teamId: number,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ExpiryRecord[]> {
  const { rows } = await sql<ExpiryRecord>`
    SELECT e.of, e.subject, e.subject_id, e.name, e.at FROM ${expiriesOf(teamId, filter)}
    ORDER BY e.at, e.subject, e.subject_id, e.of LIMIT ${limit} OFFSET ${offset}`.execute(query)
  return rows
}
