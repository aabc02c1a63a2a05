import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import { type ProbeSettings, probeSettings } from '../../../src/core/monitors/probe-settings.ts'
import type { LoopWatch } from '../../../src/net/loop-watch.ts'
import type { NameServerTimeouts } from '../../../src/net/names/name-server.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../../src/net/network.ts'
import { createProbes, probeBy } from '../../../src/probes/run.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { PLAIN_SETTINGS } from '../monitor-settings.ts'
import type { Reply } from './dns-server.ts'

/** Names go nowhere, so that no test can leave the machine: a closed port of the loopback. */
const NO_NAME_SERVER = ['127.0.0.1:1']

/** Sees no stall, however busy the machine that runs the tests. */
export const CALM_LOOP: LoopWatch = { start: () => () => 0, stop: () => {} }

/** Its questions about names wait as long as a busy machine needs. */
export function testNetwork(options: Partial<NetworkOptions> = {}): Network {
  const network = createNetwork({
    privateTargets: 'allow',
    nameServers: NO_NAME_SERVER,
    nameServerTimeouts: { queryMs: HANG_GUARD_MS },
    hostsFile: '/nowhere',
    ...options,
  })
  return { ...network, loop: CALM_LOOP }
}

/** A root that is silent stays so: to ask for long would only leave the question behind. */
export function timeoutsFor(replies: Record<string, Reply>): Partial<NameServerTimeouts> {
  return { queryMs: HANG_GUARD_MS, rootMs: replies[''] === 'silence' ? 50 : HANG_GUARD_MS }
}

export function settingsFor<Type extends ProbedType>(
  type: Type,
  changes: Partial<ProbeSettings>,
): ProbeSettings<Type> {
  const usual = { url: 'http://127.0.0.1/', request_timeout_seconds: 5, interval_seconds: 60 }
  const monitor = { ...PLAIN_SETTINGS, ...usual, expected_keyword: 'OK', ...changes }
  return probeSettings(type, monitor) as ProbeSettings<Type>
}

/** Runs one check as the engine would, without a limit unless it is given one. An exception in a probe fails the test. */
export async function check(
  type: ProbedType,
  changes: Partial<ProbeSettings>,
  { network = testNetwork(), signal = new AbortController().signal } = {},
): Promise<CheckResult> {
  const bugs: unknown[] = []
  const probes = createProbes({
    network,
    now: () => new Date(),
    icmp: () => Promise.reject(new Error('no echoes here')),
    onBug: (error) => bugs.push(error),
  })
  const settings = settingsFor(type, { request_timeout_seconds: HANG_GUARD_MS / 1_000, ...changes })
  const result = await probeBy(probes, settings, signal)
  for (const bug of bugs) throw bug
  return result
}
