/**
 * The number of fixed parts that the monitors fall into: each monitor stays in its slot, and slots change hands. So many
 * that no share of 300 processes is more than 3 % above the mean, and no more, because a slot that moves is a row written.
 */
export const SLOTS = 2_048

/** Slots with the same holder and the same next holder. */
export type SlotGroup = { holder: number | null; wantedBy: number | null; slots: number[] }

/** About so many monitors are read at once at most: a read keeps everything else waiting. */
const MAX_AT_ONCE = 2_000
/** Slots that were not read yet may hold many more monitors than those before. */
const MAX_GROWTH = 8

/** How many slots to read next, after reading `slots` found so many monitors. */
export function slotsToRead(slots: number, monitors: number): number {
  const bearable = Math.floor((MAX_AT_ONCE * slots) / Math.max(1, monitors))
  return Math.max(1, Math.min(bearable, slots * MAX_GROWTH, SLOTS))
}

/** The first of these slots, as many as have few enough monitors together to move at once; at least one. */
export function slotsToMove(slots: number[], monitorsOf: (slot: number) => number): number[] {
  let monitors = 0
  const end = slots.findIndex((slot, index) => {
    monitors += monitorsOf(slot)
    return index > 0 && monitors > MAX_AT_ONCE
  })
  return end < 0 ? slots : slots.slice(0, end)
}

/** A set of slots in hexadecimal: slot n is bit n % 8 of byte n / 8, as PostgreSQL counts them. */
export function bitsOfSlots(slots: Iterable<number>): string {
  const bytes = new Uint8Array(SLOTS / 8)
  for (const slot of slots) bytes[slot >> 3] = (bytes[slot >> 3] ?? 0) | (1 << (slot & 7))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function slotsOfBits(bits: string): number[] {
  const hasBit = (slot: number) =>
    ((Number.parseInt(bits.slice((slot >> 3) * 2, (slot >> 3) * 2 + 2), 16) >> (slot & 7)) & 1) === 1
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter(hasBit)
}

export type SlotMember = { id: number; leaving: boolean }

/** `give`: slots without a holder. `ask`: slots that their holder is to hand over. */
export type SlotMoves = { give: SlotMove[]; ask: SlotMove[] }
export type SlotMove = { slot: number; to: number }

/**
 * The moves of slots in a region that give each staying prober a fair share, and move no slot without need: slots
 * without a holder at once; those of leaving probers, and those that others have too many of, by hand-over.
 */
export function balanceSlots(groups: SlotGroup[], members: SlotMember[]): SlotMoves {
  const moves: SlotMoves = { give: [], ask: [] }
  const staying = members.filter(({ leaving }) => !leaving).map(({ id }) => id)
  if (staying.length === 0) return moves

  const held = new Map(staying.map((id) => [id, [] as number[]]))
  const expected = new Map(staying.map((id) => [id, 0]))
  const free: number[] = []
  const left: number[] = []
  for (const { holder, wantedBy, slots } of groups) {
    const heir = wantedBy !== null && expected.has(wantedBy) ? wantedBy : null
    const owner = heir ?? holder
    if (owner !== null && expected.has(owner)) {
      expected.set(owner, (expected.get(owner) ?? 0) + slots.length)
      if (heir === null) held.get(owner)?.push(...slots)
      else if (holder === null) moves.give.push(...slots.map((slot) => ({ slot, to: heir })))
    } else if (holder === null) free.push(...slots)
    else left.push(...slots)
  }

  const quotas = quotasOf(expected)
  const surplus = staying.flatMap((id) => {
    const tooMany = (expected.get(id) ?? 0) - (quotas.get(id) ?? 0)
    return tooMany > 0 ? (held.get(id) ?? []).slice(-tooMany) : []
  })
  const needy = staying.flatMap((id) =>
    Array<number>(Math.max(0, (quotas.get(id) ?? 0) - (expected.get(id) ?? 0))).fill(id),
  )
  for (const [index, slot] of [...free, ...left, ...surplus].entries()) {
    const to = needy[index]
    if (to === undefined) break
    if (index < free.length) moves.give.push({ slot, to })
    else moves.ask.push({ slot, to })
  }
  return moves
}

/** The remainder of the division goes to the probers with the most slots. */
function quotasOf(expected: Map<number, number>): Map<number, number> {
  const share = Math.floor(SLOTS / expected.size)
  const larger = SLOTS % expected.size
  const richestFirst = [...expected].toSorted(([a, has], [b, hasToo]) => hasToo - has || a - b)
  return new Map(richestFirst.map(([id], index) => [id, index < larger ? share + 1 : share]))
}
