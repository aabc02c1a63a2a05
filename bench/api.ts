import { ENTRY } from '../test/support/entry.ts'
import { startTestService } from '../test/support/services/service.ts'
import { createEndpoints, type Endpoint, prepareReference } from './endpoints.ts'
import { childRunning, cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import { type KeepAliveConnection, openConnection } from './support/keep-alive-client.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { startStatementServer } from './support/start-statement-server.ts'
import { percentile } from './support/statistics.ts'
import { compare, type Row } from './support/table.ts'

const IN_FLIGHT = 16
const REFERENCE = 'bare node:http server, one prepared statement each'

type Load = { perSecond: number; p50Ms: number; p99Ms: number; cpuMicros: number }

/**
 * Requests to the service, a process of its own, and over the same client to a bare server that asks the same database
 * for the same rows.
 */
export async function benchApi(scope: Scope, options: Options): Promise<Row[]> {
  progress('API: starting the service')
  const service = await startTestService({ TRUST_PROXY: '1' })
  scope.after(() => service.close())
  const endpoints = await createEndpoints(service, options)
  const { db } = service.services
  const texts = await prepareReference(db)
  const bare = await startStatementServer(scope, { database: db.connection, texts, connections: IN_FLIGHT })
  // As it is some minutes later by itself.
  await db.pool.query('VACUUM ANALYZE')
  const [toService, toBare] = await Promise.all([
    connectAll(scope, Number(new URL(service.url).port)),
    connectAll(scope, bare.port),
  ])
  const own = childRunning(ENTRY)
  const database = databaseRoot(service.dataDir)
  const rows: Row[] = []
  for (const endpoint of endpoints) {
    const ours = (seconds: number) =>
      load(toService, endpoint, seconds, () => cpuMicros(own) + treeCpuMicros(database))
    const reference = (seconds: number) =>
      load(toBare, endpoint.reference, seconds, () => cpuMicros(bare.pid) + treeCpuMicros(database))
    rows.push(...(await compareLoads(endpoint.name, options, ours, reference)))
  }
  return rows
}

async function compareLoads(
  name: string,
  options: Options,
  ours: (seconds: number) => Promise<Load>,
  reference: (seconds: number) => Promise<Load>,
): Promise<Row[]> {
  const rounds = await measureInTurn(`API: ${name}`, options, ours, reference)
  const row = (what: string, unit: string, read: (load: Load) => number) =>
    compare(`${name}: ${what}`, unit, REFERENCE, pairsOf(rounds, read))
  return [
    row(`rate, ${IN_FLIGHT} under way`, '/s', ({ perSecond }) => perSecond),
    row('p50', 'ms', ({ p50Ms }) => p50Ms),
    row('p99', 'ms', ({ p99Ms }) => p99Ms),
    row('CPU each, server + database', 'µs', ({ cpuMicros }) => cpuMicros),
  ]
}

async function load(
  connections: KeepAliveConnection[],
  { request, status }: Pick<Endpoint, 'request' | 'status'>,
  seconds: number,
  cpuOfServer: () => number,
): Promise<Load> {
  const before = cpuOfServer()
  const { done, perSecond, latenciesMs } = await closedLoop(connections.length, seconds, async (worker) => {
    const reply = await (connections[worker] as KeepAliveConnection).send(request())
    if (reply.status !== status) throw new Error(`answered ${reply.status}, not ${status}: ${reply.body}`)
  })
  return {
    perSecond,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMicros: (cpuOfServer() - before) / done,
  }
}

async function connectAll(scope: Scope, port: number): Promise<KeepAliveConnection[]> {
  const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openConnection(port)))
  scope.after(async () => {
    for (const connection of connections) connection.close()
  })
  return connections
}
