import { execFile, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readAgentReport } from '../../src/core/servers/agent-report.ts'
import type { Counters } from '../../src/core/servers/machine-report.ts'
import { measure } from '../../src/core/servers/measure.ts'
import { readSeriesKey, type Sample } from '../../src/core/servers/series.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import type { Options } from '../support/options.ts'
import { findProgram } from '../support/programs.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { percentile } from '../support/statistics.ts'

const AGENT = join(import.meta.dirname, '../../agent/upbeat-agent.sh')
const READ_EVERY_SECONDS = 30
/** Loads in turn, so that each figure moves. */
const LOADS = [
  ['--cpu', '1', '--cpu-load', '60'],
  ['--vm', '1', '--vm-bytes', '1g', '--vm-keep'],
  ['--hdd', '1', '--hdd-bytes', '256m'],
  ['--sock', '1'],
  ['--cpu', '2', '--cpu-load', '95'],
  ['--sleep', '1'],
]
/** Less than this a second is noise, in which a percentage means nothing. */
const MIN_BYTES_PER_SECOND = 10_000

/** The figures that both can give at one reading, as the same keys. */
type Reading = { ours: Sample; theirs: Sample }

/**
 * Figures of the agent beside those that node_exporter gives at the same moment, on this machine under changing load: the
 * differences, by subject.
 */
export async function benchAgent(scope: Scope, { agentMinutes }: Options): Promise<string> {
  const exporter = findProgram(['node_exporter', 'prometheus-node-exporter'])
  const stress = findProgram(['stress-ng'])
  if (!exporter || !stress) return 'agent: needs node_exporter and stress-ng, which are not installed'
  const address = await startExporter(scope, exporter)
  sendIntoTheVoid(scope)
  const readings: Reading[] = []
  const count = Math.ceil((agentMinutes * 60) / READ_EVERY_SECONDS)
  let before = await readBoth(address, null)
  for (let at = 0; at < count; at++) {
    progress(`agent: reading ${at + 1} of ${count}`)
    const load = LOADS[at % LOADS.length] as string[]
    const child = spawn(stress, [...load, '--timeout', `${READ_EVERY_SECONDS}s`, '--quiet'], {
      stdio: 'ignore',
    })
    await Promise.all([once(child, 'exit'), delay(READ_EVERY_SECONDS * 1_000)])
    const now = await readBoth(address, before)
    readings.push({ ours: now.sample, theirs: ratesOf(before.exported, now.exported) })
    before = now
  }
  return describe(readings)
}

/** Traffic that leaves by the default route, to an address that nobody has (RFC 5737). */
function sendIntoTheVoid(scope: Scope): void {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  const packet = Buffer.alloc(1_000)
  const timer = setInterval(() => {
    for (let sent = 0; sent < 10; sent++) socket.send(packet, 9, '192.0.2.1', () => {})
  }, 20)
  scope.after(async () => {
    clearInterval(timer)
    socket.close()
  })
}

async function startExporter(scope: Scope, program: string): Promise<string> {
  const port = await freePort()
  const child = spawn(program, [`--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  scope.after(async () => {
    const exited = once(child, 'exit')
    if (child.kill()) await exited
  })
  const address = `http://127.0.0.1:${port}/metrics`
  await until('the exporter answers', () =>
    fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return address
}

type Both = { sample: Sample; counters: Counters; exported: Exported }

/** Asks both at once, since the machine changes between two readings. */
async function readBoth(address: string, before: Both | null): Promise<Both> {
  const [{ stdout }, exported] = await Promise.all([
    promisify(execFile)('sh', [AGENT, '--show'], { maxBuffer: 1_048_576 }),
    readExporter(address),
  ])
  const report = readAgentReport(stdout)
  if (!report) throw new Error(`the agent printed no report: ${stdout.slice(0, 200)}`)
  return { ...measure(report, before?.counters ?? null, new Date()), exported }
}

type Exported = { at: number; values: Map<string, number> }

/** Sums of the series of Prometheus' text format, by the name and the labels that matter here. */
async function readExporter(address: string): Promise<Exported> {
  const text = await (await fetch(address)).text()
  const values = new Map<string, number>()
  for (const [, name, labels = '', value] of text.matchAll(/^(node_\w+)(?:\{(.*)\})? (\S+)$/gm)) {
    const label = (wanted: string) => new RegExp(`(?:^|,)${wanted}="([^"]*)"`).exec(labels)?.[1]
    const key = [name, label('mode') ?? label('mountpoint') ?? label('device')].filter(Boolean).join(':')
    values.set(key, (values.get(key) ?? 0) + Number(value))
  }
  return { at: values.get('node_time_seconds') ?? Date.now() / 1_000, values }
}

const CPU_MODES = ['user', 'nice', 'system', 'irq', 'softirq', 'steal', 'idle', 'iowait']

/** Rates and gauges as Prometheus would compute them of two scrapes, under the names of our series. */
function ratesOf(before: Exported, now: Exported): Sample {
  const value = (key: string) => now.values.get(key) ?? Number.NaN
  const grown = (key: string) => value(key) - (before.values.get(key) ?? Number.NaN)
  const cpu = (mode: string) => grown(`node_cpu_seconds_total:${mode}`)
  const total = CPU_MODES.reduce((sum, mode) => sum + cpu(mode), 0)
  const sample: Sample = {
    cpu_percent: 100 * (1 - (cpu('idle') + cpu('iowait')) / total),
    cpu_iowait_percent: (100 * cpu('iowait')) / total,
    memory_total_bytes: value('node_memory_MemTotal_bytes'),
    memory_available_bytes: value('node_memory_MemAvailable_bytes'),
  }
  for (const key of now.values.keys()) {
    const [name, part] = key.split(/:(.*)/)
    if (name === 'node_filesystem_size_bytes') {
      sample[`file_system_size_bytes:${part}`] = value(key)
      const used = value(key) - value(`node_filesystem_free_bytes:${part}`)
      const usable = used + value(`node_filesystem_avail_bytes:${part}`)
      sample[`file_system_used_percent:${part}`] = (100 * used) / usable
    }
    const seconds = now.at - before.at
    const rate = RATES[name ?? '']
    if (rate) sample[`${rate}:${part}`] = grown(key) / seconds
  }
  return sample
}

const RATES: Record<string, string> = {
  node_network_receive_bytes_total: 'interface_received_bytes',
  node_network_transmit_bytes_total: 'interface_sent_bytes',
  node_disk_read_bytes_total: 'disk_read_bytes',
  node_disk_written_bytes_total: 'disk_written_bytes',
}

/** Differences of percentages in points, of all others in percent of the exporter's figure. */
function describe(readings: Reading[]): string {
  const differences = new Map<string, number[]>()
  for (const { ours, theirs } of readings) {
    for (const [key, value] of Object.entries(ours)) {
      const reference = theirs[key]
      const series = readSeriesKey(key)
      if (!series || reference === undefined || !Number.isFinite(reference)) continue
      const isShare = series.name.endsWith('_percent')
      if (!isShare && reference < MIN_BYTES_PER_SECOND) continue
      const difference = isShare
        ? Math.abs(value - reference)
        : (100 * Math.abs(value - reference)) / reference
      const what = `${series.name} ${isShare ? '(points)' : '(percent)'}`
      differences.set(what, [...(differences.get(what) ?? []), difference])
    }
  }
  const lines = [...differences].map(([what, found]) => {
    const figures = [percentile(found, 0.5), percentile(found, 0.95), Math.max(...found)]
    return `| ${what} | ${found.length} | ${figures.map((figure) => figure.toFixed(2)).join(' | ')} |`
  })
  return [
    `The agent beside node_exporter, ${readings.length} readings ${READ_EVERY_SECONDS} s apart, under changing load:`,
    '| Difference of | Readings | median | p95 | largest |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
