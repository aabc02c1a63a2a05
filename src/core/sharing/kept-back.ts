import type { Places } from './places.ts'

export type KeptBack = {
  /** Keeps a check that is due, unless its team gets a place, which it then has. */
  keepsBack(check: { id: number; teamId: number }): boolean
  /** The next monitor whose team gets a place, of the team with the fewest checks under way; null for none. */
  next(): number | null
}

/** Checks that are due while their teams have their shares of the places: those of a team in the order in which they were due. */
export function createKeptBack(places: Places): KeptBack {
  const ofTeam = new Map<number, Set<number>>()
  return {
    keepsBack({ id, teamId }) {
      if (places.take(teamId)) return false
      const waiting = ofTeam.get(teamId) ?? new Set()
      ofTeam.set(teamId, waiting.add(id))
      return true
    },
    next() {
      const able = [...ofTeam.keys()].filter((teamId) => places.gets(teamId))
      const [teamId] = able.toSorted((a, b) => places.heldBy(a) - places.heldBy(b))
      const waiting = teamId === undefined ? undefined : ofTeam.get(teamId)
      const [id] = waiting ?? []
      if (teamId === undefined || waiting === undefined || id === undefined) return null
      waiting.delete(id)
      if (waiting.size === 0) ofTeam.delete(teamId)
      return id
    },
  }
}
