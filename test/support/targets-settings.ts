import type { CheckResult } from '../../src/core/check.ts'
import type { ProbeSettings } from '../../src/core/probe-settings.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../src/net/network.ts'
import { createProbes } from '../../src/probes/run.ts'

/** Names go nowhere, so that no test can leave the machine: a closed port of the loopback. */
const NO_NAME_SERVER = ['127.0.0.1:1']

/** Sees no stall, however busy the machine that runs the tests. */
const CALM = { start: () => () => 0, stop: () => {} }

export function testNetwork(options: Partial<NetworkOptions> = {}): Network {
  const network = createNetwork({
    privateTargets: 'allow',
    nameServers: NO_NAME_SERVER,
    hostsFile: '/nowhere',
    ...options,
  })
  return { ...network, loop: CALM }
}

export function settingsFor(type: ProbeSettings['type'], changes: Partial<ProbeSettings>): ProbeSettings {
  return {
    type,
    url: 'http://127.0.0.1/',
    port: null,
    httpMethod: 'GET',
    expectedStatusCodes: [200],
    expectedKeyword: type === 'keyword' ? 'OK' : null,
    requestTimeoutSeconds: 5,
    requestHeaders: null,
    username: null,
    password: null,
    sslExpiryWarningDays: 14,
    ...changes,
  }
}

/** Runs one check as the engine would. An exception in a probe fails the test. */
export async function check(
  type: ProbeSettings['type'],
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
  const settings = settingsFor(type, changes)
  const result = await probes[type](settings, signal)
  for (const bug of bugs) throw bug
  return result
}
