import { AsyncLocalStorage } from 'node:async_hooks'

const team = new AsyncLocalStorage<number>()

/** Does work on the network for a team, whose share of what is shared there it uses. */
export function onBehalfOf<T>(teamId: number, work: () => T): T {
  return team.run(teamId, work)
}

/** The team for which the network is used at present; 0 for none. */
export function usingTeam(): number {
  return team.getStore() ?? 0
}
