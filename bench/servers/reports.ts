import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ENTRY } from '../../test/support/entry.ts'
import { addServers } from '../../test/support/records/servers.ts'
import { startTestService, type TestService } from '../../test/support/services/service.ts'
import { childRunning, cpuMicros, databaseRoot, treeCpuMicros } from '../processes.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { percentile } from '../support/statistics.ts'
import { alone, type Row } from '../support/table.ts'

/** This many report once a minute, and then the next size. */
const SIZES = [1_000, 10_000]
const MINUTE_MS = 60_000
const SECONDS_PER_ROUND = 15
const SEEDED_AT_ONCE = 1_000
const FIRST_REPORTS_UNDER_WAY = 32
const REPORT = readFileSync(
  new URL('../../test/core/servers/agent-reports/debian.txt', import.meta.url),
  'utf8',
)

type Measured = { p50Ms: number; p99Ms: number; servicePercent: number; databasePercent: number }

/** Reports of agents, each on a connection of its own and answered once it is durable, evenly over the minute. */
export async function benchServers(scope: Scope, options: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of SIZES) rows.push(...(await benchSize(scope, options, size)))
  return rows
}

async function benchSize(scope: Scope, { rounds }: Options, size: number): Promise<Row[]> {
  progress(`servers: starting the service for ${size}`)
  const service = await startTestService({ TRUST_PROXY: '1' })
  scope.after(() => service.close())
  const reporter = await createReporter(service, size)
  progress(`servers: ${size} report for the first time`)
  await reporter.reportFirst()
  const measured: Measured[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`servers: ${size}, round ${round} of ${rounds}`)
    measured.push(await reporter.measure())
  }
  const { bytes } = await sizeOfSamples(service)
  await service.close()
  const name = `${size.toLocaleString('en-US')} servers a minute`
  const row = (what: string, unit: string, read: (round: Measured) => number) =>
    alone(`${name}: ${what}`, unit, measured.map(read))
  return [
    row('p50 of a report', 'ms', ({ p50Ms }) => p50Ms),
    row('p99 of a report', 'ms', ({ p99Ms }) => p99Ms),
    row('CPU of the service, of a core', '%', ({ servicePercent }) => servicePercent),
    row('CPU of the database, of a core', '%', ({ databasePercent }) => databasePercent),
    row(
      'CPU together, of a core',
      '%',
      ({ servicePercent, databasePercent }) => servicePercent + databasePercent,
    ),
    alone(`${name}: a sample, until its day is over`, 'B', [bytes]),
  ]
}

async function createReporter(service: TestService, size: number) {
  const { db } = service.services
  const { id: team_id } = await service.createTeam()
  const tokens: string[] = []
  while (tokens.length < size) {
    const count = Math.min(SEEDED_AT_ONCE, size - tokens.length)
    const servers = await addServers(db, count, (index) => ({
      team_id,
      name: `Server ${tokens.length + index}`,
    }))
    tokens.push(...servers.map(({ token }) => token))
  }
  await db.pool.query('VACUUM (ANALYZE)')
  const port = Number(new URL(service.url).port)
  const own = childRunning(ENTRY)
  const database = databaseRoot(service.dataDir)
  let sent = 0

  /** The reports of each server go on where its last one was. */
  async function report(): Promise<number> {
    const server = sent % size
    const minute = Math.floor(sent / size)
    sent++
    const body = Buffer.from(reportText(server, minute))
    const address = `10.${1 + (server >> 16)}.${(server >> 8) & 255}.${server & 255}`
    const at = performance.now()
    const status = await post(port, `/server/${tokens[server]}`, address, body)
    if (status !== 200) throw new Error(`a report was answered ${status}`)
    return performance.now() - at
  }

  async function reportFirst(): Promise<void> {
    let left = size
    const work = async () => {
      while (left-- > 0) await report()
    }
    await Promise.all(Array.from({ length: FIRST_REPORTS_UNDER_WAY }, work))
  }

  async function measure(): Promise<Measured> {
    const beganCpu = { own: cpuMicros(own), database: treeCpuMicros(database) }
    const began = performance.now()
    const reports = Math.round((size * SECONDS_PER_ROUND * 1_000) / MINUTE_MS)
    const latencies: Promise<number>[] = []
    for (let number = 0; number < reports; number++) {
      const dueMs = began + (number * MINUTE_MS) / size
      const waitMs = dueMs - performance.now()
      if (waitMs > 1) await delay(waitMs)
      latencies.push(report())
    }
    const latenciesMs = await Promise.all(latencies)
    const elapsedMicros = (performance.now() - began) * 1_000
    return {
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      servicePercent: (100 * (cpuMicros(own) - beganCpu.own)) / elapsedMicros,
      databasePercent: (100 * (treeCpuMicros(database) - beganCpu.database)) / elapsedMicros,
    }
  }

  return { reportFirst, measure }
}

/** A report that was made by the agent, of another machine a minute later. */
function reportText(server: number, minute: number): string {
  return REPORT.replace(/(?<=@machine\n).*/, `machine-${server}`)
    .replace(/(?<=@boot\n).*/, `boot-${server}`)
    .replace(/(?<=@uptime\n).*/, `${100_000 + minute * 60}.25 200000.00`)
    .replace(/(?<=^cpu +)\d+/m, (user) => String(Number(user) + minute * 600))
}

/** As curl does it: a connection for each. */
async function post(port: number, path: string, address: string, body: Buffer): Promise<number> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: text/plain',
    `content-length: ${body.length}`,
    `x-forwarded-for: ${address}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? 0)
}

async function sizeOfSamples(service: TestService): Promise<{ bytes: number }> {
  const { rows } = await service.services.db.pool.query<{ bytes: number }>(
    `SELECT (sum(pg_total_relation_size(inhrelid)) / (SELECT count(*) FROM server_samples))::float8 AS bytes
     FROM pg_inherits WHERE inhparent = 'server_samples'::regclass`,
  )
  return rows[0] as { bytes: number }
}
