import type { CheckStatus } from '../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import type { Network } from '../../src/net/network.ts'
import type { Scope } from '../support/scope.ts'
import type { Target } from '../support/servers/targets.ts'

/** The time limit of a case whose verdict falls at the limit: on a clock that the test turns. */
export const LIMIT_SECONDS = 1

/**
 * One way in which a target can fail, or seem to: what a check makes of it. In `cause`, words in angle brackets
 * stand for what differs from run to run; `<limit>` is the monitor's time limit.
 */
export type Case = {
  name: string
  type: ProbeSettings['type']
  status: CheckStatus
  /** The words of the check; null when it has nothing to say. */
  cause: string | null
  /** The verdict falls when the time limit is reached; otherwise as soon as the target is known to fail. */
  atLimit?: true
  /** Starts the target, all of it on the loopback; for a case at the limit the clock stands still by then. */
  start: (scope: Scope) => Promise<Started>
}

export type Started = {
  settings: Partial<ProbeSettings>
  network?: Network
  /** PEM of the made-up authority that `network` trusts; other programs need it, too. */
  authority?: string
  /** Servers on which nothing may be left open afterwards. */
  targets?: Target[]
  /** The values for the words in angle brackets. */
  words?: Record<string, string>
  /** Resolves when the target has done all that it does, and the check knows; only then is the time up. */
  saidAll?: () => Promise<unknown>
  /** Further conditions that hold once the check is over. */
  afterwards?: () => void
}

export type Group = { title: string; cases: Case[] }

/** A target whose port alone matters: its URL, and its address for the words. */
export function at(target: Target, scheme = 'http', path = '/'): Started {
  const address = `127.0.0.1:${target.port}`
  return { settings: { url: `${scheme}://${address}${path}` }, targets: [target], words: { address } }
}
