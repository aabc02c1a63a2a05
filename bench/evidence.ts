import { readConfig } from '../src/config.ts'
import type { CheckResult } from '../src/core/monitors/check.ts'
import type { ProbeSettings } from '../src/core/monitors/probe-settings.ts'
import { createEvidenceGuard } from '../src/engine/evidence/evidence.ts'
import { monotonicMs } from '../src/engine/probing/clock.ts'
import { createLog } from '../src/log.ts'
import { publicNetworkOf } from '../src/net/public-network.ts'
import { createGuardedProbes } from '../src/roles/thread-checks.ts'
import { settingsFor } from '../test/support/servers/targets-settings.ts'
import { cpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import type { Options } from './support/options.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { startConstantServer } from './support/start-constant-server.ts'
import { compare, type Row } from './support/table.ts'

const IN_FLIGHT = 256
const TARGETS = 1_000
const NETWORKS = 200
const BODY_BYTES = 100
const REFERENCE = 'a whole HTTP check of the loopback, not recorded'
const never = new AbortController().signal

/** The cost of giving evidence for others, for a check of a healthy public target. */
export async function benchEvidence(scope: Scope, options: Options): Promise<Row[]> {
  const server = await startConstantServer(scope)
  const looking = createGuardedProbes(readConfig({}), createLog('warn', false), neverReports)
  scope.after(async () => looking.close())
  const settings = settingsFor('http', { url: `http://127.0.0.1:${server.ports.http}/${BODY_BYTES}` })
  const whole = (seconds: number) => cpuEach(seconds, () => looking.probe(settings, never))
  const rounds = await measureInTurn('evidence', options, guardAlone, whole)
  return [
    compare(
      "Evidence: CPU of a check's guard",
      'µs',
      REFERENCE,
      pairsOf(rounds, (micros) => micros),
    ),
  ]
}

/** The guard over probes that take a turn of the loop and nothing else, less those probes. */
async function guardAlone(seconds: number): Promise<number> {
  const targets = Array.from({ length: TARGETS }, (_, i) => publicTarget(i))
  const answers = new Map(targets.map(({ settings, answer }) => [settings.url, answer]))
  const probe = async ({ url }: ProbeSettings) => {
    await new Promise(setImmediate)
    return answers.get(url) as CheckResult
  }
  const guard = createEvidenceGuard({
    probe,
    networkOf: publicNetworkOf,
    reach: async (_, address) => address,
    find: async () => ['20.0.0.1'],
    isRootDenied: async () => false,
    monotonicMs,
    notify: neverReports,
    others: async () => [],
  })
  let next = 0
  const settings = () => (targets[next++ % TARGETS] as (typeof targets)[number]).settings
  const guarded = await cpuEach(seconds / 2, () => guard.probe(settings(), never))
  return guarded - (await cpuEach(seconds / 2, () => probe(settings())))
}

function publicTarget(i: number) {
  const name = `www.shop-${i}.example`
  const address = `20.${i % NETWORKS}.0.1`
  const answer: CheckResult = {
    ...{ status: 'up', responseTimeMs: 5, httpStatusCode: 200, errorMessage: null },
    ...{ phases: null, certificate: null, name, address },
  }
  return { settings: settingsFor('http', { url: `https://${name}/` }), answer }
}

async function cpuEach(seconds: number, work: () => Promise<CheckResult>): Promise<number> {
  const before = cpuMicros(process.pid)
  const { done } = await closedLoop(IN_FLIGHT, seconds, async () => {
    const { status, errorMessage } = await work()
    if (status !== 'up') throw new Error(`a check of a target that is well was ${status}: ${errorMessage}`)
  })
  return (cpuMicros(process.pid) - before) / done
}

function neverReports() {
  throw new Error('targets that are well cast no doubt on our network')
}
