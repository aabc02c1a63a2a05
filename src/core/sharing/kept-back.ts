import type { Places } from './share.ts'

export type KeptBack = {
  /** Keeps a check that is due, unless its team gets a place, which it then has. */
  keepsBack(check: { id: number; teamId: number }): boolean
  /** The next monitor whose team gets a place, of the team with the fewest checks under way; null for none. */
  next(): number | null
}

/** Checks that are due while their teams have their shares of the places: those of a team in the order in which they were due. */
export function createKeptBack(places: Places): KeptBack {
  const ofTeam = new Map<number, Set<number>>()

  function takeFirst(teamId: number): number | null {
    const waiting = ofTeam.get(teamId) ?? new Set()
    const [id = null] = waiting
    if (id !== null) waiting.delete(id)
    if (waiting.size === 0) ofTeam.delete(teamId)
    return id
  }

  return {
    keepsBack({ id, teamId }) {
      if (places.take(teamId)) return false
      const waiting = ofTeam.get(teamId) ?? new Set()
      ofTeam.set(teamId, waiting.add(id))
      return true
    },
    next() {
      // It is asked at the end of each check, with as many teams as wait: none of them is sorted.
      let fewest = Number.POSITIVE_INFINITY
      let next: number | null = null
      if (places.free === 0) return null
      for (const teamId of ofTeam.keys()) {
        const held = places.heldBy(teamId)
        if (held < fewest && places.gets(teamId)) [fewest, next] = [held, teamId]
        if (fewest === 0) break
      }
      return next === null ? null : takeFirst(next)
    },
  }
}
