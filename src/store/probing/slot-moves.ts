import type { SlotMove } from '../../core/probing/slot.ts'
import type { Connection } from '../../postgres/database.ts'
import { holdMemberships } from './memberships.ts'

export type RegionMoves = { region: string; give: SlotMove[]; ask: SlotMove[] }

/**
 * Gives and asks for slots as far as they fit. A prober whose membership has ended since the moves were decided gets
 * none: slots are locked before the memberships, as by whoever ends one.
 */
export async function moveSlots(client: Connection, { region, give, ask }: RegionMoves): Promise<void> {
  const moves = [...give, ...ask]
  await client.query(
    'SELECT FROM slots WHERE region = $1 AND slot = ANY($2) ORDER BY region, slot FOR NO KEY UPDATE',
    [region, moves.map(({ slot }) => slot)],
  )
  const living = await holdMemberships(client, [...new Set(moves.map(({ to }) => to))])
  const columns = (all: SlotMove[]) => {
    const fitting = all.filter(({ to }) => living.has(to))
    return [region, fitting.map(({ slot }) => slot), fitting.map(({ to }) => to)]
  }
  await client.query(
    `WITH ${heldSlots('holder IS NULL')}
     UPDATE slots s SET holder = m.prober, wanted_by = NULL, due_from = NULL, cut = '{}'
     FROM held JOIN unnest($2::smallint[], $3::bigint[]) AS m (slot, prober) ON m.slot = held.slot
     WHERE s.region = $1 AND s.slot = held.slot`,
    columns(give),
  )
  await client.query(
    `WITH ${heldSlots('holder IS NOT NULL')}
     UPDATE slots s SET wanted_by = m.prober
     FROM held JOIN unnest($2::smallint[], $3::bigint[]) AS m (slot, prober) ON m.slot = held.slot
     WHERE s.region = $1 AND s.slot = held.slot`,
    columns(ask),
  )
}

/** Selects those of the slots `$2` of region `$1` that fit, in the order in which they are handed over. */
function heldSlots(condition: string): string {
  return `held AS (
    SELECT slot FROM slots WHERE region = $1 AND slot = ANY($2) AND ${condition} ORDER BY slot FOR NO KEY UPDATE)`
}
