// Measures on this machine and prints one table; see docs/benchmarks.md. Started by bin/bench.mjs.
import { cpus, loadavg, totalmem } from 'node:os'
import { benchApi } from './api.ts'
import { benchChecks } from './checks.ts'
import { benchDetection } from './detection.ts'
import { benchIdle } from './idle.ts'
import { HELP, type Options, type Part, readOptions } from './options.ts'
import { endProgress, progress } from './progress.ts'
import { benchRecording } from './recording.ts'
import { Scope } from './scope.ts'
import { benchStorage } from './storage.ts'
import { type Row, renderTable } from './table.ts'

const BENCHES: Record<Part, (scope: Scope, options: Options) => Promise<Row[]>> = {
  checks: benchChecks,
  recording: benchRecording,
  api: benchApi,
  detection: benchDetection,
  idle: benchIdle,
  storage: benchStorage,
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
  for (const [part, bench] of Object.entries(BENCHES) as [Part, (typeof BENCHES)[Part]][]) {
    if (!options.parts.has(part)) continue
    current = new Scope()
    try {
      rows.push(...(await bench(current, options)))
    } finally {
      progress(`${part}: closing`)
      await current.close()
    }
  }
  endProgress()
  console.log(`${machine}\n\n${renderTable(rows)}`)
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
