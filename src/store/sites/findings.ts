import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import type { StoredFinding } from './crawl-findings.ts'

export type FindingRecord = Omit<StoredFinding, 'keyHash' | 'toldAt'> & {
  id: number
  siteId: number
  /** Its address, which lines of the audit log call it by. */
  name: string
  ignoredReason: string | null
}

function selectFindings(query: Query, teamId: number) {
  return query
    .selectFrom('site_findings as f')
    .innerJoin('sites as s', 's.id', 'f.site_id')
    .where('s.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .select(['f.id', 'f.site_id as siteId', 'f.area', 'f.kind', 'f.address', 'f.detail', 'f.sources'])
    .select('f.address as name')
    .select(['f.first_seen_at as firstSeenAt', 'f.last_seen_at as lastSeenAt'])
    .select(['f.confirmed_at as confirmedAt', 'f.fixed_at as fixedAt'])
    .select(['f.ignored_at as ignoredAt', 'f.ignored_reason as ignoredReason'])
}

/** Newest first; of those that are fixed, the ones since a time. */
export async function listFindings(
  query: Query,
  teamId: number,
  siteId: number,
  { fixedSince, limit }: { fixedSince: Date; limit: number },
): Promise<FindingRecord[]> {
  return (
    selectFindings(query, teamId)
      .where('f.site_id', '=', siteId)
      .where((eb) => eb.or([eb('f.fixed_at', 'is', null), eb('f.fixed_at', '>=', fixedSince)]))
      // Fixed ones come last: they must not push those that stand beyond the bound.
      .orderBy(sql`f.fixed_at IS NOT NULL`)
      .orderBy('f.first_seen_at', 'desc')
      .orderBy('f.id', 'desc')
      .limit(limit)
      .execute()
  )
}

export async function findFinding(
  query: Query,
  teamId: number,
  findingId: number,
): Promise<FindingRecord | null> {
  const row = await selectFindings(query, teamId).where('f.id', '=', findingId).executeTakeFirst()
  return row ?? null
}

/** Null: heeds it again. False if it is gone. */
export async function ignoreFinding(
  query: Query,
  teamId: number,
  findingId: number,
  ignored: { at: Date; reason: string } | null,
): Promise<boolean> {
  const row = await query
    .updateTable('site_findings as f')
    .from('sites as s')
    .set({ ignored_at: ignored?.at ?? null, ignored_reason: ignored?.reason ?? null })
    .whereRef('s.id', '=', 'f.site_id')
    .where('s.team_id', '=', teamId)
    .where('f.id', '=', findingId)
    .returning(['f.id', changeNotification(teamId, 'sites').as('notified')])
    .executeTakeFirst()
  return row !== undefined
}
