import { balanceSlots, SLOTS } from '../../core/probing/slot.ts'
import { nextTurns } from '../../core/probing/turns.ts'
import { type Database, inTransaction } from '../../postgres/database.ts'
import { stillHolds } from '../../postgres/leases.ts'
import { moveSlots, type RegionMoves } from '../../store/probing/slot-moves.ts'
import {
  announceSlots,
  endExpiredMemberships,
  ensureSlotsOf,
  type ProbingMembers,
  type ProbingState,
  readProbingMembers,
  readProbingState,
  writeTurns,
} from '../../store/probing/slots.ts'

/** Shares the slots out whenever it is called: after news of slots, or to look whether there were any. */
export type Balancing = (keepsExpired: boolean, isNews: boolean) => Promise<void>

/** Without news the slots are not read, which are many, as long as their members are those they were shared out among. */
export function createBalancing(db: Database, lease: string, holder: string): Balancing {
  let sharedAmong: string | null = null

  async function isSettled(keepsExpired: boolean): Promise<boolean> {
    if (sharedAmong === null) return false
    const members = await readProbingMembers(db.pool)
    return namesOf(members) === sharedAmong && !isAnyToEnd(members, keepsExpired) && !turnsFor(members)
  }

  return async (keepsExpired, isNews) => {
    if (!isNews && (await isSettled(keepsExpired))) return
    sharedAmong = null
    const settled = await balance(db, lease, holder, keepsExpired)
    sharedAmong = settled && namesOf(settled)
  }
}

function namesOf({ probers }: ProbingMembers): string {
  return probers.map(({ id, leaving }) => (leaving ? `${id} leaving` : id)).join()
}

/**
 * Shares the slots of each region out among its probers, and lets the living regions take turns. Ends expired
 * memberships unless `keepsExpired`. Does nothing once another process has the lease. Returns what it found when there
 * was nothing to do, or null.
 */
export async function balance(
  db: Database,
  lease: string,
  holder: string,
  keepsExpired: boolean,
): Promise<ProbingState | null> {
  const seen = await readProbingState(db.pool)
  const mayEnd = isAnyToEnd(seen, keepsExpired)
  if (!mayEnd && isBalanced(seen)) return seen
  await inTransaction(db.pipelined, async (client) => {
    if (!(await stillHolds(client, lease, holder))) return
    if (mayEnd) await endExpiredMemberships(client)
    await ensureSlotsOf(client, regionsOf(await readProbingMembers(client)))
    const picture = await readProbingState(client)
    for (const moves of movesOf(picture)) await moveSlots(client, moves)
    const turns = turnsFor(picture)
    if (turns) await writeTurns(client, turns)
    await announceSlots(client)
  })
  return null
}

function isAnyToEnd({ probers }: ProbingMembers, keepsExpired: boolean): boolean {
  return !keepsExpired && probers.some(({ expired }) => expired)
}

function isBalanced(picture: ProbingState): boolean {
  const hasAll = (region: string) =>
    picture.groups.reduce((all, group) => all + (group.region === region ? group.slots.length : 0), 0) ===
    SLOTS
  return regionsOf(picture).every(hasAll) && movesOf(picture).length === 0 && !turnsFor(picture)
}

function regionsOf({ probers }: Pick<ProbingMembers, 'probers'>): string[] {
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
function turnsFor({ probers, turns, nowMs }: ProbingMembers) {
  const staying = probers.filter(({ leaving }) => !leaving)
  return nextTurns(turns, regionsOf({ probers: staying }), nowMs)
}
