import { AsyncLocalStorage } from 'node:async_hooks'
import type { Network } from './network.ts'

/** More teams than one process checks for in a while. */
const TEAMS_KEPT = 10_000

const team = new AsyncLocalStorage<number>()
const ofTeams = new WeakMap<Network, Map<number, Network>>()

/** Does work on the network for a team, whose share of what is shared there it uses. */
export function onBehalfOf<T>(teamId: number, work: () => T): T {
  return team.run(teamId, work)
}

/**
 * The same network as a team uses it. A check is given it, as the store of `onBehalfOf` would cost each one 2 % of its processor
 * time: every promise and socket behind it carries that on.
 */
export function networkFor(network: Network, teamId: number | undefined): Network {
  if (teamId === undefined) return network
  const known = ofTeams.get(network) ?? new Map<number, Network>()
  const own = known.get(teamId)
  if (own) return own
  const made = { ...network, teamId }
  if (known.size >= TEAMS_KEPT) known.clear()
  ofTeams.set(network, known.set(teamId, made))
  return made
}

/** The team for which a network is used at present; 0 for none. */
export function usingTeam({ teamId }: Pick<Network, 'teamId'> = {}): number {
  return teamId ?? team.getStore() ?? 0
}
