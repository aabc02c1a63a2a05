import { sql } from 'kysely'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { announceTeams } from './schedule.ts'

/** The teams that regions are reserved for, in order; all other regions are open to every team. */
export async function readReservedRegions(query: Query): Promise<Map<string, number[]>> {
  const rows = await query.selectFrom('reserved_regions').selectAll().execute()
  return new Map(rows.map(({ region, team_ids }) => [region, team_ids]))
}

/** Makes reservations of regions take turns until the transaction ends; no other statement waits. */
export async function lockReservedRegions(query: Query): Promise<void> {
  await sql`LOCK TABLE reserved_regions IN EXCLUSIVE MODE`.execute(query)
}

/** Whether a region has a prober, a token for one, or turns. */
export async function isRegionInUse(query: Query, region: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM probe_tokens
    WHERE region = ${region} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    UNION ALL SELECT FROM probers WHERE region = ${region}
    UNION ALL SELECT FROM turns WHERE ${region} = ANY(before || regions)`.execute(query)
  return rows.length > 0
}

/** The ids, of these, that are teams. */
export async function knownTeams(query: Query, ids: number[]): Promise<Set<number>> {
  const rows = await query.selectFrom('teams').select('id').where('id', '=', anyOf(ids)).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Reserves a region for teams. Probers learn which monitors it is open to before it has a prober. */
export async function reserveRegion(query: Query, region: string, teamIds: number[]): Promise<void> {
  await query.insertInto('reserved_regions').values({ region, team_ids: teamIds }).execute()
  await announceTeams(query, teamIds)
}
