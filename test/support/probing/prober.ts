import { closeSync, openSync } from 'node:fs'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { openEchoSockets } from '../../../src/probes/icmp/echo.ts'
import { createIcmpProbe } from '../../../src/probes/icmp.ts'
import { createProbes, probeBy } from '../../../src/probes/run.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { CALM_LOOP, settingsFor, testNetwork } from '../servers/targets-settings.ts'
import { takePorts } from './take-ports.ts'

/** The task of a separate process, as JSON in its first argument; it prints its findings. */
export type ProberTask = {
  nameServers: string[]
  checks: Partial<ProbeSettings>[]
  /** Takes all there are of these, checks, gives them back, and checks again. */
  starve: 'descriptors' | 'ports' | null
}

export type ProberFindings = { starved: Finding[]; fed: Finding[] }
type Finding = Pick<CheckResult, 'status' | 'errorMessage'>

const { nameServers, checks, starve } = JSON.parse(process.argv[2] ?? '') as ProberTask

const sockets = openEchoSockets()
const now = () => new Date()
const probes = createProbes({
  network: testNetwork({ nameServers }),
  now,
  icmp: createIcmpProbe({
    resolve: async (address) => ({
      kind: 'addresses',
      addresses: [{ address, family: address.includes(':') ? 6 : 4 }],
    }),
    sockets,
    now,
    loop: CALM_LOOP,
  }),
  onBug: (error) => {
    throw error
  },
})

async function checkAll(): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { type = 'http', ...changes } of checks) {
    const settings = settingsFor(type, { request_timeout_seconds: HANG_GUARD_MS / 1_000, ...changes })
    const { status, errorMessage } = await probeBy(probes, settings, new AbortController().signal)
    findings.push({ status, errorMessage })
  }
  return findings
}

function takeAllDescriptors(): () => void {
  const taken: number[] = []
  for (;;) {
    try {
      taken.push(openSync('/dev/null', 'r'))
    } catch {
      return () => {
        for (const descriptor of taken) closeSync(descriptor)
      }
    }
  }
}

const giveBack =
  starve === 'ports' ? await takePorts() : starve === 'descriptors' ? takeAllDescriptors() : () => {}
const starved = starve === null ? [] : await checkAll()
giveBack()
const fed = await checkAll()
sockets.close()
process.stdout.write(JSON.stringify({ starved, fed } satisfies ProberFindings))
