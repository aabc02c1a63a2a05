import { readConfig } from '../../../src/config.ts'
import { REDIRECTS } from '../../../src/core/monitors/redirect.ts'
import { createLog } from '../../../src/log.ts'
import { createGuardedProbes } from '../../../src/roles/thread-checks.ts'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { startRecording } from '../net/recording-target.ts'
import { settingsFor } from '../servers/targets-settings.ts'

/**
 * One task of a separate process, which gets a list of them as JSON in its first argument: in a network that has these
 * addresses, the probes of a process with these settings check a server at one, which redirects to a server at the other.
 * It prints the findings of each.
 */
export type LedTask = {
  environment: Record<string, string>
  own: string
  inside: string
  method: 'GET' | 'POST'
}

export type LedFindings = {
  /** For each status of a redirect. */
  found: { status: string; errorMessage: string | null }[]
  /** The methods of the requests that arrived at the server inside, and the connections that came. */
  arrived: string[]
  accepted: number
}

const tasks = JSON.parse(process.argv[2] ?? '') as LedTask[]
const findings: LedFindings[] = []
for (const task of tasks) findings.push(await lead(task))
console.log(JSON.stringify(findings))

async function lead({ environment, own, inside, method }: LedTask): Promise<LedFindings> {
  const closers: (() => Promise<void>)[] = []
  const scope = { after: (close: () => Promise<void>) => closers.push(close) }
  let status = 0
  const hidden = await startRecording(scope, (_, response) => void response.end(), inside)
  const led = await startRecording(
    scope,
    (_, response) => response.writeHead(status, { location: `http://${inside}:${hidden.port}/` }).end(),
    own,
  )
  const probes = createGuardedProbes(readConfig(environment), createLog('silent', false), () => {})
  const found: LedFindings['found'] = []
  for (status of REDIRECTS) {
    const settings = settingsFor('http', {
      url: `http://${own}:${led.port}/`,
      http_method: method,
      request_timeout_seconds: HANG_GUARD_MS / 1_000,
    })
    const result = await probes.probe(settings, new AbortController().signal)
    found.push({ status: result.status, errorMessage: result.errorMessage })
  }
  probes.close()
  for (const close of closers) await close()
  return { found, arrived: hidden.arrivals.map((arrival) => arrival.method), accepted: hidden.accepted() }
}
