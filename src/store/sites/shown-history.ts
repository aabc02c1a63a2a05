import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

export type DnsSetRecord = { type: string; records: string[]; firstSeenAt: Date; lastSeenAt: Date }

/** Newest first. */
export async function listDnsSets(
  query: Query,
  teamId: number,
  siteId: number,
  limit: number,
): Promise<DnsSetRecord[]> {
  return query
    .selectFrom('site_dns_sets as d')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .select(['d.type', 'd.records', 'd.first_seen_at as firstSeenAt', 'd.last_seen_at as lastSeenAt'])
    .where('s.team_id', '=', teamId)
    .where('d.site_id', '=', siteId)
    .orderBy('d.last_seen_at', 'desc')
    .orderBy('d.first_seen_at', 'desc')
    .orderBy('d.type')
    .limit(limit)
    .execute()
}

/** The date at which the certificate or the registration of the area `a` ends. */
export const EXPIRES_AT = `(CASE a.area WHEN 'domain' THEN a.memory->>'expires_at'
  WHEN 'certificate' THEN a.memory->'chain'->0->>'expires_at' END)::timestamptz`

export type ExpiryRecord = {
  of: 'certificate' | 'domain'
  subject: 'site' | 'monitor'
  subjectId: number
  name: string
  at: Date
}

/** The expiries of active sites and monitors, soonest first. */
export async function listExpiries(query: Query, teamId: number, limit: number): Promise<ExpiryRecord[]> {
  const { rows } = await sql<ExpiryRecord>`
    SELECT e.of, e.subject, e.id AS "subjectId", e.name, e.at FROM (
      SELECT CASE a.area WHEN 'domain' THEN 'domain' ELSE 'certificate' END AS of, 'site' AS subject, s.id, s.name,
        ${sql.raw(EXPIRES_AT)} AS at
      FROM sites s JOIN site_areas a ON a.site_id = s.id
      WHERE s.team_id = ${teamId} AND s.deleted_at IS NULL AND s.is_active
        AND a.area IN ('certificate', 'domain') AND NOT a.area = ANY(s.areas_off)
      UNION ALL
      SELECT 'certificate', 'monitor', m.id, m.name, t.ssl_expires_at
      FROM monitors m JOIN monitor_state t ON t.monitor_id = m.id
      WHERE m.team_id = ${teamId} AND m.deleted_at IS NULL AND m.is_active
    ) e
    WHERE e.at IS NOT NULL ORDER BY e.at, e.subject, e.id, e.of LIMIT ${limit}`.execute(query)
  return rows
}
