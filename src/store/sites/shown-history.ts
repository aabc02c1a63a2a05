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
