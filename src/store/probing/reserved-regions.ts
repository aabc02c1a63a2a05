import { sql } from 'kysely'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { announceTeams } from './schedule.ts'

/** The teams that regions are reserved for, in order; all other regions are everybody's. */
export async function readReservedRegions(query: Query): Promise<Map<string, number[]>> {
  const rows = await query.selectFrom('reserved_regions').selectAll().execute()
  return new Map(rows.map(({ region, team_ids }) => [region, team_ids]))
}

/** Has who reserves regions take turns, until the transaction ends; nobody else waits. */
export async function lockReservedRegions(query: Query): Promise<void> {
  await sql`LOCK TABLE reserved_regions IN EXCLUSIVE MODE`.execute(query)
}

/** Whether somebody probes from a region, might by a token, or still has turns there. */
export async function isRegionInUse(query: Query, region: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM probe_tokens
    WHERE region = ${region} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    UNION ALL SELECT FROM probers WHERE region = ${region}
    UNION ALL SELECT FROM turns WHERE ${region} = ANY(before || regions)`.execute(query)
  return rows.length > 0
}

/** Those of these ids that are teams. */
export async function knownTeams(query: Query, ids: number[]): Promise<Set<number>> {
  const rows = await query.selectFrom('teams').select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Reserves a region for teams. Those who check hear whose monitors it is open to before anybody probes from it. */
export async function reserveRegion(query: Query, region: string, teamIds: number[]): Promise<void> {
  await query.insertInto('reserved_regions').values({ region, team_ids: teamIds }).execute()
  await announceTeams(query, teamIds)
}
