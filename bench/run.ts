// Measures on this machine and prints one table; see docs/benchmarks.md. Started by bin/bench.mjs.
import { cpus, loadavg, totalmem } from 'node:os'
import { benchApi } from './api.ts'
import { benchCapacity } from './capacity/capacity.ts'
import { benchSoak } from './capacity/soak.ts'
import { benchChecks } from './checks.ts'
import { benchFlapping } from './dashboard/flapping.ts'
import { benchDashboard } from './dashboard/requests.ts'
import { benchScreens } from './dashboard/screens.ts'
import { benchDetection } from './detection.ts'
import { benchEchoes } from './echoes.ts'
import { benchEscalation } from './escalation.ts'
import { benchEvidence } from './evidence.ts'
import { benchIdle } from './idle.ts'
import { benchLeaks } from './leaks/leaks.ts'
import { benchMaintenance } from './maintenance.ts'
import { benchMemory } from './memory.ts'
import { benchPeers } from './peers/peers.ts'
import { benchPings } from './pings.ts'
import { benchPromotion } from './promotion/promotion.ts'
import { benchRecording } from './recording.ts'
import { benchRestart } from './restart.ts'
import { benchRollUps } from './roll-ups.ts'
import { benchAgent } from './servers/agent.ts'
import { benchServers } from './servers/reports.ts'
import { benchSimulation } from './simulation/simulation.ts'
import { benchCrawl } from './sites/crawl.ts'
import { benchStart } from './start/start.ts'
import { benchPaint } from './status-pages/paint.ts'
import { benchPublication } from './status-pages/publication.ts'
import { benchStatusPages } from './status-pages/views.ts'
import { benchStorage } from './storage.ts'
import { HELP, type Options, type Part, readOptions } from './support/options.ts'
import { endProgress, progress } from './support/progress.ts'
import { Scope } from './support/scope.ts'
import { type Row, renderTable } from './support/table.ts'
import { benchVerdicts } from './verdicts.ts'

/** Rows of the one table, or a text of their own below it. */
const BENCHES: Record<Part, (scope: Scope, options: Options) => Promise<Row[] | string>> = {
  checks: benchChecks,
  evidence: benchEvidence,
  recording: benchRecording,
  api: benchApi,
  dashboard: benchDashboard,
  pings: benchPings,
  servers: benchServers,
  detection: benchDetection,
  idle: benchIdle,
  maintenance: benchMaintenance,
  storage: benchStorage,
  rollups: benchRollUps,
  echoes: benchEchoes,
  verdicts: benchVerdicts,
  restart: benchRestart,
  start: benchStart,
  soak: benchSoak,
  capacity: benchCapacity,
  simulation: benchSimulation,
  memory: benchMemory,
  promotion: benchPromotion,
  paint: benchPaint,
  screens: benchScreens,
  flapping: benchFlapping,
  escalation: benchEscalation,
  status: benchStatusPages,
  agent: benchAgent,
  publication: benchPublication,
  crawl: benchCrawl,
  leaks: benchLeaks,
  peers: benchPeers,
}

let current = new Scope()

await main().catch((error) => {
  endProgress()
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options === null) return console.log(HELP)
  if (process.platform !== 'linux') throw new Error('The benchmark reads /proc: it runs on Linux only.')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void current.close().finally(() => process.exit(1)))
  }
  const machine = describeMachine()
  const rows: Row[] = []
  const texts: string[] = []
  for (const [part, bench] of Object.entries(BENCHES) as [Part, (typeof BENCHES)[Part]][]) {
    if (!options.parts.has(part)) continue
    current = new Scope()
    try {
      const found = await bench(current, options)
      if (typeof found === 'string') texts.push(found)
      else rows.push(...found)
    } finally {
      progress(`${part}: closing`)
      await current.close()
    }
  }
  endProgress()
  const table = rows.length > 0 ? [renderTable(rows)] : []
  console.log([machine, ...table, ...texts].join('\n\n'))
}

/** As it is before the first measurement: what else runs on it shows in the load. */
function describeMachine(): string {
  const [cpu] = cpus()
  const hardware = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const software = `${process.platform}-${process.arch}, Node ${process.version}`
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])]
  return [
    command.join(' '),
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${hardware}, ${software}`,
    `load average before: ${loadavg()[0]?.toFixed(2)} (1 min), ${loadavg()[1]?.toFixed(2)} (5 min)`,
  ].join('\n')
}
