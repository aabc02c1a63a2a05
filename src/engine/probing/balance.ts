import { balanceSlots } from '../../core/probing/slot.ts'
import { nextTurns } from '../../core/probing/turns.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { stillHolds } from '../../postgres/leases.ts'
import {
  announceSlots,
  endExpiredMemberships,
  ensureSlotsOf,
  moveSlots,
  type ProbingState,
  type RegionMoves,
  readProbingState,
  writeTurns,
} from '../../store/probing/slots.ts'

/**
 * Shares the slots of each region out among its probers, and lets the living regions take turns. Ends expired
 * memberships unless `keepsExpired`. Does nothing once another process has the lease.
 */
export async function balance(
  db: Database,
  lease: string,
  holder: string,
  keepsExpired: boolean,
): Promise<void> {
  const seen = await readProbingState(db.pool)
  const mayEnd = !keepsExpired && seen.probers.some(({ expired }) => expired)
  if (!mayEnd && isBalanced(seen)) return
  await inTransaction(db.pipelined, async (client) => {
    if (!(await stillHolds(client, lease, holder))) return
    if (mayEnd) await endExpiredMemberships(client)
    await ensureSlotsOf(client, regionsOf(await readProbingState(client)))
    const picture = await readProbingState(client)
    for (const moves of movesOf(picture)) await moveSlots(client, moves)
    const turns = turnsFor(picture)
    if (turns) await writeTurns(client, turns)
    await announceSlots(client)
  })
}

function isBalanced(picture: ProbingState): boolean {
  const known = new Set(picture.groups.map(({ region }) => region))
  return (
    regionsOf(picture).every((region) => known.has(region)) &&
    movesOf(picture).length === 0 &&
    !turnsFor(picture)
  )
}

function regionsOf({ probers }: ProbingState): string[] {
  return [...new Set(probers.map(({ region }) => region))]
}

function movesOf(picture: ProbingState): RegionMoves[] {
  return regionsOf(picture)
    .map((region) => ({
      region,
      ...balanceSlots(
        picture.groups.filter((group) => group.region === region),
        picture.probers.filter((prober) => prober.region === region),
      ),
    }))
    .filter(({ give, ask }) => give.length > 0 || ask.length > 0)
}

/** A region lives as long as it has a prober that stays. */
function turnsFor(picture: ProbingState) {
  const staying = picture.probers.filter(({ leaving }) => !leaving)
  return nextTurns(picture.turns, regionsOf({ ...picture, probers: staying }), picture.nowMs)
}
