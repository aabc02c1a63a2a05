import { startTestService, type TestService } from '../test/support/services/service.ts'
import { createEndpoints, type Endpoint } from './endpoints.ts'
import { childRunning, cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import { type KeepAliveConnection, openConnection, requestText } from './support/keep-alive-client.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { startConstantServer } from './support/start-constant-server.ts'
import { percentile } from './support/statistics.ts'
import { compare, type Row } from './support/table.ts'

const IN_FLIGHT = 16
const REFERENCE = 'bare node:http server, a constant of the same size'

type Load = { perSecond: number; p50Ms: number; p99Ms: number; cpuMicros: number }

/** Requests to the service, a process of its own, and to a bare server, over the same client. */
export async function benchApi(scope: Scope, options: Options): Promise<Row[]> {
  progress('API: starting the service')
  const service = await startTestService({ TRUST_PROXY: '1' })
  scope.after(() => service.close())
  const bare = await startConstantServer(scope)
  const endpoints = await createEndpoints(service, options)
  const [toService, toBare] = await Promise.all([
    connectAll(scope, Number(new URL(service.url).port)),
    connectAll(scope, bare.ports.http),
  ])
  const serviceCpu = cpuOfService(service)
  const rows: Row[] = []
  for (const endpoint of endpoints) {
    const constant = await constantLike(endpoint, toService)
    const ours = (seconds: number) => load(toService, endpoint, seconds, serviceCpu)
    const reference = (seconds: number) => load(toBare, constant, seconds, () => cpuMicros(bare.pid))
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
    row('CPU each, service + database', 'µs', ({ cpuMicros }) => cpuMicros),
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

/** The request to the bare server that is answered with as many bytes. */
async function constantLike(endpoint: Endpoint, [connection]: KeepAliveConnection[]) {
  const reply = await (connection as KeepAliveConnection).send(endpoint.request())
  if (reply.status !== endpoint.status) throw new Error(`${endpoint.name} answered ${reply.status}`)
  const { length } = reply.body
  const request = requestText(endpoint.method, `/${length}`, {}, endpoint.body)
  return { request: () => request, status: length === 0 ? 204 : 200 }
}

function cpuOfService(service: TestService): () => number {
  const own = childRunning('src/main.ts')
  const database = databaseRoot(service.dataDir)
  return () => cpuMicros(own) + treeCpuMicros(database)
}

async function connectAll(scope: Scope, port: number): Promise<KeepAliveConnection[]> {
  const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openConnection(port)))
  scope.after(async () => {
    for (const connection of connections) connection.close()
  })
  return connections
}
